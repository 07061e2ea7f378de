"""Recordings that other tools made of real traffic, read in place and driven through the real SDKs."""
