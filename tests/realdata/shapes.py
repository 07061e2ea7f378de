"""The shapes in which HTTP interactions were written down, each read into recordings.

- vcrpy: `interactions`, of `request` and `response`, bodies as text or `!!binary` gzip.
- vcrpy with pydantic-ai's serializer: `parsed_body` in place of `body`, on either side.
- vcrpy's former httpx stub: `response` of `status_code` and `content`.
- Ruby's VCR: `http_interactions`, bodies as `{encoding, string}`, methods in lower case.
- The Anthropic SDK's own snapshots: a bare list, `url` for `uri`, bodies as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from .recording import Recording
from .wire import compact, content_type, decoded, path_of, provider_of, unframed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .plain_yaml import Tree

_WRAPPER = {"string", "encoding"}


def interactions(file: str, document: Any) -> Iterator[Recording]:
    """Each interaction of one parsed file, in order.

    Raises:
        ValueError: this file is in none of the shapes, and it is said where.

    """
    for index, item in enumerate(_listed(file, document)):
        yield _read(file, index, item)


def _listed(file: str, document: Any) -> list[Tree]:
    wrapped = cast("Tree", document) if isinstance(document, dict) else {"interactions": document}
    listed = wrapped.get("interactions", wrapped.get("http_interactions"))
    if not isinstance(listed, list):
        message = f"{file}: no list of interactions"
        raise ValueError(message)  # noqa: TRY004 - of the file's content, as every other refusal here
    return cast("list[Tree]", listed)


def _read(file: str, index: int, item: Tree) -> Recording:
    try:
        return _recording(file, index, item["request"], item["response"])
    except (KeyError, TypeError) as error:
        message = f"{file}: interaction {index} is in no known shape: {error!r}"
        raise ValueError(message) from error


def _recording(file: str, index: int, request: Tree, response: Tree) -> Recording:
    url = request["uri"] if "uri" in request else request["url"]
    sent, _ = _body(request)
    received, exact = _body(response)
    status = response["status_code"] if "status_code" in response else response["status"]["code"]
    return Recording(
        file=file,
        index=index,
        provider=provider_of(url),
        method=request["method"].upper(),
        url=url,
        path=path_of(url),
        request=sent,
        request_type=content_type(request.get("headers")),
        status=int(status),
        headers=unframed(response.get("headers")),
        body=received,
        exact=exact,
    )


def _body(side: Tree) -> tuple[bytes, bool]:
    """The bytes of one side, and whether they are the very bytes of the wire."""
    if "parsed_body" in side:
        return compact(side["parsed_body"]), False
    body: Any = side["content"] if "content" in side else side.get("body")
    if isinstance(body, dict) and "string" in (wrapper := cast("Tree", body)) and wrapper.keys() <= _WRAPPER:
        body = wrapper["string"]
    if isinstance(body, (dict, list)):
        # Kept as values: spacing, key order and escapes of the wire are gone.
        return compact(cast("object", body)), False
    return decoded(body), True
