"""The recording that is most like what was never recorded: found among many, whatever else differs more."""

from __future__ import annotations

import copy
import hashlib
import random
import re
from pathlib import Path
from typing import Any

import openai
import pytest
from hypothesis import given

import intercept
from intercept import canonical
from intercept.cassette import replayer
from intercept.cassette.layouts import layout_of
from intercept.cassette.nearest import nearest
from intercept.differences import differences, likeness
from intercept.loopback import Provider
from intercept.paths import Location
from intercept.spi import JSON, Call
from tests.conftest import Canary
from tests.core.handmade import header, row
from tests.core.json_values import VALUES
from tests.core.secrets import Maker

_WORDS = [f"{hashlib.sha256(str(number).encode()).hexdigest()[:6]}" for number in range(600)]


class _Drawn:
    """Requests that are drawn, and changed a little or much."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  the same in every run

    def text(self, least: int = 6, most: int = 60) -> str:
        blank = self.random.choice([" ", " ", " ", ""])  # some languages have none between their words
        return blank.join(self.random.choices(_WORDS, k=self.random.randint(least, most)))

    def request(self) -> dict[str, Any]:
        turns = self.random.randint(0, 4)
        messages = [
            {"role": "system", "content": "You are a helpful assistant."},
            *({"role": "user" if turn % 2 == 0 else "assistant", "content": self.text()} for turn in range(turns)),
            {"role": "user", "content": self.text()},
        ]
        return {
            "model": "gpt-4o",
            "messages": messages,
            "temperature": self.random.choice([0, 0.2, 1]),
            "tools": [self.tool() for _ in range(self.random.randint(0, 2))],
        }

    def tool(self) -> dict[str, Any]:
        parameters = {"type": "object", "properties": {self.text(1, 1): {"type": "string"}}}
        return {"type": "function", "function": {"name": self.text(1, 1), "parameters": parameters}}

    def changed(self, request: dict[str, Any], times: int) -> dict[str, Any]:
        """Change some words, each of them another one, in messages that are long enough to stay the same ones."""
        request = copy.deepcopy(request)
        last = request["messages"][-1]
        size = len(last["content"]) // 6
        at = self.random.sample(range(max(6, size // 2)), k=times)
        words = re.findall(r"\S{6}\s?", last["content"] + " ")
        for place in at:
            words[place] = f"new{self.random.randrange(100, 999)} "
        last["content"] = "".join(words).strip()
        return request


def _cassette(path: Path, requests: list[dict[str, Any]]) -> Any:
    rows = [
        row(
            request={"method": "POST", "path": "/chat/completions", "body": body},
            request_hash=hashlib.sha256(str(number).encode()).hexdigest(),
        )
        for number, body in enumerate(requests)
    ]
    path.write_bytes(header() + b"".join(rows))
    return layout_of(Location(path)).read()


def _call(body: Any) -> Call:
    return Call("openai", "openai", "POST /chat/completions", "POST", "/chat/completions", body=body)


@pytest.mark.parametrize("seed", range(200))
def test_the_nearest_is_the_one_that_was_changed_least(seed: int, tmp_path: Path) -> None:
    """Among strangers, and others that come from the same request but were changed more."""
    drawn = _Drawn(seed)
    asked = drawn.request()
    near = drawn.changed(asked, 1)
    strangers = [drawn.request() for _ in range(drawn.random.randint(1, 60))]
    relatives = [drawn.changed(asked, times) for times in (3, 4, 5)]
    requests = [near, *strangers, *relatives]
    drawn.random.shuffle(requests)
    cassette = _cassette(tmp_path / "many.jsonl", requests)

    found = nearest(cassette, _call(dict(reversed(asked.items()))))

    assert found is not None
    assert found.place.number == 2 + requests.index(near)
    assert [each.path for each in found.differences] == [f"messages[{len(asked['messages']) - 1}].content"]
    assert 0.5 < found.likeness < 1
    cassette.close()


@pytest.mark.parametrize("how", ["first", "last", "inside"])
def test_a_message_more_or_less_is_no_other_conversation(how: str, tmp_path: Path) -> None:
    """What comes after it is compared with what came after it."""
    drawn = _Drawn(7)
    asked = drawn.request()
    asked["messages"] = [{"role": "user", "content": drawn.text()} for _ in range(6)]
    shorter = copy.deepcopy(asked)
    del shorter["messages"][{"first": 0, "last": -1, "inside": 3}[how]]
    half = copy.deepcopy(asked)
    half["messages"][3:] = [{"role": "user", "content": drawn.text()} for _ in range(3)]
    cassette = _cassette(tmp_path / "three.jsonl", [half, drawn.request(), shorter])

    found = nearest(cassette, _call(asked))

    assert found is not None
    assert found.place.number == 4
    cassette.close()


def test_rows_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    """They are told of when they are served."""
    drawn = _Drawn(3)
    asked = drawn.request()
    cassette = _cassette(tmp_path / "two.jsonl", [drawn.request(), drawn.changed(asked, 1)])
    content = (tmp_path / "two.jsonl").read_bytes()
    (tmp_path / "two.jsonl").write_bytes(content.replace(b'"POST /chat', b'"POST"/chat'))

    assert nearest(cassette, _call(asked)) is None
    cassette.close()


@given(VALUES, VALUES)
def test_values_differ_somewhere_just_if_they_are_two(one: JSON, other: JSON) -> None:
    """By their canonical form, in which `1`, `1.0` and `true` are three; likeness stays between 0 and 1."""
    same = canonical.dumps(one) == canonical.dumps(other)

    assert (list(differences(one, other)) == []) == same
    assert list(differences(one, one)) == []
    assert likeness(one, one) == pytest.approx(1)
    assert 0 <= likeness(one, other) <= 1


def _missed(cassette: Path, canary: Canary, changes: dict[str, Any], **door: Any) -> intercept.NeverRecorded:
    with pytest.raises(intercept.NeverRecorded) as caught, intercept.use_cassette(cassette, **door):
        _ask(canary.url, **changes)
    return caught.value


def _ask(url: str, **changes: Any) -> Any:
    asked: dict[str, Any] = {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": "What is the weather in Paris today?"}],
    }
    with openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0) as client:
        completions: Any = client.chat.completions
        return completions.create(**{**asked, **changes})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"messages": [{"role": "user", "content": "What is the weather in Rome today?"}]},
            [
                "messages[0].content",
                "recorded  'What is the weather in Paris today?'",
                "asked     'What is the weather",
            ],
        ),
        ({"model": "gpt-4o-mini"}, ["differs   model", "recorded  'gpt-4o'", "asked     'gpt-4o-mini'"]),
        ({"temperature": 0}, ["differs   temperature", "recorded  nothing, it is left out", "asked     0"]),
        ({"temperature": None}, ["differs   temperature", "asked     null"]),
        ({"seed": 1, "n": 2, "top_p": 1, "user": "u", "stop": "x", "logprobs": True}, ["also      ", "and 1 more"]),
    ],
)
def test_a_miss_tells_the_first_difference(
    changes: dict[str, Any], told: list[str], provider: Provider, canary: Canary, cassette: Path
) -> None:
    """With both values, where the nearest recording is, and whether it is used up."""
    with intercept.use_cassette(cassette, mode="record"):
        _ask(provider.url)

    miss = _missed(cassette, canary, changes)

    assert [piece for piece in told if piece not in str(miss)] == []
    assert re.search(r"nearest   line 2, \d+% alike, not served yet", str(miss))
    assert miss.nearest == f"{cassette}:2"
    assert set(miss.differing) == ({"messages[0].content"} if "messages" in changes else set(changes))
    assert len(str(miss).splitlines()) < 14


def test_long_texts_are_shown_from_where_they_part(provider: Provider, canary: Canary, cassette: Path) -> None:
    """A little of what is before stands there too; a row that was served says so."""
    long = "word " * 4000

    def asked(url: str, *endings: str) -> None:
        for ending in endings:
            _ask(url, messages=[{"role": "user", "content": f"{long}ends with {ending}"}])

    with intercept.use_cassette(cassette, mode="record"):
        asked(provider.url, "tea")
    with pytest.raises(intercept.NeverRecorded) as caught, intercept.use_cassette(cassette):
        asked(canary.url, "tea", "coffee")

    assert "recorded  ...'word word ends with tea'" in str(caught.value)
    assert "asked     ...'word word ends with coffee'" in str(caught.value)
    assert "served already" in str(caught.value)


def test_what_weaker_rules_left_in_a_recording_is_not_shown(provider: Provider, canary: Canary, cassette: Path) -> None:
    """Words that a rule hides today are hidden in the miss too."""
    badge = f"badge-{Maker('badge').draw(12)}"
    content = f"My badge is {badge}, whose is it?"
    with intercept.use_cassette(cassette, mode="record"):
        _ask(provider.url, messages=[{"role": "user", "content": content}], metadata={"at": badge})

    changes = {"messages": [{"role": "user", "content": content}], "metadata": {"at": "the door"}}
    miss = _missed(cassette, canary, changes, redact=[re.compile(r"badge-\w+")])

    assert "differs   metadata.at" in str(miss)
    assert badge not in str(miss)


def test_a_miss_says_that_rules_became_narrower(provider: Provider, canary: Canary, cassette: Path) -> None:
    """The recording has a placeholder where the request has the words."""
    changes = {"messages": [{"role": "user", "content": "My badge is badge-17, whose is it?"}]}
    with intercept.use_cassette(cassette, mode="record", redact=[re.compile(r"badge-\w+")]):
        _ask(provider.url, **changes)

    assert "`redact=` was wider when it was made" in str(_missed(cassette, canary, changes))
    other = {"messages": [{"role": "user", "content": "My hat is blue"}]}
    assert "was wider" not in str(_missed(cassette, canary, other))


def test_a_recording_of_another_endpoint_is_told_by_its_path(
    provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Its path differs before anything else."""
    with (
        intercept.use_cassette(cassette, mode="record"),
        openai.OpenAI(base_url=f"{provider.url}/v1", api_key="k") as client,
    ):
        client.embeddings.create(model="text-embedding-3-small", input="hi")

    miss = _missed(cassette, canary, {})

    assert miss.differing[0] == "path"
    assert "recorded  '/embeddings'" in str(miss)


def test_an_empty_cassette_has_no_nearest(canary: Canary, cassette: Path) -> None:
    """Nothing is told that is not there."""
    cassette.parent.mkdir(exist_ok=True)
    cassette.write_bytes(header())

    miss = _missed(cassette, canary, {})

    assert (miss.nearest, miss.differing) == (None, ())
    assert "alike" not in str(miss)


def test_misses_by_the_thousand_hold_nobody_up(canary: Canary, cassette: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many rows looked at, a miss names no nearest any more."""
    monkeypatch.setattr(replayer, "_LOOKED_AT", 100)
    cassette.parent.mkdir(exist_ok=True)
    drawn = _Drawn(1)
    _cassette(cassette, [drawn.request() for _ in range(40)]).close()
    named: list[bool] = []

    with intercept.use_cassette(cassette, verify=False):
        for _ in range(5):
            with pytest.raises(intercept.NeverRecorded) as caught:
                _ask(canary.url)
            named.append(caught.value.nearest is not None)

    assert named == [True, True, True, False, False]
