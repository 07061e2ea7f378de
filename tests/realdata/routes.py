"""Which method of the official SDK asks for which address, by the SDKs' own reference of resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .recording import Recording


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint, and the method for it as a path from the client on."""

    method: str
    template: str  # "/v1/files/{id}/content"; ends in "?beta=true" where the beta namespace asks
    sdk: str  # "files.content"; "get" and "post" are the client's own, for what has no method that fits

    def ids(self, recording: Recording) -> tuple[str, ...] | None:
        """What stands for each `{id}` of the template, or None where the recording is of another endpoint."""
        wanted, given = self.template.split("/"), _address(recording).split("/")
        if self.method != recording.method or len(wanted) != len(given):
            return None
        paired = [(part, found) for part, found in zip(wanted, given, strict=True) if part != found]
        taken = [_bound(part, found) for part, found in paired]
        return None if None in taken else tuple(found for found in taken if found)


def _bound(part: str, found: str) -> str | None:
    before, hole, after = part.partition("{id}")
    return found.removesuffix(after) if hole and found.startswith(before) and found.endswith(after) else None


def _address(recording: Recording) -> str:
    beta = parse_qs(urlsplit(recording.url).query).get("beta") == ["true"]
    return recording.path + ("?beta=true" if beta else "")


def routes_for(recording: Recording) -> Iterator[Route]:
    """The routes to try, best first. None where no method is known."""
    known = ANTHROPIC if recording.provider == "anthropic" else OPENAI
    return (route for route in known if route.ids(recording) is not None)


OPENAI = (
    Route("POST", "/v1/chat/completions", "chat.completions.create"),
    Route("POST", "/v1/completions", "completions.create"),
    Route("POST", "/v1/responses", "responses.create"),
    Route("POST", "/v1/responses/input_tokens", "responses.input_tokens.count"),
    Route("GET", "/v1/responses/{id}", "responses.retrieve"),
    Route("POST", "/v1/embeddings", "embeddings.create"),
    Route("POST", "/v1/files", "files.create"),
    Route("GET", "/v1/files", "files.list"),
    Route("GET", "/v1/files/{id}", "files.retrieve"),
    Route("GET", "/v1/files/{id}/content", "files.content"),
    Route("DELETE", "/v1/files/{id}", "files.delete"),
    Route("GET", "/v1/models", "models.list"),
    Route("GET", "/v1/models/{id}", "models.retrieve"),
    Route("POST", "/v1/images/generations", "images.generate"),
    Route("POST", "/v1/audio/speech", "audio.speech.create"),
    Route("POST", "/v1/audio/transcriptions", "audio.transcriptions.create"),
    Route("POST", "/v1/moderations", "moderations.create"),
    Route("POST", "/v1/batches", "batches.create"),
    Route("GET", "/v1/batches/{id}", "batches.retrieve"),
    Route("POST", "/v1/vector_stores", "vector_stores.create"),
    Route("POST", "/v1/vector_stores/{id}/files", "vector_stores.files.create"),
    Route("DELETE", "/v1/vector_stores/{id}", "vector_stores.delete"),
    Route("POST", "/v1/conversations", "conversations.create"),
    Route("DELETE", "/v1/conversations/{id}", "conversations.delete"),
)

ANTHROPIC = (
    Route("POST", "/v1/messages", "messages.create"),
    Route("POST", "/v1/messages?beta=true", "beta.messages.create"),
    Route("POST", "/v1/messages/count_tokens", "messages.count_tokens"),
    Route("POST", "/v1/messages/count_tokens?beta=true", "beta.messages.count_tokens"),
    Route("POST", "/v1/files?beta=true", "beta.files.upload"),
    Route("GET", "/v1/files?beta=true", "beta.files.list"),
    Route("GET", "/v1/files/{id}?beta=true", "beta.files.retrieve_metadata"),
    Route("DELETE", "/v1/files/{id}?beta=true", "beta.files.delete"),
    Route("GET", "/v1/models", "models.list"),
    Route("GET", "/v1/models/{id}", "models.retrieve"),
    Route("POST", "/v1/messages/batches", "messages.batches.create"),
    Route("GET", "/v1/messages/batches/{id}", "messages.batches.retrieve"),
    # `batches.results` asks twice: for the batch, then for the absolute address in it, on the provider's own host.
    Route("GET", "/v1/messages/batches/{id}/results", "get"),
    Route("POST", "/v1/complete", "completions.create"),
    Route("POST", "/v1/complete", "post"),  # from 1.0 on the SDK has no method for it
)
