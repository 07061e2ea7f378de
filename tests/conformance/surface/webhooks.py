"""A webhook as a provider signs it (Standard Webhooks): the one argument whose value is checked here."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time


def signed(payload: str) -> tuple[str, dict[str, str]]:
    """Return a secret, and the headers by which it signs the payload."""
    key = b"k" * 24
    number, timestamp = "msg_1", str(int(time.time()))
    digest = hmac.new(key, f"{number}.{timestamp}.{payload}".encode(), hashlib.sha256).digest()
    headers = {
        "webhook-id": number,
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + base64.b64encode(digest).decode(),
    }
    return "whsec_" + base64.b64encode(key).decode(), headers
