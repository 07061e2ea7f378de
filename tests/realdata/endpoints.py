"""Which recordings the installed SDKs can be driven through, and which not, each with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clients import SyncClient, client_for
from .corpus import recordings
from .questions import NotInSDKError, question
from .routes import routes_for

if TYPE_CHECKING:
    from .recording import Recording

LEFT_OUT: dict[str, str] = {}
"""Recordings, by name, that no version of the SDKs can be made to ask for, each with the reason."""


def covered() -> list[Recording]:
    """Every recording that the installed SDKs can be driven through, in the order of the folder's index."""
    gone = LEFT_OUT.keys() | not_in_sdk().keys()
    return [recording for recording in recordings() if recording.name not in gone]


def not_in_sdk() -> dict[str, str]:
    """Recordings, by name, whose endpoint the installed SDKs have no method for, each with the method they lack."""
    # Clients are slow to build, and these are only looked through: nothing is sent. One a provider is enough.
    samples = {recording.provider: recording for recording in recordings()}
    clients = {provider: client_for(sample, "http://localhost") for provider, sample in samples.items()}
    lacks = {recording.name: _lack(clients[recording.provider], recording) for recording in recordings()}
    return {name: lack for name, lack in lacks.items() if lack}


def endpoint(recording: Recording) -> str:
    """The method and the template of the path: "GET /v1/files/{id}/content"."""
    templates = (route.template for route in routes_for(recording))
    return f"{recording.method} {next(templates, recording.path)}"


def _lack(client: SyncClient, recording: Recording) -> str:
    try:
        question(client, recording)
    except NotInSDKError as error:
        return str(error)
    return ""
