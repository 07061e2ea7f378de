"""A value: one request and its answer, as some other tool recorded them."""

from __future__ import annotations

from dataclasses import dataclass, field

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded interaction. It holds no request header, so no credential can travel with it."""

    file: str  # "DataDog__dd-trace-py/chat_completion.yaml"
    index: int  # number of the interaction in the file, from 0
    provider: str  # "openai", "anthropic", "azure-openai", "openrouter", ...
    method: str  # upper case
    url: str
    path: str  # what the official SDK would ask for, without query: "/v1/chat/completions"
    # Bodies reach 170 KB: they stay out of the repr, which pytest prints on every failure.
    request: bytes = field(repr=False)  # as sent, decoded
    request_type: str  # content type of the request, "" if unknown
    status: int
    headers: Headers = field(repr=False)  # of the response; nothing that tells of its encoding or framing
    body: bytes = field(repr=False)  # of the response, decoded
    exact: bool  # False where the recorder kept something else than the very bytes of the body

    @property
    def name(self) -> str:
        """The recording's own name, for test ids and lists: file, "#", number."""
        return f"{self.file}#{self.index}"
