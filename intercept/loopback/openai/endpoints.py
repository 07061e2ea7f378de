"""OpenAI's endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai import (
    audio,
    chat,
    completions,
    embeddings,
    files,
    images,
    models,
    moderations,
    responses,
)
from intercept.loopback.openai.errors import error
from intercept.loopback.openai.replies import reply
from intercept.loopback.route import Route

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.route import Refused

ROUTES = (
    Route("POST", "/v1/chat/completions", chat.create, needs=("model", "messages")),
    Route("POST", "/v1/responses", responses.create, needs=("model",)),
    Route("POST", "/v1/responses/{name}/cancel", responses.cancel),
    Route("GET", "/v1/responses/{name}", responses.retrieve),
    Route("DELETE", "/v1/responses/{name}", responses.delete),
    Route("POST", "/v1/completions", completions.create, needs=("model",)),
    Route("POST", "/v1/embeddings", embeddings.create, needs=("model", "input")),
    Route("POST", "/v1/moderations", moderations.create, needs=("input",)),
    Route("GET", "/v1/models", models.listing),
    Route("GET", "/v1/models/{name}", models.retrieve),
    Route("POST", "/v1/files", files.create),
    Route("GET", "/v1/files", files.listing),
    Route("GET", "/v1/files/{name}/content", files.content),
    Route("GET", "/v1/files/{name}", files.retrieve),
    Route("DELETE", "/v1/files/{name}", files.delete),
    Route("POST", "/v1/images/generations", images.create, needs=("prompt",)),
    Route("POST", "/v1/audio/speech", audio.speech, needs=("input",)),
    Route("POST", "/v1/audio/transcriptions", audio.transcription),
)


def refuse(ask: Ask, refused: Refused) -> Answer:
    """Put a refusal in OpenAI's words."""
    message, code = refused.message, None
    if refused.param is not None:
        message, code = message or f"Missing required parameter: '{refused.param}'.", "missing_required_parameter"
    elif message is None:
        message = f"Invalid URL ({ask.received.method} {ask.received.path})"
    kind = "invalid_request_error"
    return reply(ask, error(refused.status, message=message, code=code, kind=kind, param=refused.param), refused.status)
