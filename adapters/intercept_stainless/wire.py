"""The way of a marked request at `send`: described, decided, then answered here or sent and recorded.

A request without a mark passes untouched. Sync and async differ by their awaits alone; `_Attempt` holds the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Any, Final

from intercept.spi import ConfigError, Halt, InterceptError, Recording, Reply
from intercept_stainless.describe import describe, secrets_of
from intercept_stainless.http_library import library_of
from intercept_stainless.identity import MARK, Mark, clean, in_request, let_out, refuse_uncovered
from intercept_stainless.replies import stand_in
from intercept_stainless.tee import at_hand, failure_of, keep, tee
from intercept_stainless.uploads import copied, unread

# The key, in a request's `extensions`, of the client that answers it: no other may send it meanwhile.
_ANSWERED: Final = "intercept.answered"
# What both SDKs try again by themselves (`_should_retry` in their `_base_client.py`).
_TRIED_AGAIN: Final = (408, 409, 429)
_TRIED_AGAIN_FROM: Final = 500


def wrap_send(wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `Client.send`."""
    attempt = _attempt(client, args, kwargs)
    if attempt is None:
        return wrapped(*args, **kwargs)
    with attempt.under_way():
        if not attempt.passes_unread:
            attempt.decide(attempt.request.read())
        if attempt.reply is not None:
            return attempt.answer(wrapped)(*args, **attempt.without_auth(kwargs))
        with attempt.sending():
            response = wrapped(*args, **kwargs)
        if attempt.left_unread(response):
            attempt.copy.draw()
        attempt.record(response)
        return response


def wrap_async_send(wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `AsyncClient.send`, likewise."""
    attempt = _attempt(client, args, kwargs)
    return wrapped(*args, **kwargs) if attempt is None else _async_send(attempt, wrapped, args, kwargs)


async def _async_send(
    attempt: _Attempt, wrapped: Callable[..., Coroutine[Any, Any, Any]], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    with attempt.under_way():
        if not attempt.passes_unread:
            # A body that is here is read without giving way to other tasks: calls are numbered as they arrive.
            attempt.decide(await attempt.request.aread())
        if attempt.reply is not None:
            return await attempt.answer(wrapped)(*args, **attempt.without_auth(kwargs))
        with attempt.sending():
            response = await wrapped(*args, **kwargs)
        if attempt.left_unread(response):
            await attempt.copy.adraw()
        attempt.record(response)
        return response


def wrap_transport(wrapped: Callable[..., Any], _transport: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `HTTPTransport.handle_request` and its asynchronous twin: nothing marked may get here past `send`.

    A client whose own `send` does not call that of its base class would send what we know nothing of.
    """
    request = args[0] if args else kwargs["request"]
    mark: Mark | None = request.extensions.get(MARK)
    if mark is not None and not mark.session.ended:
        refuse_uncovered(
            mark.session, mark.provider, "a request through a `send` that does not call the HTTP library's"
        )
    return wrapped(*args, **kwargs)


def _attempt(client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Attempt | None:
    request = args[0] if args else kwargs["request"]
    if request.extensions.get(_ANSWERED, client) is not client:
        error = ConfigError(
            "A hook sends a request again while it is answered from a cassette, which knows of no such sending.\n\n"
            "  Send again from where the SDK is called, or from the client's `send`: that is recorded."
        )
        raise let_out(error)
    mark: Mark | None = request.extensions.get(MARK)
    if mark is None:
        return None
    library = library_of(request)
    if client.is_closed or not _fits(library, client, request):  # the library says so itself
        return None
    return _Attempt(library, client, mark, request)


def _fits(library: Any, client: Any, request: Any) -> bool:
    """Whether the body can be read the way in which the client sends."""
    kind = library.AsyncByteStream if isinstance(client, library.AsyncClient) else library.SyncByteStream
    return isinstance(request.stream, kind)


class _Attempt:
    """One send of one marked request: an exchange, unless it fails on the way."""

    def __init__(self, library: Any, client: Any, mark: Mark, request: Any) -> None:
        self.http_library = library
        self.client = client
        self.mark = mark
        self.request = request
        self.passes_unread = not mark.session.offline and unread(self.http_library, request)
        self.reply: Reply | None = None
        self.recording: Recording | None = None
        self.copy: Any = None

    @contextmanager
    def under_way(self) -> Generator[None, None, None]:
        """Hide the mark: what sends this request further down is no new attempt. Let our own errors out unwrapped."""
        del self.request.extensions[MARK]
        try:
            if self.mark.session.ended:
                raise ConfigError("This request was built under a session that is over; send it inside its session.")
            yield
        except Halt as halt:
            if in_request():
                raise
            raise clean(halt.error) from None
        except InterceptError as error:
            raise let_out(error) from None
        finally:
            self.request.extensions.pop(_ANSWERED, None)
            # An authentication retry sends the same request again: that is one more attempt.
            self.request.extensions[MARK] = self.mark

    def decide(self, content: bytes) -> None:
        call = describe(self.mark, self.request, content)
        outcome = self.mark.session.decide(call, secrets_of(self.mark, self.request))
        if isinstance(outcome, Reply):
            self.reply = outcome
        else:
            self.recording = outcome

    def left_unread(self, response: Any) -> bool:
        """Whether the answer came before a body that can be read only once had passed, and nobody will send it again.

        Where the SDK may try again, the rest is left to that: this attempt gets no row.
        """
        copy, status = self.copy, response.status_code
        again = status in _TRIED_AGAIN or status >= _TRIED_AGAIN_FROM or "x-should-retry" in response.headers
        return copy is not None and not (copy.passed or copy.repeatable or again)

    def decide_late(self) -> None:
        """Decide on an upload, whose body was not to be touched before it was sent.

        Any other is decided already, and may have got its credentials since, from an authentication flow or a hook.
        """
        content = None if self.copy is None else self.copy.whole()
        if content is not None:
            self.decide(content)
        elif self.recording is not None:
            self.recording.learn(secrets_of(self.mark, self.request))

    def answer(self, wrapped: Callable[..., Any]) -> Callable[..., Any]:
        """Return the `send` of a client that gives the reply; below our wrapper, so nobody's runs twice."""
        assert self.reply is not None
        other = self.request.extensions[_ANSWERED] = stand_in(self.http_library, self.client, self.reply)
        below = getattr(wrapped, "__func__", None)
        return other.send if below is None else below.__get__(other)  # type: ignore[no-any-return]

    @staticmethod
    def without_auth(kwargs: dict[str, Any]) -> dict[str, Any]:
        return {**kwargs, "auth": None}

    @contextmanager
    def sending(self) -> Generator[None, None, None]:
        if self.passes_unread:
            self.copy = copied(self.http_library, self.request)
        try:
            yield
        except (self.http_library.TransportError, self.http_library.HTTPStatusError) as error:
            self.fail(error)
            raise
        except BaseException:
            if self.recording is not None:
                self.recording.drop()
            raise
        finally:
            # A transport or a hook that reads the whole body puts a stream of its own in the place of ours.
            if self.copy is not None and self.request.stream is self.copy:
                self.request.stream = self.copy.inner

    def fail(self, error: Exception) -> None:
        """Record how it ended without an answer for the SDK: broken off, or refused by a hook that raises."""
        self.decide_late()
        if self.recording is None:
            return
        response = getattr(error, "response", None)
        if response is None:  # a timeout, a broken connection
            self.recording.finish(Reply(None, (), (), "truncated", failure_of(self.http_library, error)))
        elif response.request is self.request:  # a hook did not take it
            keep(self.http_library, response, at_hand(self.http_library, response), self.recording, self.mark.session)
        else:  # of a request that the hook made itself
            self.recording.drop()

    def record(self, response: Any) -> None:
        self.decide_late()
        if self.recording is not None:
            tee(self.http_library, response, self.recording, self.mark.session)
