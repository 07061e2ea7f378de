"""Error statuses, in every way of asking: the SDK's own error, down to the response that hangs on it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller
from tests.conformance.errors.caught import caught, once, refusal, told
from tests.conformance.stage import Stage
from tests.conformance.ways import WAYS, Way, name

STATUSES = (400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503, 529)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=name)
def test_an_error_is_the_same_in_all_its_parts(caller: Caller, way: Way, stage: Stage) -> None:
    """Class, text, cause, body, request and response with its headers, reason and HTTP version."""

    async def scenario(client: Any) -> dict[int, Any]:
        return {status: told(await caught(way, client, str(status))) for status in STATUSES}

    answers = [refusal(caller, status, retry_after=7) for status in STATUSES]

    errors = stage.agree(caller, scenario, *answers, options=once)

    assert [error["status_code"] for error in errors.values()] == [*STATUSES]
