"""Cassettes: recorded exchanges in a file of JSON lines, format version 1."""

from intercept.cassette.format import KIND, VERSION, Exchange
from intercept.cassette.reading import Cassette, read
from intercept.cassette.recorder import Recorder
from intercept.cassette.replayer import Replayer

__all__ = ["KIND", "VERSION", "Cassette", "Exchange", "Recorder", "Replayer", "read"]
