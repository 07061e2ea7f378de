"""The real SDKs' clients, pointed at a server of the test's own. They never retry, and their key is none."""

from __future__ import annotations

import re
import ssl
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import parse_qs, urlsplit

import anthropic
import openai

if TYPE_CHECKING:
    from .recording import Recording

SyncClient = openai.OpenAI | anthropic.Anthropic
AsyncClient = openai.AsyncOpenAI | anthropic.AsyncAnthropic


class _Options(TypedDict):
    api_key: str
    max_retries: int
    timeout: float


# A timeout of ours also keeps the Anthropic SDK from refusing a large max_tokens without a stream.
_OPTIONS: _Options = {"api_key": "unused", "max_retries": 0, "timeout": 30.0}
# Trusts nobody, so nobody else can be asked by mistake; and reading the system's certificates costs 45 ms a client.
_TRUST = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_DEPLOYMENT = re.compile(r"/openai/deployments/([^/]+)/")


class _Azure(TypedDict):
    azure_endpoint: str
    azure_deployment: str
    api_version: str


def client_for(recording: Recording, url: str) -> SyncClient:
    """The client the recording was, or could have been, made with; `url` is the server's root.

    Other providers than OpenAI and Azure's deployments are reached as people do: by `OpenAI` with another address.
    """
    if recording.provider == "anthropic":
        return anthropic.Anthropic(base_url=url, http_client=anthropic.DefaultHttpxClient(verify=_TRUST), **_OPTIONS)
    http = openai.DefaultHttpxClient(verify=_TRUST)
    azure = _azure(recording, url)
    if azure is not None:
        return openai.AzureOpenAI(**azure, **_OPTIONS, http_client=http)
    return openai.OpenAI(base_url=url + "/v1", **_OPTIONS, http_client=http)


def async_client_for(recording: Recording, url: str) -> AsyncClient:
    """The same, async."""
    if recording.provider == "anthropic":
        http = anthropic.DefaultAsyncHttpxClient(verify=_TRUST)
        return anthropic.AsyncAnthropic(base_url=url, **_OPTIONS, http_client=http)
    http = openai.DefaultAsyncHttpxClient(verify=_TRUST)
    azure = _azure(recording, url)
    if azure is not None:
        return openai.AsyncAzureOpenAI(**azure, **_OPTIONS, http_client=http)
    return openai.AsyncOpenAI(base_url=url + "/v1", **_OPTIONS, http_client=http)


def _azure(recording: Recording, url: str) -> _Azure | None:
    asked = urlsplit(recording.url)
    deployment = _DEPLOYMENT.search(asked.path)
    if deployment is None:
        return None
    version = parse_qs(asked.query)["api-version"][0]
    return {"azure_endpoint": url, "azure_deployment": deployment[1], "api_version": version}
