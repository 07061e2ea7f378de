"""A stand-in for the providers: real HTTP on 127.0.0.1, deterministic replies, full control from a test.

It imports nothing from the rest of the package, so that it can judge it.
"""

from intercept.loopback.answer import Answer
from intercept.loopback.gate import Gate
from intercept.loopback.hold import Held, Hold
from intercept.loopback.provider import Provider
from intercept.loopback.received import Received

__all__ = ["Answer", "Gate", "Held", "Hold", "Provider", "Received"]
