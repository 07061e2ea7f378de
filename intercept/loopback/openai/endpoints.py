"""OpenAI's endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai import (
    assistants,
    audio,
    batches,
    chat,
    chat_stored,
    completions,
    conversations,
    embeddings,
    files,
    fine_tuning,
    images,
    models,
    moderations,
    responses,
    runs,
    threads,
    uploads,
    vector_store_batches,
    vector_store_files,
    vector_stores,
)
from intercept.loopback.openai.errors import error
from intercept.loopback.openai.replies import reply
from intercept.loopback.route import Route

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.route import Refused

_MODEL = (
    Route("POST", "/v1/chat/completions", chat.create, needs=("model", "messages")),
    Route("GET", "/v1/chat/completions", chat_stored.listing),
    Route("GET", "/v1/chat/completions/{name}", chat_stored.retrieve),
    Route("POST", "/v1/chat/completions/{name}", chat_stored.update),
    Route("DELETE", "/v1/chat/completions/{name}", chat_stored.delete),
    Route("GET", "/v1/chat/completions/{name}/messages", chat_stored.messages),
    Route("POST", "/v1/responses", responses.create, needs=("model",)),
    Route("POST", "/v1/responses/input_tokens", responses.input_tokens),
    Route("POST", "/v1/responses/{name}/cancel", responses.cancel),
    Route("GET", "/v1/responses/{name}/input_items", responses.input_items),
    Route("GET", "/v1/responses/{name}", responses.retrieve),
    Route("DELETE", "/v1/responses/{name}", responses.delete),
    Route("POST", "/v1/conversations", conversations.create),
    Route("GET", "/v1/conversations/{name}", conversations.retrieve),
    Route("POST", "/v1/conversations/{name}", conversations.update),
    Route("DELETE", "/v1/conversations/{name}", conversations.delete),
    Route("POST", "/v1/conversations/{name}/items", conversations.create_items),
    Route("GET", "/v1/conversations/{name}/items", conversations.list_items),
    Route("GET", "/v1/conversations/{name}/items/{name}", conversations.retrieve_item),
    Route("DELETE", "/v1/conversations/{name}/items/{name}", conversations.delete_item),
    Route("POST", "/v1/completions", completions.create, needs=("model",)),
    Route("POST", "/v1/embeddings", embeddings.create, needs=("model", "input")),
    Route("POST", "/v1/moderations", moderations.create, needs=("input",)),
    Route("GET", "/v1/models", models.listing),
    Route("GET", "/v1/models/{rest}", models.retrieve),
    Route("DELETE", "/v1/models/{rest}", models.delete),
    Route("POST", "/v1/images/generations", images.create, needs=("prompt",)),
    Route("POST", "/v1/images/edits", images.edit),
    Route("POST", "/v1/audio/speech", audio.speech, needs=("input",)),
    Route("POST", "/v1/audio/transcriptions", audio.transcription),
    Route("POST", "/v1/audio/translations", audio.translation),
)
_FILES = (
    Route("POST", "/v1/files", files.create),
    Route("GET", "/v1/files", files.listing),
    Route("GET", "/v1/files/{name}/content", files.content),
    Route("GET", "/v1/files/{name}", files.retrieve),
    Route("DELETE", "/v1/files/{name}", files.delete),
    Route("POST", "/v1/uploads", uploads.create, needs=("filename", "bytes", "purpose", "mime_type")),
    Route("POST", "/v1/uploads/{name}/parts", uploads.part),
    Route("POST", "/v1/uploads/{name}/complete", uploads.complete, needs=("part_ids",)),
    Route("POST", "/v1/uploads/{name}/cancel", uploads.cancel),
    Route("POST", "/v1/vector_stores", vector_stores.create),
    Route("GET", "/v1/vector_stores", vector_stores.listing),
    Route("GET", "/v1/vector_stores/{name}", vector_stores.retrieve),
    Route("POST", "/v1/vector_stores/{name}", vector_stores.update),
    Route("DELETE", "/v1/vector_stores/{name}", vector_stores.delete),
    Route("POST", "/v1/vector_stores/{name}/search", vector_stores.search, needs=("query",)),
    Route("POST", "/v1/vector_stores/{name}/files", vector_store_files.create, needs=("file_id",)),
    Route("GET", "/v1/vector_stores/{name}/files", vector_store_files.listing),
    Route("GET", "/v1/vector_stores/{name}/files/{name}", vector_store_files.retrieve),
    Route("POST", "/v1/vector_stores/{name}/files/{name}", vector_store_files.update),
    Route("DELETE", "/v1/vector_stores/{name}/files/{name}", vector_store_files.delete),
    Route("GET", "/v1/vector_stores/{name}/files/{name}/content", vector_store_files.content),
    Route("POST", "/v1/vector_stores/{name}/file_batches", vector_store_batches.create),
    Route("GET", "/v1/vector_stores/{name}/file_batches/{name}", vector_store_batches.retrieve),
    Route("POST", "/v1/vector_stores/{name}/file_batches/{name}/cancel", vector_store_batches.cancel),
    Route("GET", "/v1/vector_stores/{name}/file_batches/{name}/files", vector_store_batches.listing),
)
_JOBS = (
    Route("POST", "/v1/batches", batches.create, needs=("input_file_id", "endpoint", "completion_window")),
    Route("GET", "/v1/batches", batches.listing),
    Route("GET", "/v1/batches/{name}", batches.retrieve),
    Route("POST", "/v1/batches/{name}/cancel", batches.cancel),
    Route("POST", "/v1/fine_tuning/jobs", fine_tuning.create, needs=("model", "training_file")),
    Route("GET", "/v1/fine_tuning/jobs", fine_tuning.listing),
    Route("GET", "/v1/fine_tuning/jobs/{name}", fine_tuning.retrieve),
    Route("POST", "/v1/fine_tuning/jobs/{name}/cancel", fine_tuning.cancel),
    Route("GET", "/v1/fine_tuning/jobs/{name}/events", fine_tuning.events),
    Route("GET", "/v1/fine_tuning/jobs/{name}/checkpoints", fine_tuning.checkpoints),
)
_ASSISTANTS = (
    Route("POST", "/v1/assistants", assistants.create, needs=("model",)),
    Route("GET", "/v1/assistants", assistants.listing),
    Route("GET", "/v1/assistants/{name}", assistants.retrieve),
    Route("POST", "/v1/assistants/{name}", assistants.update),
    Route("DELETE", "/v1/assistants/{name}", assistants.delete),
    Route("POST", "/v1/threads", threads.create),
    Route("POST", "/v1/threads/runs", runs.create_with_thread, needs=("assistant_id",)),
    Route("GET", "/v1/threads/{name}", threads.retrieve),
    Route("POST", "/v1/threads/{name}", threads.update),
    Route("DELETE", "/v1/threads/{name}", threads.delete),
    Route("POST", "/v1/threads/{name}/messages", threads.create_message, needs=("role", "content")),
    Route("GET", "/v1/threads/{name}/messages", threads.list_messages),
    Route("GET", "/v1/threads/{name}/messages/{name}", threads.retrieve_message),
    Route("POST", "/v1/threads/{name}/messages/{name}", threads.update_message),
    Route("DELETE", "/v1/threads/{name}/messages/{name}", threads.delete_message),
    Route("POST", "/v1/threads/{name}/runs", runs.create, needs=("assistant_id",)),
    Route("GET", "/v1/threads/{name}/runs", runs.listing),
    Route("GET", "/v1/threads/{name}/runs/{name}", runs.retrieve),
    Route("POST", "/v1/threads/{name}/runs/{name}", runs.update),
    Route("POST", "/v1/threads/{name}/runs/{name}/cancel", runs.cancel),
    Route("POST", "/v1/threads/{name}/runs/{name}/submit_tool_outputs", runs.submit, needs=("tool_outputs",)),
    Route("GET", "/v1/threads/{name}/runs/{name}/steps", runs.list_steps),
    Route("GET", "/v1/threads/{name}/runs/{name}/steps/{name}", runs.retrieve_step),
)
ROUTES = (*_MODEL, *_FILES, *_JOBS, *_ASSISTANTS)


def refuse(ask: Ask, refused: Refused) -> Answer:
    """Put a refusal in OpenAI's words."""
    message, code = refused.message, None
    if refused.param is not None:
        message, code = message or f"Missing required parameter: '{refused.param}'.", "missing_required_parameter"
    elif message is None:
        message = f"Invalid URL ({ask.received.method} {ask.received.path})"
    kind = "invalid_request_error"
    return reply(ask, error(refused.status, message=message, code=code, kind=kind, param=refused.param), refused.status)
