"""Anthropic's endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.anthropic import complete, files, message_batches, messages, models
from intercept.loopback.anthropic.errors import error
from intercept.loopback.anthropic.replies import reply, request_id
from intercept.loopback.route import Route

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.route import Refused

ROUTES = (
    Route("POST", "/v1/messages", messages.create, needs=("model", "messages", "max_tokens")),
    Route("POST", "/v1/messages/count_tokens", messages.count_tokens, needs=("model", "messages")),
    Route("POST", "/v1/messages/batches", message_batches.create, needs=("requests",)),
    Route("GET", "/v1/messages/batches", message_batches.listing),
    Route("GET", "/v1/messages/batches/{name}", message_batches.retrieve),
    Route("DELETE", "/v1/messages/batches/{name}", message_batches.delete),
    Route("POST", "/v1/messages/batches/{name}/cancel", message_batches.cancel),
    Route("GET", "/v1/messages/batches/{name}/results", message_batches.results),
    Route("POST", "/v1/complete", complete.create, needs=("model", "prompt", "max_tokens_to_sample")),
    Route("GET", "/v1/models", models.listing),
    Route("GET", "/v1/models/{rest}", models.retrieve),
    Route("POST", "/v1/files", files.create),
    Route("GET", "/v1/files", files.listing),
    Route("GET", "/v1/files/{name}/content", files.content),
    Route("GET", "/v1/files/{name}", files.retrieve),
    Route("DELETE", "/v1/files/{name}", files.delete),
)


def refuse(ask: Ask, refused: Refused) -> Answer:
    """Put a refusal in Anthropic's words."""
    message = refused.message if refused.param is None else f"{refused.param}: Field required"
    return reply(ask, error(refused.status, request_id=request_id(ask), message=message), refused.status)
