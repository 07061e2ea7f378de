"""Whatever bytes a provider may send as a stream, cut wherever: they are kept, and given back, as they came."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.callers import CALLERS, Caller, entered
from tests.conformance.streams import bodies
from tests.conformance.streams.runs import MODES, Runs
from tests.conformance.streams.steps import until_it_breaks
from tests.conformance.streams.views import opened

# Every byte may come; those that mean something in server-sent events, in JSON and in UTF-8 come often.
_MEANINGFUL = [
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"data:", b"data: ", b"event: ping\n", b"id: 1\n", b": ", b"\xef\xbb\xbf"),
    *(
        b'data: {"a": 1}\n\n',
        b"data: [DONE]\n\n",
        b"event: message_stop\ndata: {}\n\n",
        b'{"a":"\\ud83d"}',
        b"\xf0\x9f",
    ),
]
PIECES = st.lists(st.one_of(st.sampled_from(_MEANINGFUL), st.binary(min_size=1, max_size=8)), max_size=12)
_NUMBERS = count()
CUTS = st.integers(min_value=1, max_value=9)


@pytest.mark.parametrize("caller", [CALLERS[0], pytest.param(CALLERS[-1], marks=pytest.mark.slow)], ids=str)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES, cut=CUTS, dropped=st.booleans())
def test_any_bytes_replay_as_they_were(
    caller: Caller, pieces: list[bytes], cut: int, dropped: bool, runs: Runs
) -> None:
    """Through the view of bytes, with the error at the end if the connection was dropped."""
    runs = runs.elsewhere(str(next(_NUMBERS)))
    body = b"".join(pieces)
    cuts = tuple(body[start : start + cut] for start in range(0, len(body), cut))
    answer = bodies.stream(cuts, cut_after=len(cuts) if dropped else None)

    async def scenario(client: Any) -> Any:
        async with entered(opened(client)) as response:
            *received, last = [b"", *await until_it_breaks(response.iter_bytes())]
        return [b"".join(received), last] if isinstance(last, Exception) else [b"".join((*received, last))]

    unpatched, recorded, replayed = (runs.once(mode, caller, scenario, answer) for mode in MODES)

    assert unpatched[0] == body
    assert len(unpatched) == 1 + dropped
    assert recorded == unpatched
    assert replayed == unpatched
