"""What only `anthropic` has: client classes, terminals of its streams, its token counts, its credentials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from intercept.spi import JSON, Call, Caps, PatchPoint, Piece, Usage
from intercept_anthropic.credentials import PATCH_POINTS
from intercept_anthropic.models import capabilities
from intercept_anthropic.pieces import pieces
from intercept_anthropic.places import untouched
from intercept_anthropic.streams import is_terminal
from intercept_anthropic.usage import USAGE_SEMANTICS, read_usage
from intercept_stainless import Provider, patch_points

PROVIDER: Final = Provider(
    adapter="anthropic",
    sdk="anthropic",
    providers={
        prefix + cls: name
        for prefix in ("", "Async")
        for cls, name in {
            "Anthropic": "anthropic",
            "AnthropicBedrock": "anthropic-bedrock",
            "AnthropicBedrockMantle": "anthropic-bedrock-mantle",
            "AnthropicVertex": "anthropic-vertex",
            "AnthropicFoundry": "anthropic-foundry",
            "AnthropicAWS": "anthropic-aws",
            "AnthropicGoogleCloud": "anthropic-google-cloud",
        }.items()
    },
    identity_headers=frozenset({"anthropic-beta"}),
    credentials=("api_key", "auth_token", "webhook_key", "aws_secret_key", "aws_session_token", "access_token"),
)


_CATALOGUES: Final[Mapping[str, Sequence[str]]] = {
    "anthropic": ("anthropic",),
    "anthropic-bedrock": ("aws", "amazon-bedrock"),
    "anthropic-bedrock-mantle": ("aws", "amazon-bedrock"),
    "anthropic-vertex": ("google", "google-vertex-anthropic"),
    "anthropic-google-cloud": ("google", "google-vertex-anthropic"),
    "anthropic-foundry": ("azure", "azure-cognitive-services"),
    "anthropic-aws": ("aws", "amazon-bedrock"),
}


class Anthropic:
    """Implements `intercept.spi.Adapter`."""

    name = "anthropic"
    sdk = "anthropic"
    distribution = "anthropic"
    usage_semantics = USAGE_SEMANTICS
    patch_points: Sequence[PatchPoint] = (*patch_points(PROVIDER), *PATCH_POINTS)

    def is_terminal(self, call: Call, event: str | None, data: str) -> bool:
        """See `intercept.spi.Adapter`."""
        return is_terminal(call, event, data)

    def usage(self, call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
        """See `intercept.spi.Adapter`."""
        return read_usage(call, bodies)

    def capabilities(self, call: Call, body: Mapping[str, JSON]) -> Mapping[str, Caps]:
        """See `intercept.spi.Adapter`."""
        return capabilities(call, body)

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
        """Nothing: clients of this SDK need no stand-in key."""
