"""What JSON allows and a row must not hold: refused when the cassette is opened, or when the row is served."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import intercept
from intercept.cassette.replayer import Replayer
from intercept.errors import CassetteError
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS
from tests.core.handmade import laid_out
from tests.core.json_values import nested_text
from tests.core.recording import asking
from tests.core.storing import call_of, every_layout, key_of, opened, written

_DEEP = nested_text(100_000)
_LONG = b"1" * 5_000
_ODD: dict[str, bytes] = {
    "NaN": b"NaN",
    "Infinity": b"Infinity",
    "-Infinity": b"-Infinity",
    "nesting of 100,000": _DEEP,
    "objects of 100,000": nested_text(100_000, objects=True),
    "a lone surrogate": b'"\\ud83d"',
    "a lone surrogate as a name": b'{"\\ude00":1}',
    "two values": b"1 2",
    "a control character": b'"\x01"',
    "NUL bytes": bytes(64),
    "invalid UTF-8": b'"\xff"',
    "an integer of 5,000 digits": _LONG,
    "a number past the largest": b"1e999",
    "a name that stands twice": b'{"a":1,"a":1}',
    "a name that stands twice, deep inside": b'[[{"b":[{"a":1,"\\u0061":2}]}]]',
}
_LAST = written("last", "served")
_TEXT = b'{"text":"odd"}'


def _in_request(value: bytes) -> bytes:
    return written("odd", "odd").replace(b'{"input":"odd"}', b'{"input":' + value + b"}")


def _in_events(value: bytes) -> bytes:
    return written("odd", "odd").replace(_TEXT, b'{"json":' + value + b"}")


def _served(path: Path, text: str) -> bytes:
    with opened(path) as (cassette, _):
        taken = Replayer(cassette).take(call_of(text), key_of(call_of(text)))
        assert taken is not None
        return b"".join(taken[0].chunks)


@every_layout
@pytest.mark.parametrize("place", [_in_request, _in_events], ids=["request", "events"])
@pytest.mark.parametrize("value", _ODD.values(), ids=_ODD.keys())
def test_what_no_row_may_hold_is_found_by_validate_and_when_it_is_served(
    value: bytes, place: Callable[[bytes], bytes], name: str, path: Path
) -> None:
    """By the place of the row; what stands beside it is served, if the cassette could be opened at all."""
    cassette = path.with_name(name)
    odd, _ = laid_out(cassette, place(value), _LAST)

    with pytest.raises(CassetteError) as caught:
        _served(cassette, "odd")
    found = intercept.validate(cassette)

    assert caught.value.where == odd
    assert [str(error) for error in found] == [str(caught.value)]
    try:
        assert _served(cassette, "last") == b"served"
    except CassetteError as error:
        assert str(error) == str(caught.value)  # noqa: PT017  it could not be opened


@every_layout
@pytest.mark.parametrize(
    "twice",
    [b'"status":500,', b'"end":"closed",', b'"mood":1,"mood":2,', b'"request":{},', b'"caps":{"a":1,"a":1},'],
    ids=repr,
)
def test_a_name_that_stands_twice_in_a_row_is_refused(twice: bytes, name: str, path: Path) -> None:
    """The first or the last, readers of JSON do not agree; so none of them is served."""
    cassette = path.with_name(name)
    text = written("odd", "odd")
    odd, _ = laid_out(cassette, b"{" + twice + text[1:].replace(b'"caps":null', b'"mood":null'), _LAST)

    with pytest.raises(CassetteError, match="stands twice") as caught:
        _served(cassette, "odd")

    assert caught.value.where == odd
    assert [str(error) for error in intercept.validate(cassette)] == [str(caught.value)]
    assert _served(cassette, "last") == b"served"


@every_layout
def test_odd_numbers_in_a_field_that_nobody_knows_yet_are_let_be(name: str, path: Path) -> None:
    """Nothing reads them."""
    cassette = path.with_name(name)
    laid_out(cassette, written("odd", "odd").replace(b'"caps":null', b'"mood":[1e999,-0,1E+2,"\\ud83d\\ude00"]'))

    assert intercept.validate(cassette) == []
    assert _served(cassette, "odd") == b"odd"


@pytest.mark.parametrize(
    "value", [_LONG, b"1e999", nested_text(900), b'"\\ud83d\\ude00"', b"-0.0"], ids=lambda value: value[:9]
)
def test_a_header_keeps_what_nobody_knows_yet(value: bytes, path: Path, provider: Provider) -> None:
    """Also when versions of SDKs join it, as they do when a recording is put in its place."""
    laid_out(path, _LAST)
    whole = path.read_bytes().replace(b'"v":1,', b'"v":1,"mood":' + value + b",", 1)
    path.write_bytes(whole.replace(b'"sdks":{"openai":"3.57.0"}', b'"sdks":{"groq":"1.0"}'))

    with intercept.use_cassette(path, mode="update"):
        CALLERS[0].run(asking("hi"), CALLERS[0].client(provider.url))

    first, old, _ = path.read_bytes().splitlines(keepends=True)
    assert b'"mood":' + value + b"," in first
    assert b'"groq":"1.0"' in first
    assert b'"openai":' in first
    assert old == _LAST
