"""What only `openai` has: client classes, terminals of its streams, its token counts, its credentials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from intercept.spi import JSON, Call, Caps, PatchPoint, Piece, Usage
from intercept_openai import credentials, websockets
from intercept_openai.pieces import pieces
from intercept_openai.places import untouched
from intercept_openai.streams import is_terminal
from intercept_openai.usage import USAGE_SEMANTICS, read_usage
from intercept_stainless import Provider, patch_points

PROVIDER: Final = Provider(
    adapter="openai",
    sdk="openai",
    providers={
        "AzureOpenAI": "azure-openai",
        "AsyncAzureOpenAI": "azure-openai",
        "BedrockOpenAI": "bedrock-openai",
        "AsyncBedrockOpenAI": "bedrock-openai",
        "OpenAI": "openai",
        "AsyncOpenAI": "openai",
    },
    identity_headers=frozenset({"openai-beta"}),
    credentials=("api_key", "admin_api_key", "webhook_secret", "_azure_ad_token"),
)


_CATALOGUES: Final[Mapping[str, Sequence[str]]] = {
    "openai": ("openai",),
    "azure-openai": ("azure",),
    "bedrock-openai": ("aws", "amazon-bedrock"),
}


class OpenAI:
    """Implements `intercept.spi.Adapter`."""

    name = "openai"
    sdk = "openai"
    distribution = "openai"
    usage_semantics = USAGE_SEMANTICS
    patch_points: Sequence[PatchPoint] = (
        *patch_points(PROVIDER),
        *credentials.PATCH_POINTS,
        *websockets.PATCH_POINTS,
    )

    def is_terminal(self, call: Call, event: str | None, data: str) -> bool:
        """See `intercept.spi.Adapter`."""
        return is_terminal(call, event, data)

    def usage(self, call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
        """See `intercept.spi.Adapter`."""
        return read_usage(call, bodies)

    def capabilities(self, call: Call, body: Mapping[str, JSON]) -> Mapping[str, Caps]:  # noqa: ARG002
        """Nothing: the Models API of OpenAI tells a model's name and owner alone."""
        return {}

    def catalogues(self, provider: str) -> Sequence[str]:
        """See `intercept.spi.Adapter`."""
        return _CATALOGUES.get(provider, ())

    def untouched(self, call: Call) -> Sequence[str]:
        """See `intercept.spi.Adapter`."""
        return untouched(call)

    def pieces(self, body: Mapping[str, JSON]) -> Iterable[Piece]:
        """See `intercept.spi.Adapter`."""
        return pieces(body)

    def restore(self) -> None:
        """Forget a module-level client that was made without a key."""
        credentials.restore()
