"""Cassettes: recorded exchanges in a file of JSON lines, format version 1."""
