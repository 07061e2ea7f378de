"""Whom rows are of, and what they tell of usage and models: rows that contradict each other are refused unserved."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.handmade import laid_out, row
from tests.core.recording import SYNC, asking
from tests.core.storing import every_layout

_OTHER = "1" * 64
Contradiction = tuple[dict[str, Any], str, type[intercept.InterceptError]]
"""What the second row has otherwise, a word that tells of it, and the error."""

_CONTRADICTIONS: dict[str, Contradiction] = {
    "usage in two readings": (
        {"usage_semantics": "openai-cache-additive-v9"},
        "usage_semantics",
        intercept.CassetteError,
    ),
    "usage in no reading": ({"usage_semantics": None}, "usage_semantics", intercept.CassetteError),
    "usage that cannot be true": ({"usage": {"input": 1, "cache_read": 2}}, "usage", intercept.CassetteError),
    "one request of two providers": (
        {"request_hash": "0" * 64, "occurrence": 1, "provider": "azure-openai"},
        "provider",
        intercept.CassetteError,
    ),
    "an adapter that is not installed": (
        {"adapter": "cohere"},
        '"cohere", which is not installed',
        intercept.ConfigError,
    ),
    "usage in a reading of another adapter": (
        {"adapter": "anthropic", "provider": "anthropic"},
        "usage_semantics",
        intercept.CassetteError,
    ),
}


@every_layout
@pytest.mark.parametrize("mode", ["replay", "extend"])
@pytest.mark.parametrize("contradiction", _CONTRADICTIONS.values(), ids=_CONTRADICTIONS.keys())
def test_rows_that_contradict_each_other_are_refused_before_anything_is_served(
    contradiction: Contradiction, mode: str, name: str, provider: Provider, path: Path
) -> None:
    """The session does not begin, nothing is asked, and the next one can."""
    changes, word, kind = contradiction
    cassette = path.with_name(name)
    _, second = laid_out(cassette, row("a"), row("b", **{"request_hash": _OTHER, **changes}))

    with pytest.raises(kind, match=word) as caught, intercept.use_cassette(cassette, mode=mode):
        SYNC.run(asking("hi"), SYNC.client(provider.url))

    assert str(caught.value).startswith(second) or str(cassette) in str(caught.value)
    assert provider.hits == 0
    assert intercept.current_session() is None


@every_layout
def test_rows_of_two_adapters_each_have_their_reading(name: str, path: Path) -> None:
    """Usage is summed by adapter, in one meaning."""
    cassette = path.with_name(name)
    theirs = {"adapter": "anthropic", "provider": "anthropic", "usage_semantics": "anthropic-cache-additive-v1"}
    laid_out(cassette, row("a"), row("b", request_hash=_OTHER, **theirs))

    with intercept.use_cassette(cassette) as session:
        assert (session.calls, session.misses) == ([], [])


def _with_caps(cassette: Path, *caps: Any, **changes: Any) -> list[str]:
    rows = [row("a", occurrence=number, caps=value, **changes) for number, value in enumerate(caps)]
    return laid_out(cassette, *rows)


@every_layout
@pytest.mark.parametrize("mode", ["replay", "extend"])
def test_what_a_model_could_do_is_warned_of_once_where_it_changes(
    mode: str, name: str, provider: Provider, path: Path
) -> None:
    """Both places are named, and the first counts, however many others differ."""
    cassette = path.with_name(name)
    values = [
        None,
        {"context_window": 1},
        {"context_window": 1, "max_output": None},
        *({"context_window": n} for n in (2, 3)),
    ]
    wheres = _with_caps(cassette, *values)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with intercept.use_cassette(cassette, mode=mode) as session:
            caps = session.caps("gpt-4o")

    (told,) = [text for text in map(str, (warning.message for warning in caught)) if "no SDK call" not in text]
    spot = "line 3" if cassette.suffix else Path(wheres[1]).name
    assert told.startswith(f"{wheres[3]}: caps: what gpt-4o can do is told otherwise than in {spot}, which counts")
    assert caps == intercept.Caps(context_window=1)


@every_layout
@pytest.mark.parametrize(
    "values",
    [
        [{"context_window": 1}, {"context_window": 1}],
        [{"context_window": 1, "tools": None}, None, {"tools": None, "context_window": 1}, {"context_window": 1}],
        [{"context_window": 1, "mood": 1}, {"context_window": 1, "mood": 2}],
    ],
)
def test_what_a_model_could_do_may_be_written_in_any_way(values: list[Any], name: str, path: Path) -> None:
    """Nobody is warned of spaces, order, nulls, or what is not known yet."""
    cassette = path.with_name(name)
    _with_caps(cassette, *values)

    with intercept.use_cassette(cassette) as session:
        assert session.caps("gpt-4o") == intercept.Caps(context_window=1)


@every_layout
def test_two_providers_of_a_model_may_differ(name: str, path: Path) -> None:
    """The same name stands for another model there."""
    cassette = path.with_name(name)
    azure = row("b", request_hash=_OTHER, provider="azure-openai", caps={"context_window": 2})
    laid_out(cassette, row("a", caps={"context_window": 1}), azure)

    with intercept.use_cassette(cassette) as session:
        assert session.caps("gpt-4o") == intercept.Caps(context_window=1)


@every_layout
def test_capabilities_that_are_none_are_refused_when_they_are_asked_for(name: str, path: Path) -> None:
    """By the place of the row, and typed; the row itself can be served."""
    cassette = path.with_name(name)
    (where,) = _with_caps(cassette, {"context_window": "large"})

    with intercept.use_cassette(cassette) as session, pytest.raises(intercept.CassetteError, match="caps") as caught:
        session.caps("gpt-4o")

    assert caught.value.where == where
