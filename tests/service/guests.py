"""Guests of a running service: what `POST /session` of its web worker answers."""

import json
import urllib.request
from typing import Any

from tests.service.up_process import Up


def session_text(up: Up, token: str | None = None) -> str:
    """The answer as it comes: to a new guest, or to whom `token` is."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    asked = urllib.request.Request(f"{up.ready['web']}/session", method="POST", headers=headers)
    with urllib.request.urlopen(asked) as answer:
        text: str = answer.read().decode()
    return text


def session(up: Up, token: str | None = None) -> dict[str, Any]:
    opened: dict[str, Any] = json.loads(session_text(up, token))
    return opened
