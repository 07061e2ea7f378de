"""Redaction: what each rule takes of hostile texts, what it adds to a call, and how much it takes in a second."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from benchmarks.transport import Answering, answer, ask, client
from intercept import events
from intercept.answers import Answer, Array
from intercept.identity import identified, request_hash
from intercept.redaction import EMAIL, PHONE, Redactor
from intercept.redaction.positions import NOWHERE
from intercept.redaction.rules import IDENTITIES, RULES, Rule
from intercept.spi import Call

_SIZE: Final = 100_000
_HOSTILE: Final = (
    "a",
    "A1",
    "a_a-",
    "\\",
    '\\"',
    "%41",
    "QUJDREVG",
    "://a:",
    "=a&key",
    " \t",
    '{"key":',
    "-----BEGIN ",
)
_REDACTOR: Final = Redactor(("a-known-credential-0123456789",))


def rules() -> list[tuple[str, float]]:
    """Return each rule's label with the seconds it takes at most of a hostile text of 100 KB, the slowest first."""
    found = [(rule.label, max(_least(partial(_spent, rule, text)) for text in _texts(rule))) for rule in _RULES]
    return sorted(found, key=lambda each: -each[1])


_RULES: Final = (*RULES, *IDENTITIES, EMAIL, PHONE)


def _texts(rule: Rule) -> list[str]:
    """Repeat what every rule may stumble over, and its own words: alone, nested, and with what may follow them."""
    words = [f"{word}{after}" for word in rule.words for after in ("", "a", "1", " ", "=", ": ", "-", '"')]
    repeated = [(piece * (_SIZE // len(piece) + 1))[:_SIZE] for piece in (*_HOSTILE, *words)]
    return [*repeated, *(word + (tail * _SIZE)[:_SIZE] for word in rule.words for tail in ("a", "a1-", "/", " "))]


def _spent(rule: Rule, text: str) -> None:
    for _ in rule.matches(text):
        pass


def _least(action: Callable[[], Any], rounds: int = 3) -> float:
    took: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        action()
        took.append(time.perf_counter() - began)
    return min(took)


def a_call(count: int = 200) -> tuple[float, float]:
    """Return the seconds that a call of 1.1 KB takes without us, and those that redacting it takes, in one run."""
    asked = client(Answering())
    text = "All work and no play. " * 48
    body = json.dumps(answer(), separators=(",", ":")).encode()

    def calls() -> None:
        for number in range(count):
            ask(asked, f"{number} {text}")

    def each(action: Callable[[Any, bytes], None]) -> None:
        for number in range(count):
            action({"messages": [{"role": "user", "content": f"{number} {text}"}], "model": "no-model"}, body)

    redacted, plain = (_least(partial(each, action), 7) for action in (_redact, _store))
    return _least(calls, 7) / count, (redacted - plain) / count


def _redact(request: Any, body: bytes) -> None:
    _, _, redaction = identified(_call(request), _REDACTOR, NOWHERE)
    taken = Answer(redaction, _REDACTOR.custom, NOWHERE, lambda _body: ())
    for event in events.store("application/json", [body]):
        taken.add(event.stored, event.carried)
    taken.end()


def _store(request: Any, body: bytes) -> None:
    """Do what is done with a call that nobody looks into: it is hashed, and its events are written."""
    request_hash("openai", "openai", _call(request).request)
    array = Array()
    for event in events.store("application/json", [body]):
        array.add(event.stored)
    array.end()


def _call(body: Any) -> Call:
    return Call("openai", "openai", "POST /chat/completions", "POST", "/chat/completions", body=body)


TEXTS: Final[Sequence[tuple[str, str]]] = (
    ("prose", "The quick brown fox jumps over the lazy dog. "),
    ("code", 'def get(self, api_key: str, token=None) -> "Key":\n    return self.keys[api_key]\n'),
    ("secrets among prose", "My key is sk-" + "A1" * 20 + ", keep it to yourself, please. "),
    ("JSON in JSON", '{"a": "{\\"b\\": \\"c\\"}"}\n'),
)


def throughput(text: str, size: int = 2_000_000) -> float:
    """Return the bytes of a request of this text that are looked through, and hashed, in a second."""
    body: Any = {"messages": [{"role": "user", "content": text * (size // len(text))}]}
    return size / _least(lambda: identified(_call(body), _REDACTOR, NOWHERE))
