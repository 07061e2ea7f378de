"""How `record` and `update` end, in a file and in a folder: what is a clean end, and what is left behind else."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.either_layout import everything, exchanges, partial_of, play
from tests.core.recording import SYNC, asking

pytestmark = pytest.mark.usefixtures("a_program")

both_modes = pytest.mark.parametrize("mode", ["record", "update"])


def _end(place: str, mode: str, url: str, error: BaseException, *texts: str, keep_on_error: bool = False) -> None:
    """Ask something over a cassette of one row, and leave by this error."""

    def ended() -> None:
        with intercept.use_cassette(place, mode=mode, keep_on_error=keep_on_error):
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
    error: BaseException, mode: str, provider: Provider, place: str
) -> None:
    """A program may end itself; a generator may be closed."""
    play(place, "record", provider.url, "a")

    _end(place, mode, provider.url, error, "b")

    assert [text for text, _, _ in exchanges(place)] == (["b"] if mode == "record" else ["a", "b"])
    assert not partial_of(place).exists()


@both_modes
@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(1)], ids=repr)
@pytest.mark.parametrize("keep", [False, True], ids=["left behind", "kept"])
def test_a_failure_leaves_the_rows_behind_unless_they_are_to_be_kept(
    error: BaseException, mode: str, provider: Provider, place: str, *, keep: bool
) -> None:
    """With `keep_on_error` they take their place as at a clean end."""
    play(place, "record", provider.url, "a")
    before = everything(place)

    _end(place, mode, provider.url, error, "b", keep_on_error=keep)

    partial = partial_of(place)
    if keep:
        assert [text for text, _, _ in exchanges(place)] == (["b"] if mode == "record" else ["a", "b"])
        assert not partial.exists()
    else:
        assert everything(place) == {**before, str(partial.relative_to(Path(place).parent)): partial.read_bytes()}


@both_modes
@pytest.mark.parametrize("existed", [False, True])
def test_without_a_call_nothing_is_made_or_changed(mode: str, provider: Provider, place: str, *, existed: bool) -> None:
    """A clean end warns; a failure has nothing to leave behind."""
    if existed:
        play(place, "record", provider.url, "a")
    before = everything(place) if existed else {}

    with pytest.warns(intercept.InterceptWarning, match="no SDK call was seen"):
        play(place, mode, provider.url)
    _end(place, mode, provider.url, ValueError("no"))

    assert Path(place).exists() == existed
    assert everything(place) == before if existed else not Path(place).parent.exists()
