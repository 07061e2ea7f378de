"""What users want hidden beside: patterns, places in JSON, and hooks of their own."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from intercept.errors import ConfigError, RedactionError
from intercept.redaction.rules import Rule

if TYPE_CHECKING:
    from intercept.redaction.redactor import Redaction
    from intercept.spi import JSON

Part: TypeAlias = Literal["request", "event", "header"]
Hook: TypeAlias = "Callable[[Any, Part], Any]"
Wish: TypeAlias = "re.Pattern[str] | re.Pattern[bytes] | Rule | str | Hook"
"""One of the values of `redact=`; a pattern of bytes is refused."""

PATTERN = "custom"
"""The label of what a user's pattern finds."""
PATH = "path"
"""The label of what stands where a user's path leads."""


class Custom:
    """The wishes of one session, in their order: hooks come first, then places, then patterns like built-in rules."""

    def __init__(self, wishes: Iterable[Wish]) -> None:
        rules: list[Rule] = []
        self._paths: list[Any] = []
        self._hooks: list[Hook] = []
        self._told: list[str] = []
        for wish in wishes:
            if isinstance(wish, re.Pattern) and isinstance(wish.pattern, str):
                rules.append(Rule(PATTERN, wish.pattern, flags=wish.flags))
                self._told.append(f"pattern {wish.flags} {wish.pattern}")
            elif isinstance(wish, Rule):
                rules.append(wish)
                self._told.append(f"rule {wish.label}")
            elif isinstance(wish, str):
                self._paths.append(_path(wish))
                self._told.append(f"path {wish}")
            elif callable(wish):
                self._hooks.append(wish)
                self._told.append(f"hook {name_of(wish)}")
            else:
                raise ConfigError(
                    f"redact= holds {type(wish).__name__} {wish!r:.60}. It takes compiled patterns, JSON paths such as "
                    '"$.user.email", and hooks `hook(value, where)`.'
                )
        self.rules = tuple(rules)

    @property
    def told(self) -> list[str]:
        """The wishes in words, to tell one set of them from another."""
        return self._told

    def __bool__(self) -> bool:
        """Whether there is anything to do beside what rules do."""
        return bool(self._hooks or self._paths)

    def applied(self, value: JSON, where: Part, redaction: Redaction, body: tuple[str, ...] = ()) -> JSON:
        """Give a part to every hook, then hide what stands where a path leads; `body` are the steps to where it starts.

        Raises `RedactionError` that names the hook that raised, or returned what JSON cannot hold.
        """
        for hook in self._hooks:
            value = _asked(hook, value, where)
        if self._paths and where != "header":
            value = copy.deepcopy(value)
            top: Any = value
            for step in body:
                top = cast("dict[str, Any]", top).get(step)
            if isinstance(top, (dict, list)):
                for path in self._paths:
                    _hide(path, top, redaction)
        return value


def _asked(hook: Hook, value: JSON, where: Part) -> JSON:
    try:
        answer = hook(copy.deepcopy(value), where)
    except Exception as error:  # noqa: BLE001  whatever it is; its text may quote what it was given
        raise RedactionError(name_of(hook), where, f"raised {type(error).__name__}") from None
    if answer is None and value is not None:
        raise RedactionError(name_of(hook), where, "returned None; return the value, changed or not")
    try:
        json.dumps(answer, allow_nan=False)
        kept = _plain(answer)
    except (TypeError, ValueError, RecursionError):
        kept = False
    if not kept or (where != "event" and type(answer) is not type(value)):
        raise RedactionError(name_of(hook), where, f"returned {type(answer).__name__}, which cannot be stored for it")
    return cast("JSON", answer)


def _plain(value: object) -> bool:
    """Whether a value is JSON as it is: `json` would write a tuple as a list, and numbers as names of fields."""
    if isinstance(value, dict):
        return all(isinstance(name, str) and _plain(item) for name, item in cast("dict[Any, object]", value).items())
    if isinstance(value, list):
        return all(map(_plain, cast("list[object]", value)))
    return value is None or isinstance(value, (str, int, float))


def name_of(hook: Any) -> str:
    """Name a hook to whoever wrote it."""
    name = getattr(hook, "__qualname__", None) or type(hook).__qualname__
    return f"{getattr(hook, '__module__', None) or type(hook).__module__}.{name}"


def _path(text: str) -> Any:
    import jsonpath

    try:
        return jsonpath.compile(text)
    except jsonpath.JSONPathError as error:
        raise ConfigError(
            f"redact= holds {text!r}, which is no JSON path ({str(error).splitlines()[0]}). A path starts at a JSON "
            'body, of a request, an answer or an event: "$.metadata.user_id", "$..email".'
        ) from None


def _hide(path: Any, top: Any, redaction: Redaction) -> None:
    for match in list(path.finditer(top)):
        *way, last = match.parts or (None,)
        at = top
        for step in way:
            at = at[step]
        if last is not None and not isinstance(at, str):  # a part of what was hidden before
            at[last] = redaction.hide(PATH, match.obj)
