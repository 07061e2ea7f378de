"""The client's end of one connection, as the server sees it: written to, dropped, or gone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from starlette.types import Receive, Scope, Send

    from intercept.loopback.answer import Answer
    from intercept.loopback.gate import Gate


class Gone(Exception):
    """The client left before its answer was complete."""


class Client:
    """Sends one answer to one client."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one request's ASGI triple."""
        self._transport: asyncio.Transport = scope["state"]["transport"]
        self._receive = receive
        self._send = send

    async def stays_for(self, wait: Coroutine[object, object, None]) -> None:
        """Wait; raises ``Gone`` when the client leaves first, as nothing else would ever end the wait then."""
        waiting = asyncio.ensure_future(wait)
        leaving = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                raise Gone
        finally:
            waiting.cancel()
            leaving.cancel()

    async def send(self, answer: Answer, gate: Gate | None) -> None:
        """Send the answer, one write per chunk, each through the gate if there is one."""
        if answer.delay:
            await self.stays_for(asyncio.sleep(answer.delay))
        if answer.cut_after is not None and answer.cut_after < 0:
            await self._drop()
            return
        await self._send({"type": "http.response.start", "status": answer.status, "headers": answer.head()})
        if answer.chunks is None:
            await self._write(answer.payload()[: answer.cut_after])
        else:
            await self._stream(answer.chunks[: answer.cut_after], gate)
        if answer.cut_after is not None:
            await self._drop()
            return
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _stream(self, chunks: tuple[bytes, ...], gate: Gate | None) -> None:
        for chunk in chunks:
            if gate is not None:
                await self.stays_for(gate.queue().wait())
                gate.count()
            await self._write(chunk)

    async def _write(self, data: bytes) -> None:
        if data:  # an empty chunk would end a chunked body
            await self._send({"type": "http.response.body", "body": data, "more_body": True})
        await asyncio.sleep(0)

    async def _drop(self) -> None:
        self._transport.close()  # flushes what was written, then ends the connection inside the body
        await self._receive()  # returns once it is closed; before that the server would take us for broken
