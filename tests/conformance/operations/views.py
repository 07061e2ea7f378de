"""Every way to make a call, from one description of it."""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest

from tests.conformance.callers import Scenario, each, entered, settled
from tests.conformance.operations.shown import about, body, shown
from tests.conformance.operations.table import SDK, enter, has
from tests.conformance.versions import skip_as_it_lacks

Description: TypeAlias = Callable[[Any], Awaitable["Asked"]]


@dataclass(frozen=True)
class Asked:
    """One call: a method by its path from the client, and what it is given."""

    method: str
    args: tuple[Any, ...]
    options: dict[str, Any]

    def __call__(self, client: Any, through: str = "", **more: Any) -> Any:
        """Make the call, directly or `through` a view of its resource."""
        *resource, name = self.method.split(".")
        path = ".".join([*resource, through, name] if through else [*resource, name])
        if not has(client, path):
            skip_as_it_lacks(client, path)
        return operator.attrgetter(path)(client)(*self.args, **self.options, **more)


def asked(method: str, *args: Any, **options: Any) -> Asked:
    """Describe a call."""
    return Asked(method, args, options)


def viewed(
    sdk: SDK, *marks: pytest.MarkDecorator, streams: bool = False, pages: bool = False, variant: bool = False
) -> Callable[[Description], Description]:
    """Enter the call that a function describes in every way it can be made.

    The function may prepare what the call needs. `streams` is for a call that takes `stream=True`, `pages` for a list.
    A `variant` of a call that is entered elsewhere is made plainly, and as a stream, but not looked at raw again.
    """

    def enter_it(describe: Description) -> Description:
        views = {**_ALWAYS, **(_STREAMED if streams else {}), **(_PAGED if pages else {})}
        for name, view in views.items():
            if variant and name not in ("plain", "stream"):
                continue
            enter(sdk, f"{getattr(describe, '__name__', '')}-{name}", _scenario(describe, view), marks)
        return describe

    return enter_it


def _scenario(describe: Description, view: Callable[[Any, Asked], Awaitable[Any]]) -> Scenario:
    async def scenario(client: Any) -> Any:
        return await view(client, await describe(client))

    return scenario


async def _plain(client: Any, call: Asked) -> Any:
    return await shown(await settled(call(client)))


async def _raw(client: Any, call: Asked) -> Any:
    raw = await settled(call(client, "with_raw_response"))
    return [about(raw), await body(raw)]


async def _streaming(client: Any, call: Asked) -> Any:
    async with entered(call(client, "with_streaming_response")) as response:
        unread = about(response)
        data = await settled(response.read())
        lines = await each(response.iter_lines())
        return [unread, data, lines, await body(response), about(response)["closed"]]


async def _stream(client: Any, call: Asked) -> Any:
    return await shown(await settled(call(client, stream=True)))


async def _raw_stream(client: Any, call: Asked) -> Any:
    raw = await settled(call(client, "with_raw_response", stream=True))
    unread = about(raw)
    return [unread, await shown(await settled(raw.parse())), about(raw)["closed"]]


async def _streaming_stream(client: Any, call: Asked) -> Any:
    async with entered(call(client, "with_streaming_response", stream=True)) as response:
        return [about(response), await shown(await settled(response.parse()))]


async def _streaming_lines(client: Any, call: Asked) -> Any:
    async with entered(call(client, "with_streaming_response", stream=True)) as response:
        return [about(response), await each(response.iter_lines())]


async def _every_page(client: Any, call: Asked) -> Any:
    every = await each(call(client))
    page = await settled(call(client))
    pages = await each(page.iter_pages())
    turned = [page]
    while page.has_next_page():
        page = await settled(page.get_next_page())
        turned.append(page)
    assert len(turned) == len(pages) > 1
    return [every, pages, turned]


_ALWAYS = {"plain": _plain, "raw": _raw, "streaming": _streaming}
_STREAMED = {
    "stream": _stream,
    "raw-stream": _raw_stream,
    "streaming-stream": _streaming_stream,
    "streaming-lines": _streaming_lines,
}
_PAGED = {"every-page": _every_page}
