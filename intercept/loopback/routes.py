"""From a request to its endpoint; what no endpoint takes gets the provider's own error."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from intercept.loopback.anthropic import endpoints as anthropic
from intercept.loopback.ask import Ask
from intercept.loopback.openai import endpoints as openai
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intercept.loopback.answer import Answer
    from intercept.loopback.jsontypes import JSONObject
    from intercept.loopback.received import Received
    from intercept.loopback.route import Route
    from intercept.loopback.shelf import Shelf
    from intercept.loopback.upload import Upload

# Azure puts the same endpoints below /openai, with or without a deployment, and below /openai/v1.
_AZURE = re.compile(r"/openai(?:/deployments/(?P<name>[^/]+)|/v1)?(?P<rest>/.+)")


def respond(received: Received, turn: int, shelf: Shelf, upload: Upload | None) -> Answer:
    """Return the default answer to a request."""
    azure = _AZURE.fullmatch(received.path)
    path = received.path if azure is None else "/v1" + azure["rest"]
    deployment = "" if azure is None else azure["name"] or ""
    routes = anthropic.ROUTES if received.to_anthropic else openai.ROUTES
    refuse = anthropic.refuse if received.to_anthropic else openai.refuse
    try:
        route, names = _find(routes, received.method, path)
        body = _json(received, upload)
        ask = Ask(
            received, turn, shelf, body, upload, names or ((deployment,) if deployment else ()), azure is not None
        )
        route.check(ask)
        return route.endpoint(ask)
    except Refused as refused:
        return refuse(Ask(received, turn, shelf), refused)


def _find(routes: Sequence[Route], method: str, path: str) -> tuple[Route, tuple[str, ...]]:
    for route in routes:
        names = route.match(method, path)
        if names is not None:
            return route, names
    if any(route.match(route.method, path) is not None for route in routes):
        raise Refused(405, f"Not allowed to {method} on {path}.")
    raise Refused(404)


def _json(received: Received, upload: Upload | None) -> JSONObject:
    if upload is not None or not received.body:
        return {}
    try:
        body: Any = json.loads(received.body)
    except ValueError as error:
        message = f"The request body is not valid JSON: {error}"
        raise Refused(400, message) from error
    if not isinstance(body, dict):
        message = "The request body is not a JSON object."
        raise Refused(400, message)
    return cast("JSONObject", body)
