"""The provider as a command."""

from __future__ import annotations

import subprocess
import sys

from .clients import Clients


def test_the_module_serves_in_the_foreground_and_prints_its_url() -> None:
    """The first line is the URL; the command ends when it is told to."""
    command = [sys.executable, "-m", "intercept.loopback"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with Clients(url).openai() as client:
            said = client.responses.create(model="m", input="hi").output_text
        process.terminate()
        process.wait(5)

    assert said == "Reply 1 to: hi"
