"""Going from method to method with one client, and noting what came of each."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.conformance.callers import KEY, Caller
from tests.conformance.surface.discovery import Method, methods
from tests.conformance.surface.driving import SOCKET, driven
from tests.conformance.surface.examples import Examples


@dataclass(frozen=True)
class Step:
    """One method called: what it gave or raised, and how many requests that took."""

    given: Any
    error: Exception | None
    requests: int

    @property
    def kind(self) -> Literal["answered", "local", "refused", "undriven"]:
        """Judge by what a live call did, never by a name."""
        if self.given == SOCKET:
            return "refused"
        if self.error is not None and not isinstance(self.error.__cause__, ImportError):  # a package of its own
            return "undriven"
        return "answered" if self.requests else "local"

    @property
    def result(self) -> Any:
        """What two calls of the same are compared by."""
        return [self.given, type(self.error), str(self.error), self.requests]


class Walk:
    """One SDK's methods, each with its made-up arguments, which are found at the first, live round."""

    def __init__(self, caller: Caller, url: str, folder: Path) -> None:
        client = caller.client(url)
        self.caller = caller
        self.methods = methods(client)
        self.steps: dict[Method, Step] = {}
        self.cassette = folder / f"{caller}.jsonl"
        self._keys = {name: KEY for name in inspect.signature(client.__class__).parameters if name.endswith("_api_key")}
        self._examples = Examples(folder)
        self._arguments: dict[Method, dict[str, Any]] = {}

    def live(self, url: str, count: Callable[[], int]) -> None:
        """Call every method with all keys; `count` tells the requests so far."""

        async def scenario(client: Any) -> None:
            for method in self.methods:
                self._arguments[method] = self._examples.arguments(method.of(client))
                step = await self._step(method, method.of(client), count)
                if step.error is not None and step.requests == 0:
                    self._arguments[method] = self._examples.arguments(method.of(client), str(step.error))
                    step = await self._step(method, method.of(client), count)
                self.steps[method] = step

        self.caller.run(scenario, self.caller.client(url, max_retries=0, **self._keys))

    def again(
        self, url: str, count: Callable[[], int], only: Iterable[Method] | None = None, view: str | None = None
    ) -> dict[Method, Step]:
        """Call the methods once more, or a view of them where they have it, without a key."""
        steps: dict[Method, Step] = {}

        async def scenario(client: Any) -> None:
            for method in self.methods if only is None else only:
                function = method.of(client, view)
                if function is not None:
                    steps[method] = await self._step(method, function, count)

        self.caller.run(scenario, self.caller.client(url, key=None))
        return steps

    def of_kind(self, kind: str) -> list[Method]:
        """Return the methods that turned out to be of a kind."""
        return [method for method, step in self.steps.items() if step.kind == kind]

    def arguments(self, method: Method) -> dict[str, Any]:
        """Return what the method is called with."""
        return {**self._arguments[method], **({"stream": True} if method.streamed else {})}

    async def _step(self, method: Method, function: Callable[..., Any], count: Callable[[], int]) -> Step:
        before = count()
        try:
            given = await asyncio.wait_for(driven(lambda: function(**self.arguments(method))), timeout=20)
        except Exception as error:  # noqa: BLE001  whatever it is, the next method is called
            return Step(None, error, count() - before)
        return Step(given, None, count() - before)


def carried(error: BaseException | None) -> Iterator[BaseException]:
    """Give an error, what caused it, and what a group of errors holds."""
    while error is not None:
        yield error
        for member in getattr(error, "exceptions", ()):
            yield from carried(member)
        error = error.__cause__
