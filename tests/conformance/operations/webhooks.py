"""Webhooks: what the SDK checks on this machine, and asks nobody for."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any

import openai
import pytest

from tests.conformance.callers import settled
from tests.conformance.operations.table import local

EVENT = {
    "id": "evt_1",
    "object": "event",
    "created_at": 1_760_000_000,
    "type": "response.completed",
    "data": {"id": "resp_1"},
}
MESSAGE_EVENT = {
    "type": "event",
    "id": "whe_1",
    "created_at": "2025-10-09T08:53:20Z",
    "data": {"type": "vault.created"},
}


def _signed(payload: str) -> tuple[str, dict[str, str]]:
    """Return a secret, and the headers that a payload signed with it comes with."""
    key = hashlib.sha256(b"key").digest()
    now = str(int(time.time()))
    signature = hmac.new(key, f"msg_1.{now}.{payload}".encode(), hashlib.sha256).digest()
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": now,
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }
    return "whsec_" + base64.b64encode(key).decode(), headers


@local("openai", needs="webhooks")
async def webhooks(client: Any) -> Any:
    payload = json.dumps(EVENT)
    secret, headers = _signed(payload)
    event = await settled(client.webhooks.unwrap(payload, headers, secret=secret))
    await settled(client.webhooks.verify_signature(payload, headers, secret=secret))
    with pytest.raises(openai.InvalidWebhookSignatureError) as refused:
        await settled(client.webhooks.unwrap(payload + " ", headers, secret=secret))
    return [event, str(refused.value)]


@local("anthropic", needs="beta.webhooks")
async def message_webhooks(client: Any) -> Any:
    payload = json.dumps(MESSAGE_EVENT)
    unverified = await settled(client.beta.webhooks.parse_unverified(payload))
    try:
        __import__("standardwebhooks")
    except ImportError:
        return unverified
    secret, headers = _signed(payload)
    return [unverified, await settled(client.beta.webhooks.unwrap(payload, headers=headers, key=secret))]
