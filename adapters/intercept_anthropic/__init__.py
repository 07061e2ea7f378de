"""The adapter for the official `anthropic` SDK."""

from intercept_anthropic.adapter import Anthropic

__all__ = ["adapter"]

adapter = Anthropic()
