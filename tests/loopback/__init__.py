"""Tests of the loopback provider, driven by the real SDKs."""
