"""Fine-tuning jobs: validated, queued, run and done after three looks, with an event for each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback import progress
from intercept.loopback.jsontypes import as_text
from intercept.loopback.openai import files
from intercept.loopback.openai.kept import found, keep, listed
from intercept.loopback.openai.replies import reply

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_TRAINING = {"batch_size": 1, "learning_rate_multiplier": 2.0, "n_epochs": 3}


def create(ask: Ask) -> Answer:
    """``POST /v1/fine_tuning/jobs``."""
    training = files.stored(ask, as_text(ask.body["training_file"]))
    job: JSONObject = {
        "id": ask.mint.base62("ftjob-", 24),
        "object": "fine_tuning.job",
        "created_at": ask.mint.seconds,
        "error": None,
        "estimated_finish": None,
        "fine_tuned_model": None,
        "finished_at": None,
        "hyperparameters": _TRAINING,
        "integrations": [],
        "metadata": ask.body.get("metadata"),
        "method": {"type": "supervised", "supervised": {"hyperparameters": _TRAINING}},
        "model": ask.body["model"],
        "organization_id": "[REDACTED:identity:x0]",  # as a recording shows it: the real one tells who asked
        "result_files": [],
        "seed": ask.body.get("seed") or 42,
        "status": "validating_files",
        "trained_tokens": None,
        "training_file": training.about["id"],
        "validation_file": ask.body.get("validation_file"),
    }
    name = f"ft:{job['model']}:loopback::{ask.mint.base62('', 8)}"
    trained = {
        "fine_tuned_model": name,
        "finished_at": ask.mint.seconds + 60,
        "trained_tokens": len(training.data.split()),
        "result_files": [ask.mint.base62("file-", 22)],
    }
    progress.begin(
        ask.shelf,
        job,
        lambda: _step(ask, job, "queued"),
        lambda: _step(ask, job, "running"),
        lambda: {**trained, **_step(ask, job, "succeeded"), **_checkpoint(ask, job, name)},
    )
    _step(ask, job, "validating_files")
    return reply(ask, keep(ask, "fine-tuning jobs", job))


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/fine_tuning/jobs/{id}``."""
    return reply(ask, progress.look(ask.shelf, _job(ask)))


def listing(ask: Ask) -> Answer:
    """``GET /v1/fine_tuning/jobs``."""
    return listed(ask, ask.shelf.drawer("fine-tuning jobs").values())


def cancel(ask: Ask) -> Answer:
    """``POST /v1/fine_tuning/jobs/{id}/cancel``."""
    job = _job(ask)
    return reply(ask, progress.stop(ask.shelf, job, **_step(ask, job, "cancelled")))


def events(ask: Ask) -> Answer:
    """``GET /v1/fine_tuning/jobs/{id}/events``."""
    return listed(ask, ask.shelf.drawer(f"events of {_job(ask)['id']}").values())


def checkpoints(ask: Ask) -> Answer:
    """``GET /v1/fine_tuning/jobs/{id}/checkpoints``."""
    return listed(ask, ask.shelf.drawer(f"checkpoints of {_job(ask)['id']}").values())


def _job(ask: Ask) -> JSONObject:
    return found(ask, "fine-tuning jobs", "fine-tuning job")


def _step(ask: Ask, job: JSONObject, status: str) -> JSONObject:
    """Note the event of a step; return what it changes."""
    noted = ask.shelf.drawer(f"events of {job['id']}")
    event: JSONObject = {
        "object": "fine_tuning.job.event",
        "id": ask.mint.base62("ftevent-", 24, part=len(noted)),
        "created_at": ask.mint.seconds,
        "level": "info",
        "message": f"The job is now {status}.",
        "type": "message",
        "data": {},
    }
    noted[event["id"]] = event
    return {"status": status}


def _checkpoint(ask: Ask, job: JSONObject, name: str) -> JSONObject:
    checkpoint: JSONObject = {
        "object": "fine_tuning.job.checkpoint",
        "id": ask.mint.base62("ftckpt_", 24),
        "created_at": ask.mint.seconds + 60,
        "fine_tuned_model_checkpoint": f"{name}:ckpt-step-3",
        "fine_tuning_job_id": job["id"],
        "metrics": {"step": 3, "train_loss": 0.25, "train_mean_token_accuracy": 0.875},
        "step_number": 3,
    }
    ask.shelf.drawer(f"checkpoints of {job['id']}")[checkpoint["id"]] = checkpoint
    return {}
