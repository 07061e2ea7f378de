"""The adapter for the official `openai` SDK."""

from intercept_openai.adapter import OpenAI

__all__ = ["adapter"]

adapter = OpenAI()
