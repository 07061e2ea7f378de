"""The words of misses and of failed sessions: what was asked, where, and the way out."""

from __future__ import annotations

import json
import os
import shlex
import sys
from typing import TYPE_CHECKING, Final

from intercept.differences import NOTHING
from intercept.errors import CassetteError, Exhausted, Miss, NeverRecorded, NotCovered
from intercept.redaction.placeholders import is_hidden
from intercept.runs import running_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from intercept.cassette.nearest import Nearest
    from intercept.cassette.replayer import Replayer
    from intercept.differences import Difference, Value
    from intercept.spi import Call

_EXCERPT: Final = 80
_BEFORE: Final = 24
"""Letters that are shown of what stands before the first difference of two texts."""
_MOST_LISTED: Final = 8
_ALSO: Final = 4
"""Further differences that are named."""


def no_reply(
    call: Call, request_hash: str, replayer: Replayer, mode_source: str, redacted: Callable[[str], str]
) -> Miss:
    """Make the error for a call that no row is left for; `redacted` hides what is known of this call's secrets."""
    cassette = replayer.cassette
    found: Nearest | None = None
    recorded, served = replayer.counts((call.adapter, request_hash))
    asked = f"{call.adapter} {call.operation}"
    kind: type[Miss]
    if recorded:
        kind = Exhausted
        times = "once" if recorded == 1 else f"{recorded} times"
        places = replayer.places((call.adapter, request_hash))[:5]
        spots = ", ".join(cassette.source.spot(place.number) for place in places)
        text = f"{asked} was recorded {times} in {cassette.path} ({spots}), and is asked for once more"
    else:
        kind = NeverRecorded
        found = replayer.nearest(call)
        count = len(cassette)
        rows = {0: "it has no rows", 1: "its one row is another request"}.get(count, f"its {count} rows are others")
        text = f"{asked} has no reply in {cassette.path} ({rows})"
    lines = [f"asked     {excerpt(call)}"]
    if found is not None:
        lines += _nearest(found, replayer, redacted)
    lines.append(f"mode      replay, by {mode_source}")
    told = "".join(f"\n  {line}" for line in lines)
    return kind(
        f"{text}\n{told}\n\n  Record it:  {how_to_record()}",
        adapter=call.adapter,
        operation=call.operation,
        request_hash=request_hash,
        cassette=str(cassette.path),
        recorded=recorded,
        served=served,
        nearest=None if found is None else cassette.where(found.place),
        differing=() if found is None else tuple(redacted(each.path) for each in found.differences),
    )


def _nearest(found: Nearest, replayer: Replayer, redacted: Callable[[str], str]) -> list[str]:
    """Tell of the recording that is most like what was asked: where it is, whether it was served, what differs."""
    cassette = replayer.cassette
    recorded, served = replayer.counts(found.key)
    used = f"served {served} of {recorded} times" if recorded > 1 else "served already" if served else "not served yet"
    lines = [f"nearest   {cassette.source.spot(found.place.number)}, {min(found.likeness, 0.99):.0%} alike, {used}"]
    if not found.differences:
        return lines
    first, *others = found.differences
    one, other = _side_by_side(first, redacted)
    lines += [f"differs   {redacted(first.path)}", f"            recorded  {one}", f"            asked     {other}"]
    if others:
        more = f" and {len(others) - _ALSO} more" if len(others) > _ALSO else ""
        lines.append(f"also      {', '.join(redacted(each.path) for each in others[:_ALSO])}{more}")
    if any(
        is_hidden(each.recorded, each.asked)
        for each in found.differences
        if isinstance(each.recorded, str) and isinstance(each.asked, str)
    ):
        lines.append("redaction the recording hides what is asked openly: `redact=` was wider when it was made")
    return lines


def _side_by_side(difference: Difference, redacted: Callable[[str], str]) -> tuple[str, str]:
    """Show two values, shortened: of two texts from a little before they part."""
    recorded, asked = difference.recorded, difference.asked
    if not (isinstance(recorded, str) and isinstance(asked, str)):
        return _shown(recorded, redacted), _shown(asked, redacted)
    one, other = redacted(recorded), redacted(asked)
    same = len(os.path.commonprefix([one, other]))  # noqa: RUF071  by characters, as wanted
    start = max(0, same - _BEFORE)
    if start:
        start = one.find(" ", start, same) + 1 or start  # no word is cut
    before = "..." if start else ""
    return f"{before}{_cut(repr(one[start:]))}", f"{before}{_cut(repr(other[start:]))}"


def _shown(value: Value, redacted: Callable[[str], str]) -> str:
    if value is NOTHING:
        return "nothing, it is left out"
    if isinstance(value, str):
        return _cut(repr(redacted(value)))
    return _cut(redacted(json.dumps(value, ensure_ascii=False)))


def _cut(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 3]}..."


def not_canonical(call: Call, cassette: str, error: Exception) -> Miss:
    """Make the error for a call whose request no cassette can hold."""
    return NeverRecorded(
        f"{call.adapter} {call.operation} sends what is not strict JSON ({error}), so it has no identity to record or "
        "replay it by.\n\n  Send plain JSON values, or leave this call to mode `off`.",
        adapter=call.adapter,
        operation=call.operation,
        request_hash="",
        cassette=cassette,
    )


def not_covered(adapter: str, way: str, cassette: str, mode_source: str) -> NotCovered:
    """Make the error for a way to the provider that cannot be replayed."""
    return NotCovered(
        f"{adapter} is about to open {way}, which intercept does not cover: nothing can be replayed, and nothing was "
        f"sent.\n\n  mode      replay, by {mode_source}\n\n"
        "  Leave this code out of the session, or run it live:  INTERCEPT_MODE=off",
        adapter=adapter,
        operation=way,
        request_hash="",
        cassette=cassette,
    )


def how_to_record() -> str:
    """Return the command that records what is missing."""
    test = running_test()
    if test:
        return f"pytest {shlex.quote(test)} --intercept=record"
    program = [*sys.argv] if sys.argv and sys.argv[0] not in ("", "-c") else ["..."]
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    if spec is not None:
        program[:1] = ["-m", spec.name.removesuffix(".__main__")]
    return f"INTERCEPT_MODE=record python {' '.join(map(shlex.quote, program))}"


def excerpt(call: Call) -> str:
    """Show the last text of a redacted request, shortened."""
    body = call.body
    if not isinstance(body, dict):
        return call.path
    for field in ("messages", "input", "prompt"):
        value = body.get(field)
        if isinstance(value, list) and value:
            last = value[-1]
            content = last.get("content") if isinstance(last, dict) else last
            return f"{field}[{len(value) - 1}] = {_cut(repr(content))}"
        if value is not None:
            return f"{field} = {_cut(repr(value))}"
    return f"model = {_cut(repr(call.model))}" if call.model else call.path


def left_over(state: str, partial: Path) -> str:
    """Say where rows wait that were recorded, and how to keep them."""
    return (
        f"{state}; what was recorded is in {partial}\n\n  Keep it:  intercept adopt {shlex.quote(os.fspath(partial))}"
    )


def not_rate_limited(path: Path, call: Call, status: int | None, count: int) -> CassetteError:
    """Make the error for a recording that was to hold nothing but refusals for their number, and holds an answer."""
    more = "" if count == 1 else f", the first of {count} such calls,"
    return CassetteError(
        str(path),
        f"expect_rate_limited: {call.adapter} {call.operation}{more} was answered with {status} rather than 429, so "
        "nothing is kept; record again while the provider limits you",
    )


def not_played(name: str, places: Sequence[str]) -> str:
    """Name the rows that nobody asked for, and what to do about them."""
    count = "a row that was" if len(places) == 1 else f"{len(places)} rows that were"
    listed = "".join(f"\n  {place}" for place in places[:_MOST_LISTED])
    more = f"\n  and {len(places) - _MOST_LISTED} more" if len(places) > _MOST_LISTED else ""
    return (
        f"{name} has {count} not asked for:\n{listed}{more}\n\n  Ask for them, or record what is asked now:  "
        f"{how_to_record()}"
    )


def not_verified(name: str, misses: Sequence[Miss], failures: Sequence[Exception], left: str = "") -> str:
    """Say why a session fails although its body did not."""
    return "\n\n".join(
        (
            f"{name} ended, but not all went well:",
            *(f"  The application went on after a miss: {type(miss).__name__}: {miss}" for miss in misses),
            *(f"  Not told to the application, or swallowed by it: {type(it).__name__}: {it}" for it in failures),
            *([f"  {left}"] if left else []),
        )
    )
