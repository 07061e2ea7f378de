"""Files that are no cassettes, or broken ones: a typed error that names the place, and not a byte changed."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import sys
import warnings
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import intercept
from intercept.cassette.reading import read
from tests.core.handmade import ABSENT, header, row, three_rows
from tests.core.json_values import nested_text

MODES: list[Literal["replay", "record"]] = ["replay", "record"]
ROW = row()
every_mode = pytest.mark.parametrize("mode", MODES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file under test lies; its folder holds nothing else."""
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "x.jsonl"


def _opened(path: Path, mode: str) -> list[str]:
    """Go through the front door and out again; return what was warned of, but for a recording without calls."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with intercept.use_cassette(path, mode=mode):
            pass
    assert {warning.category for warning in caught} <= {intercept.InterceptWarning}
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if "no SDK call was seen" not in text]


@contextmanager
def _untouched(path: Path) -> Generator[None]:
    """Fail if the file, or anything beside it, is another afterwards."""
    before = {found: found.read_bytes() for found in path.parent.iterdir() if found.is_file()}
    yield
    assert {found: found.read_bytes() for found in path.parent.iterdir() if found.is_file()} == before


def _refused(path: Path, mode: str) -> intercept.CassetteError:
    with _untouched(path), pytest.raises(intercept.CassetteError) as caught:
        _opened(path, mode)
    assert str(path) in str(caught.value)
    return caught.value


_NO_CASSETTE: dict[str, bytes] = {
    "YAML": b"interactions:\n- request:\n    method: POST\n",
    "Python": b'"""A module."""\n\nimport os\n',
    "prose": b"intercept-cassette\n",
    "JSON of something else": b'{"name":"project","version":"1.0.0"}\n',
    "JSON lines of something else": b'{"prompt":"a"}\n{"prompt":"b"}\n',
    "an indented JSON object": json.dumps(json.loads(header()), indent=2).encode(),
    "a JSON array": b"[" + header().strip() + b"]\n",
    "null": b"null\n",
    "a number": b"1\n",
    "a cassette of another tool": b'{"v":1,"kind":"rulvar-vcr","hashVersion":1}\n',
    "rows without a header": ROW,
    "a header that was cut off": header()[:30],
    "a header that was cut off, and rows": header()[:30] + b"\n" + ROW,
    "two values in the first line": header().strip() + header(),
    "NUL bytes": bytes(4096),
    "NUL bytes and lines": bytes(4095) + b"\n" + ROW,
    "invalid UTF-8": b'{"kind":"\xff","v":1,"hash_version":1}\n',
    "UTF-16": header().decode().encode("utf-16"),
    "gzip": gzip.compress(three_rows(), mtime=0),
    "100,000 brackets": nested_text(100_000),
    "an integer of 5,000 digits": b'{"kind":"intercept-cassette","v":' + b"1" * 5_000 + b',"hash_version":1}\n',
}


@every_mode
@pytest.mark.parametrize("content", _NO_CASSETTE.values(), ids=_NO_CASSETTE.keys())
def test_a_file_that_is_no_cassette_is_refused_and_stays(content: bytes, mode: str, path: Path) -> None:
    """A typing error in a path must not cost anybody a file."""
    path.write_bytes(content)

    assert _refused(path, mode).where == f"{path}:1"


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\n"], ids=["zero bytes", "a newline", "blanks"])
def test_an_empty_file_cannot_be_replayed_but_recorded_over(content: bytes, path: Path) -> None:
    """It is what `touch`, or a full disk, leaves."""
    path.write_bytes(content)

    assert "empty" in _refused(path, "replay").reason
    assert _opened(path, "record") == []


@every_mode
@pytest.mark.parametrize("content", [header(), header().strip(), b"\n\n" + header()])
def test_a_header_alone_is_an_empty_cassette(content: bytes, mode: str, path: Path) -> None:
    """With its newline or without."""
    path.write_bytes(content)

    assert _opened(path, mode) == []
    assert len(read(path)) == 0


_HEADERS: list[tuple[str, Any]] = [
    ("kind", ABSENT),
    ("kind", "intercept-cassettes"),
    ("kind", 1),
    ("kind", None),
    ("v", ABSENT),
    ("v", 0),
    ("v", 2),
    ("v", "1"),
    ("v", True),
    ("v", None),
    ("v", 1.5),
    ("v", 2**70),
    ("hash_version", ABSENT),
    ("hash_version", 0),
    ("hash_version", 2),
    ("hash_version", "1"),
    ("hash_version", True),
    ("sdks", ["openai"]),
    ("sdks", {"openai": 1}),
    ("redaction", 1),
]


def _shown(value: object) -> str:
    return "absent" if value is ABSENT else repr(value)


@every_mode
@pytest.mark.parametrize(("field", "value"), _HEADERS, ids=_shown)
def test_a_header_of_another_version_or_shape_is_refused(field: str, value: Any, mode: str, path: Path) -> None:
    """The error names the field; a newer cassette is not overwritten by an older program."""
    path.write_bytes(header(**{field: value}) + ROW)

    error = _refused(path, mode)

    assert error.where == f"{path}:1"
    assert re.search(rf"\b{field}\b", error.reason)


@pytest.mark.parametrize(("field", "value"), [("v", 2), ("v", 0), ("hash_version", 2), ("hash_version", 0)])
def test_another_version_says_which_and_what_to_do(field: str, value: int, path: Path) -> None:
    """Both numbers, and the way out."""
    path.write_bytes(header(**{field: value}))

    assert re.search(rf"version {value}\b.* version 1\b.*install a matching.*record", _refused(path, "replay").reason)


_ROWS: list[tuple[str, Any]] = [
    *((field, ABSENT) for field in ("adapter", "request_hash", "request", "status", "headers", "events", "end")),
    *((field, None) for field in ("adapter", "provider", "operation", "request_hash", "status", "headers", "end")),
    ("adapter", 5),
    ("provider", 5),
    ("operation", ["POST"]),
    ("model", 5),
    ("occurrence", -1),
    ("occurrence", 1.5),
    ("occurrence", "0"),
    ("occurrence", True),
    ("occurrence", 2**53),
    ("request_hash", 0),
    ("request_hash", "0" * 63),
    ("request_hash", "A" * 64),
    ("status", "200"),
    ("status", 99),
    ("status", 600),
    ("status", 200.5),
    ("status", True),
    ("headers", {"content-type": "application/json"}),
    ("headers", [["content-type"]]),
    ("headers", [["content-type", 1]]),
    ("headers", [["a", "b", "c"]]),
    ("headers", ["content-type"]),
    ("end", "ended"),
    ("end", 1),
    ("failure", 5),
    ("usage", 5),
    ("usage", {"input": "1"}),
    ("usage", {"input": 1.5}),
    ("usage_semantics", 5),
    ("kind", "comment"),
    ("kind", 5),
]


@every_mode
@pytest.mark.parametrize(("field", "value"), _ROWS, ids=_shown)
def test_a_row_with_a_field_amiss_is_refused(field: str, value: Any, mode: str, path: Path) -> None:
    """Whichever row it is in; the error names line and field."""
    path.write_bytes(header() + ROW + row("b", occurrence=1) + row("c", **{"occurrence": 2, field: value}))

    error = _refused(path, mode)

    assert error.where == f"{path}:4"
    assert re.search(rf"\b{field}\b", error.reason)


@pytest.mark.parametrize(
    "changes",
    [
        {"provider": ABSENT, "operation": ABSENT, "model": ABSENT, "occurrence": ABSENT},
        {"caps": ABSENT, "usage": ABSENT, "usage_semantics": ABSENT},
        {"model": None, "occurrence": None, "usage": None, "usage_semantics": None},
        {"usage": {}},
        {"kind": "exchange"},
        {"timing_ms": [1, 2], "mood": {"good": True}},
        {"usage": {"input": 1, "thinking": 5}},
        {"occurrence": 2**53 - 1},
        {"caps": {"context": 128_000}},
    ],
    ids=repr,
)
@every_mode
def test_what_need_not_be_there_or_is_not_known_yet_is_fine(changes: dict[str, Any], mode: str, path: Path) -> None:
    """Readers keep to what they know."""
    path.write_bytes(header(comment="by hand", sdks=ABSENT, redaction=ABSENT) + row(**changes))

    assert _opened(path, mode) == []
    assert len(read(path)) == 1


def _lines_served(path: Path) -> list[int]:
    (group,) = read(path).groups.values()
    return [place.line for place in group]


@pytest.mark.parametrize(
    ("occurrences", "lines"),
    [
        ([0, 1, 2], [2, 3, 4]),
        ([2, 0, 1], [3, 4, 2]),
        ([7, 3, 40], [3, 2, 4]),
        ([2**53 - 1, 0, 1], [3, 4, 2]),
        ([None, None, None], [2, 3, 4]),
        ([2, None, 0], [2, 3, 4]),
        ([1, None, 1], [2, 3, 4]),
        ([ABSENT, 1, 0], [2, 3, 4]),
    ],
)
def test_numbered_rows_are_served_by_number_and_others_as_they_stand(
    occurrences: list[Any], lines: list[int], path: Path
) -> None:
    """Gaps are no fault; where a number is missing, none of the group counts."""
    path.write_bytes(header() + b"".join(row(occurrence=number) for number in occurrences))

    assert _lines_served(path) == lines
    assert [_opened(path, mode) for mode in MODES] == [[], []]


@every_mode
def test_a_number_given_twice_is_refused(mode: str, path: Path) -> None:
    """Two recordings in one file: nobody knows which answer is meant."""
    path.write_bytes(header() + row(occurrence=1) + row(occurrence=0) + row(occurrence=1))

    error = _refused(path, mode)

    assert error.where == f"{path}:4"
    assert re.search(r"occurrence: 1 .*line 2", error.reason)


def test_a_number_given_to_two_requests_is_fine(path: Path) -> None:
    """Numbers count within one request of one adapter."""
    path.write_bytes(header() + row() + row(request_hash="1" * 64) + row(adapter="anthropic", usage=None))

    assert [_opened(path, mode) for mode in MODES] == [[], []]
    assert len(read(path)) == 3


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

    assert _opened(path, mode) == []
    assert len(read(path)) == 3


_LINES = three_rows().splitlines(keepends=True)
_BROKEN: dict[str, tuple[bytes, int, str]] = {
    "a merge conflict": (
        b"".join([*_LINES[:2], b"<<<<<<< HEAD\n", _LINES[2], b"=======\n", _LINES[3], b">>>>>>> feature\n"]),
        3,
        "merge",
    ),
    "a merge conflict in the header": (b"<<<<<<< HEAD\n" + three_rows(), 1, "merge"),
    "the end of a merge conflict": (three_rows() + b">>>>>>> feature\n", 5, "merge"),
    "the end of a merge conflict, unended": (three_rows() + b">>>>>>> feature", 5, "merge"),
    "the base of a merge conflict": (three_rows() + b"||||||| 43b01cf\n", 5, "merge"),
    "the middle of a merge conflict": (three_rows() + b"=======\r\n", 5, "merge"),
    "a second header": (three_rows() + header() + row(occurrence=5), 5, "header"),
    "a second header at the end": (three_rows() + header(), 5, "header"),
    "a second header at the end, unended": (three_rows() + header().strip(), 5, "header"),
    "a row torn in the middle": (header() + ROW[:100] + b"\n" + row(occurrence=1), 2, ""),
    "a row torn in the middle of a character": (header() + ROW[: ROW.index(b"\xc3") + 1] + b"\n" + ROW, 2, ""),
    "two rows in one line": (header() + ROW.strip() + row(occurrence=1), 2, ""),
    "a torn row with one appended to it": (header() + ROW[:100] + row(occurrence=1) + row(occurrence=2), 2, ""),
    "a torn row at the end, ended": (header() + ROW + ROW[:100] + b"\n", 3, ""),
    "NUL bytes for a row": (header() + bytes(512) + b"\n" + ROW, 2, ""),
    "invalid UTF-8 in a field": (header() + ROW.replace(b"/chat", b"/\xff", 1), 2, ""),
    "a row that is a list": (header() + b"[" + ROW.strip() + b"]\n", 2, ""),
    "a row that is null": (header() + b"null\n", 2, ""),
    "a row of an unknown kind": (header() + row(kind="note"), 2, "kind"),
    "a row of an unknown kind, unended": (header() + row(kind="note").strip(), 2, "kind"),
    "a whole row with a wrong field, unended": (header() + ROW + row(status="200").strip(), 3, "status"),
    "a lone surrogate": (header() + ROW.replace(b"gpt-4o", b"\\ud83d"), 2, ""),
    "NaN": (header() + row(usage={"input": float("nan")}), 2, ""),
    "an integer of 5,000 digits": (header() + ROW.replace(b":200,", b":" + b"2" * 5_000 + b","), 2, "status"),
}


@every_mode
@pytest.mark.parametrize(("content", "number", "word"), _BROKEN.values(), ids=_BROKEN.keys())
def test_a_broken_line_is_refused_by_its_number(content: bytes, number: int, word: str, mode: str, path: Path) -> None:
    """A complete line that is wrong is an error even at the end: only what was torn off may be left out."""
    path.write_bytes(content)

    error = _refused(path, mode)

    assert error.where == f"{path}:{number}"
    assert word in error.reason


@every_mode
@pytest.mark.parametrize("tail", [ROW[:1], ROW[:100], ROW[:-2], ROW[: ROW.index(b"\xc3") + 1], bytes(512)])
def test_a_last_line_that_was_torn_off_loses_only_itself(tail: bytes, mode: str, path: Path) -> None:
    """With a warning that names the line; a disk that lost its power leaves NUL bytes there."""
    path.write_bytes(three_rows() + tail)

    with _untouched(path):
        (warned,) = _opened(path, mode)
    with pytest.warns(intercept.InterceptWarning, match=rf"{re.escape(str(path))}:5: .*cut off"):
        cassette = read(path)

    assert warned.startswith(f"{path}:5: ")
    assert len(cassette) == 3


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
            seen = [text.partition(": ")[0] for text in _opened(path, mode)]
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
            _opened(path, mode)
        assert path.read_bytes() == bytes(content)


@pytest.fixture
def odd_file(request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Something at the path that is no ordinary file, or cannot be read."""
    if request.param == "socket":
        monkeypatch.chdir(path.parent)  # an address may have a hundred bytes
        with closing(socket.socket(socket.AF_UNIX)) as server:
            server.bind(path.name)
            yield path
    else:
        _make(request.param, path)
        yield path


def _make(kind: str, path: Path) -> None:
    if kind == "folder":
        path.mkdir()
    elif kind == "FIFO":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "dangling link":
        path.symlink_to(path.with_name("nowhere"))
    elif kind == "link to itself":
        path.symlink_to(path)
    elif kind == "forbidden file":
        if os.geteuid() == 0:
            pytest.skip("root may read every file; 'file that fails' stands in for it")
        path.write_bytes(three_rows())
        path.chmod(0)
    elif kind == "file that fails":
        if not Path("/proc/self/mem").exists():
            pytest.skip("needs Linux: /proc/self/mem is a regular file whose first byte nobody can read")
        path.symlink_to("/proc/self/mem")


@pytest.mark.skipif(sys.platform == "win32", reason="such files are made the POSIX way")
@every_mode
@pytest.mark.parametrize(
    "odd_file",
    ["folder", "FIFO", "socket", "device", "dangling link", "link to itself", "forbidden file", "file that fails"],
    indirect=True,
)
def test_what_is_no_readable_file_is_refused(odd_file: Path, mode: str) -> None:
    """At once: a FIFO would make us wait, and /dev/zero has no end. What is there stays what it is."""
    before = odd_file.lstat()

    with pytest.raises(intercept.CassetteError) as caught:
        _opened(odd_file, mode)

    assert caught.value.where == str(odd_file)
    after = odd_file.lstat()
    assert (after.st_mode, after.st_ino, after.st_size) == (before.st_mode, before.st_ino, before.st_size)


@pytest.mark.timeout(20)
@every_mode
def test_dev_zero_itself_is_refused(mode: str) -> None:
    """By its own name."""
    if not Path("/dev/zero").exists():
        pytest.skip("there is none")

    with pytest.raises(intercept.CassetteError, match="/dev/zero"):
        _opened(Path("/dev/zero"), mode)


def test_a_missing_cassette_names_the_command_that_records_it(path: Path) -> None:
    """Ready to be pasted."""
    with pytest.raises(intercept.CassetteError) as caught:
        _opened(path, "replay")

    command = "pytest tests/core/test_reading.py::test_a_missing_cassette_names_the_command_that_records_it --intercept"
    assert caught.value.where == str(path)
    assert f"Record it:  {command}=record" in str(caught.value)
    assert list(path.parent.iterdir()) == []
