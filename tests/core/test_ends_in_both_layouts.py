"""How `record` and `update` end, in a file and in a folder: what is a clean end, and what is left behind else."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.either_layout import everything, exchanges, partial_of, play
from tests.core.recording import SYNC, UPDATE, asking

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("a_program")]

both_modes = pytest.mark.parametrize("mode", ["record", UPDATE])


def _end(named: str, mode: str, url: str, error: BaseException, *texts: str, keep_on_error: bool = False) -> None:
    """Ask something over a cassette of one row, and leave by this error."""

    def ended() -> None:
        with intercept.use_cassette(named, mode=mode, keep_on_error=keep_on_error):
            SYNC.run(asking(*texts), SYNC.client(url))
            raise error

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(type(error)) as caught:
            ended()
    assert caught.value is error


@both_modes
@pytest.mark.parametrize("error", [SystemExit(0), SystemExit(), GeneratorExit()], ids=repr)
def test_an_exit_without_failure_puts_the_rows_in_their_place(
    error: BaseException, mode: str, provider: Provider, named: str
) -> None:
    """A program may end itself; a generator may be closed."""
    play(named, "record", provider.url, "a")

    _end(named, mode, provider.url, error, "b")

    assert [text for text, _, _ in exchanges(named)] == (["b"] if mode == "record" else ["a", "b"])
    assert not partial_of(named).exists()


@both_modes
@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(1)], ids=repr)
@pytest.mark.parametrize("keep", [False, True], ids=["left behind", "kept"])
def test_a_failure_leaves_the_rows_behind_unless_they_are_to_be_kept(
    error: BaseException, mode: str, provider: Provider, named: str, *, keep: bool
) -> None:
    """With `keep_on_error` they take their place as at a clean end."""
    play(named, "record", provider.url, "a")
    before = everything(named)

    _end(named, mode, provider.url, error, "b", keep_on_error=keep)

    partial = partial_of(named)
    if keep:
        assert [text for text, _, _ in exchanges(named)] == (["b"] if mode == "record" else ["a", "b"])
        assert not partial.exists()
    else:
        assert everything(named) == {**before, str(partial.relative_to(Path(named).parent)): partial.read_bytes()}


@both_modes
@pytest.mark.parametrize("existed", [False, True])
def test_without_a_call_nothing_is_made_or_changed(mode: str, provider: Provider, named: str, *, existed: bool) -> None:
    """A clean end warns; a failure has nothing to leave behind."""
    if existed:
        play(named, "record", provider.url, "a")
    before = everything(named) if existed else {}

    with pytest.warns(intercept.InterceptWarning, match="no SDK call was seen"):
        play(named, mode, provider.url)
    _end(named, mode, provider.url, ValueError("no"))

    assert Path(named).exists() == existed
    assert everything(named) == before if existed else not Path(named).parent.exists()
