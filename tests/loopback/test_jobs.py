"""Work that takes its time: batches, fine-tuning, responses in the background. Each look finds it one step further."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import openai
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .clients import Clients

ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def _until(last: str, begun: Any, look: Callable[[str], Any], state: str = "status") -> list[str]:
    """Return every state from the first to the last."""
    states = [getattr(begun, state)]
    while states[-1] != last:
        states.append(getattr(look(begun.id), state))
    return states


def test_a_batch_is_answered_line_by_line(clients: Clients) -> None:
    """Validated, in progress, finalized, completed; the answers are a file of JSON lines, one for each request."""
    client = clients.openai()
    rows = [{"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": ASK} for name in ("a", "b")]
    file = client.files.create(file=("b.jsonl", "\n".join(map(json.dumps, rows)).encode()), purpose="batch")
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
    states = _until("completed", batch, client.batches.retrieve)
    done = client.batches.retrieve(batch.id)
    assert done.output_file_id is not None
    lines = [json.loads(line) for line in client.files.content(done.output_file_id).text.splitlines()]

    assert states == ["validating", "in_progress", "finalizing", "completed"]
    assert done.request_counts is not None
    assert (done.request_counts.total, done.request_counts.completed) == (2, 2)
    assert [line["custom_id"] for line in lines] == ["a", "b"]
    assert {line["response"]["status_code"] for line in lines} == {200}
    assert len({line["response"]["body"]["choices"][0]["message"]["content"] for line in lines}) == 2


def test_a_cancelled_batch_gives_no_answers(clients: Clients) -> None:
    """Cancelling takes one more look; the list has the newest first."""
    client = clients.openai()
    file = client.files.create(file=("b.jsonl", b""), purpose="batch")
    batch, other = (
        client.batches.create(input_file_id=file.id, endpoint="/v1/responses", completion_window="24h")
        for _ in range(2)
    )
    states = [client.batches.cancel(batch.id).status, client.batches.retrieve(batch.id).status]

    assert states == ["cancelling", "cancelled"]
    assert client.batches.retrieve(batch.id).output_file_id is None
    assert [listed.id for listed in client.batches.list(limit=1)] == [other.id, batch.id]


def test_message_batches_end_with_a_result_each(clients: Clients) -> None:
    """The address of the results is in the batch once it has ended; a request that lacks something fails there."""
    of = clients.anthropic().messages.batches
    good: dict[str, Any] = {**ASK, "max_tokens": 9}
    requests: Any = [{"custom_id": "a", "params": good}, {"custom_id": "b", "params": {**good, "max_tokens": 0}}]
    batch = of.create(requests=requests)
    states = _until("ended", batch, of.retrieve, "processing_status")
    results = {line.custom_id: line.result for line in of.results(batch.id)}
    counts = of.retrieve(batch.id).request_counts
    cancelled = of.create(requests=requests[:1])
    cancelling = _until("ended", of.cancel(cancelled.id), of.retrieve, "processing_status")
    [line] = of.results(cancelled.id)
    of.delete(batch.id)

    assert states == ["in_progress", "in_progress", "ended"]
    assert (results["a"].type, results["b"].type) == ("succeeded", "errored")
    assert (counts.succeeded, counts.errored, counts.processing) == (1, 1, 0)
    assert (cancelling, line.result.type) == (["canceling", "ended"], "canceled")
    assert [listed.id for listed in of.list()] == [cancelled.id]


def test_a_fine_tuning_job_tells_each_step(clients: Clients) -> None:
    """One event a step; the model and a checkpoint at the end; a cancelled job goes no further."""
    client = clients.openai()
    jobs = client.fine_tuning.jobs
    file = client.files.create(file=("t.jsonl", b"{}"), purpose="fine-tune")
    job, other = (jobs.create(model="m", training_file=file.id) for _ in range(2))
    states = _until("succeeded", job, jobs.retrieve)
    jobs.cancel(other.id)
    done = jobs.retrieve(job.id)
    assert done.fine_tuned_model is not None

    assert states == ["validating_files", "queued", "running", "succeeded"]
    assert [event.message.split()[-1] for event in jobs.list_events(job.id)] == [f"{state}." for state in states[::-1]]
    assert [point.step_number for point in jobs.checkpoints.list(job.id)] == [3]
    assert jobs.retrieve(other.id).status == "cancelled"
    assert client.models.delete(done.fine_tuned_model).deleted


def test_a_response_in_the_background_is_done_after_two_looks(clients: Clients) -> None:
    """Queued without output first; its stream can be read again from any event on; a cancelled one stays so."""
    client = clients.openai()
    made = client.responses.create(model="m", input="hi", background=True)
    states = _until("completed", made, client.responses.retrieve)
    whole = list(client.responses.retrieve(made.id, stream=True))
    rest = list(client.responses.retrieve(made.id, stream=True, starting_after=4))
    other = client.responses.create(model="m", input="hi", background=True)
    client.responses.cancel(other.id)

    assert (made.output, states) == ([], ["queued", "in_progress", "completed"])
    assert [event.type for event in whole[:3]] == ["response.created", "response.queued", "response.in_progress"]
    assert rest == whole[5:]
    assert client.responses.retrieve(other.id).status == "cancelled"


def test_what_a_job_is_given_must_be_there(clients: Clients) -> None:
    """A file that nobody uploaded is refused."""
    client = clients.openai()

    with pytest.raises(openai.NotFoundError, match="No such File object"):
        client.batches.create(input_file_id="file-x", endpoint="/v1/responses", completion_window="24h")
    with pytest.raises(openai.NotFoundError, match="No such File object"):
        client.fine_tuning.jobs.create(model="m", training_file="file-x")
