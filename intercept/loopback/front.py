"""The ASGI application: reads a request whole, lets the test have its say, and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from starlette.requests import ClientDisconnect, Request

from intercept.loopback.client import Client, Gone
from intercept.loopback.received import Received
from intercept.loopback.routes import respond
from intercept.loopback.upload import read_upload

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from intercept.loopback.answer import Answer
    from intercept.loopback.gate import Gate
    from intercept.loopback.hold import Held
    from intercept.loopback.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Arrival:
    """What was decided the moment a request arrived."""

    turn: int
    answer: Answer | None  # None: the endpoint's own
    held: Held | None
    gate: Gate | None
    shelf: Shelf


class Desk(Protocol):
    """Where requests are noted and decided on."""

    def arrive(self, received: Received) -> Arrival:
        """Note one request and decide on it."""
        ...

    def leave(self, received: Received) -> None:
        """Note that the client of a request left before its answer was complete."""
        ...


class Front:
    """The ASGI application."""

    def __init__(self, desk: Desk) -> None:
        """Decide on requests at the given desk."""
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        client = Client(scope, receive, send)
        try:
            received = await _read(request)
        except ClientDisconnect:
            return
        try:
            arrival = self._desk.arrive(received)
            upload = await read_upload(request)
            if arrival.held is not None:
                await client.stays_for(arrival.held.latch.wait())
            answer = arrival.answer or respond(received, arrival.turn, arrival.shelf, upload)
            await client.send(answer, arrival.gate)
        except Gone:
            self._desk.leave(received)


async def _read(request: Request) -> Received:
    return Received(
        method=request.method,
        path=request.scope["path"],
        query=request.scope["query_string"].decode("latin-1"),
        headers=tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw),
        body=await request.body(),
    )
