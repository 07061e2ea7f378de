"""The SDKs, pointed at one provider."""

from __future__ import annotations

from dataclasses import dataclass

from anthropic import Anthropic, AsyncAnthropic
from openai import AsyncOpenAI, AzureOpenAI, OpenAI

KEY = "sk-" + "A" * 40


@dataclass(frozen=True)
class Clients:
    """The SDKs, pointed at one provider."""

    url: str
    key: str = KEY
    retries: int = 0

    def openai(self) -> OpenAI:
        """Return OpenAI's client."""
        return OpenAI(base_url=self.url + "/v1", api_key=self.key, max_retries=self.retries)

    def async_openai(self) -> AsyncOpenAI:
        """Return OpenAI's client for asyncio."""
        return AsyncOpenAI(base_url=self.url + "/v1", api_key=self.key, max_retries=self.retries)

    def azure(self) -> AzureOpenAI:
        """Return OpenAI's client for Azure."""
        return AzureOpenAI(azure_endpoint=self.url, api_version="2024-10-21", api_key=self.key, max_retries=0)

    def anthropic(self) -> Anthropic:
        """Return Anthropic's client."""
        return Anthropic(base_url=self.url, api_key=self.key, max_retries=self.retries)

    def async_anthropic(self) -> AsyncAnthropic:
        """Return Anthropic's client for asyncio."""
        return AsyncAnthropic(base_url=self.url, api_key=self.key, max_retries=self.retries)
