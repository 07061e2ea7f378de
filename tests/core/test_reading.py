"""What a reader makes of a whole file: missing, empty, saved by an editor, cut off at any byte or changed at some."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import intercept
from intercept.cassette.lines import read
from tests.core.handmade import ABSENT, header, row, three_rows
from tests.core.opening import MODES, every_mode, opened, refused


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\n"], ids=["zero bytes", "a newline", "blanks"])
def test_an_empty_file_cannot_be_replayed_but_recorded_over(content: bytes, path: Path) -> None:
    """It is what `touch`, or a full disk, leaves."""
    path.write_bytes(content)

    assert "empty" in refused(path, "replay").reason
    assert opened(path, "record") == []


@every_mode
@pytest.mark.parametrize("content", [header(), header().strip(), b"\n\n" + header()])
def test_a_header_alone_is_an_empty_cassette(content: bytes, mode: str, path: Path) -> None:
    """With its newline or without."""
    path.write_bytes(content)

    assert opened(path, mode) == []
    assert len(read(path)) == 0


_AS_EDITORS_LEAVE_IT: dict[str, bytes] = {
    "byte order mark": b"\xef\xbb\xbf" + three_rows(),
    "CRLF": three_rows().replace(b"\n", b"\r\n"),
    "byte order mark and CRLF": b"\xef\xbb\xbf" + three_rows().replace(b"\n", b"\r\n"),
    "blank lines": b"\n\n" + three_rows().replace(b"\n", b"\n \n\r\n"),
    "no newline at the end": three_rows().rstrip(b"\n"),
    "blanks at the end": three_rows() + b"\n \n\t",
    "blanks around the JSON": three_rows().replace(b"\n", b" \n ").rstrip(b" "),
}


@every_mode
@pytest.mark.parametrize("content", _AS_EDITORS_LEAVE_IT.values(), ids=_AS_EDITORS_LEAVE_IT.keys())
def test_what_editors_and_git_do_to_a_file_is_read(content: bytes, mode: str, path: Path) -> None:
    """No row is lost, nothing is warned of."""
    path.write_bytes(content)

    assert opened(path, mode) == []
    assert len(read(path)) == 3


@pytest.mark.parametrize("mode", ["replay", pytest.param("record", marks=pytest.mark.slow)])
def test_every_prefix_of_a_cassette_is_read_or_refused(mode: str, path: Path) -> None:
    """Cut at any byte: all whole rows and a warning of the torn one, or a typed error; never anything else."""
    few: dict[str, Any] = dict.fromkeys(("provider", "operation", "model", "caps", "usage", "usage_semantics"), ABSENT)
    few |= {"request": {}, "headers": [], "timing": [-1.5e-7, None, True]}
    rows = [row("é👋 \\ \n", occurrence=number, **few).replace("é".encode(), b"\\u00e9", 1) for number in range(3)]
    whole = header(sdks=ABSENT, redaction=ABSENT) + b"".join(rows)
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    wrong: list[object] = []

    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        lines = sum(length >= end for end in ends)  # with or without its newline
        torn = length not in {0, *ends, *(end + 1 for end in ends)}
        expected: object = [f"{path}:{lines + 1}"] * torn
        if lines == 0 and not (length == 0 and mode == "record"):
            expected = intercept.CassetteError
        seen: object
        try:
            seen = [text.partition(": ")[0] for text in opened(path, mode)]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert length == 0 or len(read(path)) == lines - 1
        except Exception as error:  # noqa: BLE001  whatever it is, it is compared
            seen = type(error)
        if seen != expected or path.read_bytes() != whole[:length]:
            wrong.append((length, seen, expected))

    assert wrong == []


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_file_with_any_bytes_changed_is_read_or_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Bits rot, editors slip: nothing but the one error, and no byte changed by reading."""
    content = bytearray(three_rows())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        stop = min(len(content), start + data.draw(st.integers(0, 6)))
        content[start:stop] = data.draw(st.binary(max_size=6) | st.sampled_from([b"\n", b'"', b"}", b"null", b"1e999"]))
    path = tmp_path_factory.getbasetemp() / "fuzzed.jsonl"

    for mode in MODES:
        path.write_bytes(bytes(content))
        with suppress(intercept.InterceptError):  # a name of an adapter may have changed too
            opened(path, mode)
        assert path.read_bytes() == bytes(content)


def test_a_missing_cassette_names_the_command_that_records_it(path: Path) -> None:
    """Ready to be pasted."""
    with pytest.raises(intercept.CassetteError) as caught:
        opened(path, "replay")

    command = "pytest tests/core/test_reading.py::test_a_missing_cassette_names_the_command_that_records_it --intercept"
    assert caught.value.where == str(path)
    assert f"Record it:  {command}=record" in str(caught.value)
    assert list(path.parent.iterdir()) == []
