"""Properties of the store: what was written is read, the index is what a plain scan finds, and no row gets lost."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intercept.answers import Array
from intercept.cassette import format as form
from intercept.cassette.arranging import arranged
from intercept.cassette.extending import Extender
from intercept.cassette.index import Cassette, Key, Place
from intercept.spi import JSON, Call, Hop, Usage
from tests.core.handmade import ABSENT, header, laid_out, line
from tests.core.json_values import VALUES
from tests.core.storing import every_layout, key_of, layout_at, nobody_knows, rows_of, written

pytestmark = pytest.mark.slow

_TEXT = st.text(max_size=8)
_PAIRS = st.lists(st.tuples(_TEXT, _TEXT), max_size=2).map(tuple)
_CALLS = st.builds(
    Call,
    adapter=st.sampled_from(["openai", "anthropic"]),
    provider=st.sampled_from(["openai", "azure-openai"]),
    operation=_TEXT,
    method=st.sampled_from(["GET", "POST"]),
    path=_TEXT,
    query=_PAIRS,
    body=VALUES,
    model=st.none() | _TEXT,
)
_COUNTS = st.integers(0, 2**40)
_FACTS = st.fixed_dictionaries(
    {"status": st.integers(100, 599), "headers": _PAIRS, "end": st.sampled_from(["complete", "closed", "truncated"])},
    optional={
        "failure": _TEXT,
        "hops": st.lists(st.builds(Hop, st.integers(100, 599), _PAIRS), max_size=2).map(tuple),
        "usage": st.builds(Usage, input=_COUNTS, output=_COUNTS),
        "test": _TEXT,
    },
)
_EVENTS = st.lists(VALUES, max_size=4)


def _exchange(call: Call, occurrence: int, facts: dict[str, Any], events: list[JSON]) -> form.Exchange:
    array = Array()
    for event in events:
        array.add(event)
    semantics = f"{call.adapter}-v1" if "usage" in facts else None
    return form.Exchange(
        call=call,
        request_hash=key_of(call)[1],
        occurrence=occurrence,
        events=array.end(),
        usage_semantics=semantics,
        **facts,
    )


def _every(_: Key, __: Place) -> bool:
    return True


def _put(cassette: Path, rows: list[form.Exchange]) -> None:
    """Write rows by way of a partial file, as a recording does."""
    partial = cassette.with_name("partial.jsonl")
    partial.write_bytes(form.header(form.Origin({}, "x")) + b"".join(b"".join(form.row(row)) for row in rows))
    new = layout_at(partial).read()
    try:
        everything = arranged(new, None, _every, in_slots=False)
        layout_at(cassette).put(everything, form.Origin({"openai": "1", "anthropic": "2"}, "x"), None, nobody_knows)
    finally:
        new.close()


def _add(cassette: Path, rows: list[form.Exchange]) -> None:
    """Write rows one by one, as a session in the mode `extend` does."""
    extender = Extender(layout_at(cassette), origin=form.Origin({"openai": "1"}, "x"), run=None, caps=nobody_knows)
    for row in rows:
        extender.write(replace(extender.claim(key_of(row.call)), occurrence=row.occurrence), row)
    extender.close()


def _emptied(path: Path) -> None:
    for found in path.parent.iterdir():
        if found.is_dir():
            shutil.rmtree(found)
        else:
            found.unlink()


@every_layout
@pytest.mark.parametrize("write", [_put, _add], ids=["put", "added"])
@given(rows=st.lists(st.tuples(_CALLS, _FACTS, _EVENTS), min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_what_was_written_is_read(
    rows: list[tuple[Call, dict[str, Any], list[JSON]]],
    write: Callable[[Path, list[form.Exchange]], None],
    name: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Every field, whatever a call or an answer holds; in a folder the versions stand beside it."""
    cassette = tmp_path_factory.getbasetemp() / "properties" / name
    cassette.parent.mkdir(exist_ok=True)
    _emptied(cassette)
    exchanges = [_exchange(call, number, facts, events) for number, (call, facts, events) in enumerate(rows)]

    write(cassette, exchanges)
    found = layout_at(cassette).read()
    read = rows_of(found)
    found.close()

    beside = set[str]() if cassette.suffix else {"v", "hash_version", "sdks", "redaction"}
    plain = [{field: value for field, value in row.items() if field not in beside} for row in read]
    expected = [json.loads(b"".join(form.row(exchange))) for exchange in exchanges]
    if not cassette.suffix:
        expected.sort(key=lambda row: row["request_hash"])
    assert plain == expected


_KEYS: dict[str, st.SearchStrategy[str]] = {
    "adapter": st.sampled_from(["openai", "anthropic"]),
    "request_hash": st.sampled_from(["0" * 64, "1" * 64]),
}
_PLACES: dict[str, st.SearchStrategy[Any]] = {
    "occurrence": st.none() | st.integers(0, 9),
    "test": st.sampled_from(["a", "b"]),
}
_SCANNED: st.SearchStrategy[list[dict[str, Any]]] = st.lists(st.fixed_dictionaries(_KEYS, optional=_PLACES), max_size=8)


def _scanned(path: Path) -> dict[tuple[str, str], list[tuple[int, Any, Any]]] | None:
    """Read a cassette by the json module alone: the lines of each request in the order of serving; None if refused."""
    groups: dict[tuple[str, str], list[tuple[int, Any, Any]]] = defaultdict(list)
    for number, text in enumerate(path.read_bytes().splitlines(), 1):
        row = json.loads(text)
        if number > 1:
            place = number, row.get("occurrence"), row.get("test")
            groups[row["adapter"], row["request_hash"]].append(place)
    for key, group in groups.items():
        numbers = [number for _, number, _ in group]
        if None not in numbers:
            if len(set(numbers)) < len(numbers):
                return None
            groups[key] = sorted(group, key=lambda place: cast("int", place[1]))
    return groups


@given(rows=_SCANNED)
@settings(max_examples=150, deadline=None)
def test_the_index_is_what_a_plain_scan_finds(
    rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Groups, their order, numbers and tests; refused where a number is given twice."""
    path = tmp_path_factory.getbasetemp() / "scanned.jsonl"
    base = json.loads(written("hi", usage=Usage(1, 0, 0, 1, 0), usage_semantics="x"))
    path.write_bytes(header() + b"".join(line({**base, "occurrence": ABSENT, **row}) for row in rows))
    expected = _scanned(path)

    if expected is None:
        with pytest.raises(Exception, match="stands in line"):
            layout_at(path).read()
        return
    cassette = layout_at(path).read()
    groups = {
        key: [(place.number, place.occurrence, place.test) for place in group] for key, group in cassette.groups.items()
    }
    text = path.read_bytes().splitlines()
    texts = [cassette.text(place) for _, place in cassette.in_order()]
    cassette.close()

    assert groups == expected
    assert texts == text[1:]
    assert cassette.readings == {row["adapter"]: "x" for row in rows}


_OLD = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.booleans()), max_size=6)
_NEW = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 50)), max_size=6)


def _cassette(path: Path, rows: list[bytes]) -> Cassette:
    laid_out(path, *rows)
    return layout_at(path).read()


@given(old=_OLD, new=_NEW, in_slots=st.booleans(), numbered=st.booleans())
@settings(max_examples=200, deadline=None)
def test_arranging_loses_no_row_and_numbers_none_twice(
    old: list[tuple[str, int, bool]],
    new: list[tuple[str, int]],
    in_slots: bool,
    numbered: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """What is kept stays in its order, every new row is there once, and those of one request in that of the calls."""
    folder = tmp_path_factory.getbasetemp()
    unique = {(text, number): keep for text, number, keep in old}
    before = [written(text, "old", occurrence=number) for text, number in unique]
    seen: dict[str, int] = defaultdict(int)
    after: list[bytes] = []
    for text, sequence in new:
        after.append(written(text, "new", occurrence=seen[text] if numbered else None, sequence=sequence))
        seen[text] += 1
    keeps = list(unique.values())
    first, second = _cassette(folder / "old.jsonl", before), _cassette(folder / "new.jsonl", after)

    def kept(_: Key, place: Place) -> bool:
        return keeps[place.number - 2]

    rows = arranged(second, first, kept, in_slots=in_slots)
    numbers = [(row.key, row.place.occurrence if row.occurrence is None else row.occurrence) for row in rows]
    stayed = [row.place.number for row in rows if not row.new]
    came = [row.place for row in rows if row.new]
    by_key = {key: [row.place for row in rows if row.new and row.key == key] for key in second.groups}
    first.close()
    second.close()

    assert stayed == [place for place, keep in enumerate(keeps, 2) if keep]
    assert sorted(place.number for place in came) == list(range(2, 2 + len(new)))
    assert len(set(numbers)) == len(numbers)
    for places in by_key.values():
        assert places == sorted(places, key=lambda place: (place.sequence or 0, place.number))
    if not in_slots:
        assert came == sorted(came, key=lambda place: (place.sequence or 0, place.number))
        assert [row.new for row in rows] == [False] * len(stayed) + [True] * len(came)
