"""What is printed of our objects and errors: which call, how it went, never what was asked or answered."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.live import Live, Unrecorded
from intercept.loopback import Provider
from intercept.redaction import Redactor, Redactors
from intercept.spi import Hop, Reply
from tests.conformance.callers import CALLERS, KEY, Caller, ask, said

WORD = "confi" + "dential"

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


@every_caller
def test_no_repr_holds_what_was_asked_or_answered(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Of the session, its calls, the door, and the values that cross the border."""
    seen: list[object] = []

    async def scenario(client: Any) -> str:
        return said(await ask(client, f"{WORD} {KEY}"))

    door = intercept.use_cassette(cassette, mode="record", redact=[lambda value, where: value])
    with door as session:
        answer = caller.run(scenario, caller.client(provider.url))
        seen += [session, door, session.calls, session.calls[0].call, session._redactors, session._settings]
    reply = Reply(200, (("x", WORD),), (WORD.encode(),), failure=WORD, hops=(Hop(302, (("location", WORD),)),))
    seen += [reply, Redactor([KEY]), Redactors(), Redactor([KEY]).finder, Unrecorded(), Live]

    assert WORD in answer
    assert [text for text in map(repr, seen) if WORD in text or KEY in text] == []
    assert repr(session.calls[0].call) == f"<{caller.sdk} {session.calls[0].call.operation}>"


@every_caller
def test_the_way_of_a_miss_holds_no_step_of_ours_with_its_secrets(
    caller: Caller, provider: Provider, cassette: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever prints the variables of every step finds the wrapper of the SDK's `request` at most."""
    caplog.set_level(logging.DEBUG, "intercept")

    async def scenario(client: Any) -> str:
        return said(await ask(client, f"{WORD} {KEY}"))

    with intercept.use_cassette(cassette, mode="record"):
        pass_by = caller.run(scenario, caller.client(provider.url))

    async def missing(client: Any) -> str:
        return said(await ask(client, f"another {WORD} {KEY}"))

    with pytest.raises(intercept.NeverRecorded) as missed, intercept.use_cassette(cassette):
        caller.run(missing, caller.client(provider.url))

    steps = traceback.extract_tb(missed.tb)
    ours = {
        step.name for step in steps if "/intercept" in step.filename.replace("\\", "/") and "tests" not in step.filename
    }
    assert WORD in pass_by
    assert ours <= {"wrap_request", "_async_request", "guard", "__exit__", "closed", "finish", "tell", "_refuse"}
    assert KEY not in str(missed.value)
    assert [record for record in caplog.records if record.name.startswith("intercept")] == []
