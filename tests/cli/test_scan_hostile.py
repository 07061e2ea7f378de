"""A file that means harm is data: nothing of it is run or imported, and no bomb goes off."""

from __future__ import annotations

import base64
import gzip
import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .planting import key

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MEMORY = 700 * 1024 * 1024
resource = pytest.importorskip("resource", reason="nothing bounds memory here")
OPENED = 'import os; open("run", "w").close()'


class _Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (OPENED,)


def _aliases() -> bytes:
    levels = [b"a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [b"a%d: &a%d [" % (at, at) + b", ".join([b"*a%d" % (at - 1)] * 10) + b"]" for at in range(1, 10)]
    return b"\n".join(levels)


def _nested(times: int, content: bytes) -> bytes:
    for _ in range(times):
        content = gzip.compress(content)
    return content


HARMS: dict[str, Callable[[], bytes]] = {
    "apply.yaml": lambda: (
        b"a: !!python/object/apply:os.system ['touch run']\nb: !!python/object/apply:os.mkdir [run]\n"
    ),
    "new.yaml": lambda: b"a: !!python/object/new:subprocess.Popen [[touch, run]]\nb: !!python/module:antigravity\n",
    "istr.yaml": lambda: (
        b"interactions:\n- request:\n    headers:\n      ? !!python/object/apply:multidict._multidict.istr\n"
        b"        [accept]\n      : [x]\n    body: !!python/object/new:os.system [touch run]\n"
    ),
    "frames.yaml": lambda: b"interactions:\n- {kind: message, direction: in, data: '{}'}\nversion: 1\n",
    "aliases.yaml": _aliases,
    "cycle.yaml": lambda: b"a: &a\n  b: *a\n  <<: *a\n",
    "merges.yaml": lambda: b"a: &a {x: 1}\n" + b"b: {<<: [" + b"*a," * 20_000 + b"]}\n",
    "deep.yaml": lambda: b"[" * 50_000,
    "deep-block.yaml": lambda: b"- " * 50_000,
    "deep.json": lambda: b"[" * 50_000 + b"]" * 50_000,
    "deep-objects.har": lambda: b'{"a":' * 900 + b"1" + b"}" * 900,
    "keys.yaml": lambda: b"".join(b"a: %d\n" % at for at in range(20_000)),
    "binary.yaml": lambda: b"a: !!binary " + base64.b64encode(bytes(12 << 20)) + b"\n",
    "bomb.yaml": lambda: b"a: !!binary " + base64.b64encode(gzip.compress(bytes(400 << 20), 1)) + b"\n",
    "bomb.gz": lambda: gzip.compress(bytes(400 << 20), 1),
    "nested.gz": lambda: _nested(4, bytes(100 << 20)),
    "broken.gz": lambda: gzip.compress(b"words " * 5000)[:60] + b"\0" * 100,
    "pickle.pkl": lambda: pickle.dumps(_Runs()),
    "pickle.yaml": lambda: b"a: !!binary " + base64.b64encode(pickle.dumps(_Runs())) + b"\n",
    "numbers.json": lambda: b'{"a": ' + b"9" * 10_000 + b', "b": 1e999, "c": NaN}',
    "invalid.jsonl": lambda: (
        b'{"a": "\xff\xfe"}\n{"a": "\\ud800"}\n\0\0\0\n{"request_hash": 1, "adapter": [], "events": 5}\n'
    ),
    "rows.jsonl": lambda: (
        b'{"request_hash": null, "adapter": "openai", "request": [], "headers": 7, "events": [1, {"data":'
        b' {"choices": [{"delta": {"tool_calls": [null, {"function": 3}]}}]}}]}\n'
    ),
}


def scanned(folder: Path) -> tuple[str, int]:
    """Scan a folder in a process of bounded memory; one that would take hours is stopped."""
    limits = (MEMORY, MEMORY)
    done = subprocess.run(
        [sys.executable, "-m", "intercept", "scan", "."],
        cwd=folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits),
    )
    return done.stdout + done.stderr, done.returncode


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded so there")
@pytest.mark.parametrize("name", HARMS)
@pytest.mark.slow
def test_harm_is_data(tmp_path: Path, name: str) -> None:
    """Scanned in little memory, with a secret beside it found, and nothing run."""
    (tmp_path / name).write_bytes(HARMS[name]())
    (tmp_path / "y.txt").write_text(key(), encoding="utf-8")

    said, code = scanned(tmp_path)

    assert said.splitlines()[-1].startswith("1 finding in 2 files"), said
    assert code == 1
    assert not (tmp_path / "run").exists()


def test_many_small_harms_at_once(tmp_path: Path) -> None:
    """All but the large ones, in one go."""
    small = [name for name in HARMS if not name.startswith(("bomb", "nested", "binary", "keys"))]
    for name in small:
        (tmp_path / name).write_bytes(HARMS[name]())

    said, code = scanned(tmp_path)

    assert said.startswith(f"0 findings in {len(small)} files"), said
    assert code == 0
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:os.system", "!!python/name:os.system", "!unheard-of", "!!binary"]
)
def test_a_secret_under_a_tag_is_found(tmp_path: Path, tag: str) -> None:
    """A tag hides nothing."""
    from intercept.scan import Scanner

    (found,) = Scanner(()).found(tmp_path / "x.yaml", f"a: {tag} '{key()}'\n".encode())

    assert found.label == "openai-key"
