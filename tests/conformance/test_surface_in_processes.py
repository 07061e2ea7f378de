"""The walk over every method, in a process of its own: as it is, and where the kernel has no network at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_UNSHARED = ("unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
_WALK = "tests/conformance/test_surface.py"


def _may_unshare() -> bool:
    if not (shutil.which("unshare") and shutil.which("ip")):
        return False
    return subprocess.run([*_UNSHARED, "true"], capture_output=True, check=False, timeout=20).returncode == 0


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("network", ["with a network", "without a network"])
@pytest.mark.parametrize("caller", ["openai-async", "anthropic-sync"])
def test_the_walk_holds_in_a_process_of_its_own(network: str, caller: str) -> None:
    """Recorded from a server on this machine, replayed, missed: nothing else is needed, and nothing else is asked."""
    if network == "without a network" and not _may_unshare():
        pytest.skip("this machine lets nobody leave its network namespace")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "INTERCEPT"))}
    prefix = _UNSHARED if network == "without a network" else ()
    chosen = f"({caller}) and (replays_what_was_recorded or not_recorded_misses or refused) and not view"

    ran = subprocess.run(
        [
            *prefix,
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            _WALK,
            "-k",
            chosen,
        ],
        cwd=Path(__file__).parents[2],
        env=clean,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )

    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr
    assert " passed" in ran.stdout
