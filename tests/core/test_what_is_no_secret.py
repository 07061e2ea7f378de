"""What looks like a secret and is none stays: prose, code, schemas, ids, and what only a provider can read."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

import pytest

from intercept.redaction import Redactor
from intercept.redaction.redactor import Redaction
from intercept.spi import JSON

FINDER = Redactor().finder
ROOT = Path(__file__).parents[2]
TEXTS = [
    "password = get_password_from_user_input_2()",
    "password = self._decode_base64(argument)",
    "authorization = base64.decodebytes(authorization)",
    "api_key=settings.openai_v2.api_key_of_tests,",
    'api_key = os.environ["OPENAI_API_KEY_2"]',
    "token: Optional[str] = None",
    "def f(password: str, secret: bytes | None = None, api_key: SecretStr2 = Field()) -> None:",
    '<div class="sk-toggleable__content sk-estimator-id-123 sk-container-id-1">',
    "a basic understanding of bearer instruments, and basic authentication",
    "Add the correct Cookie: header to the request (an object of urllib).",
    "if cookie: cookies.append(cookie)",
    "pip install git+ssh://git@github.com/openai/openai-python.git@v3",
    "https://{user}:{password}@example.com and postgresql://${USER}:${PASSWORD}@db/x",
    "max_tokens=4096, next_page_token=None, tokenizer=cl100k_base, keyboard=us-intl-2024-layout",
    "the key: a-very-long-word-without-any-number",
    "msg_01XFDUDYJgAACzvnptvVoYEL toolu_01A09q90qw90lq917835lq9 call_abcdefghijklmnopqrstuvwx",
    "rs_68af4030baa48193b0b43b4c",
    "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT resp_67ccd2bed1ec8190b14f964abc054267 req_0123456789abcdef0123456789abcdef",
    "task-based-approach-2024-to-risk-management-of-2025 desk-lamp_2-with-a-very-long-name",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0f8fad5b-d9cd-469f-a165-70867728950e",
    "?page_token=CAUQAA0123456789abcdef&limit=20&after=msg_0123456789abcdef",
]
VALUES: list[JSON] = [
    {"type": "object", "properties": {"password": {"type": "string"}, "api_key": {"enum": ["a"]}}},
    {"required": ["password", "api_key", "token"], "max_tokens": 10, "next_page_token": "CAUQAA0123456789abcdef"},
    {"logprobs": {"content": [{"token": "hello", "bytes": [104], "top_logprobs": [{"token": "hello"}]}]}},
    {"usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}, "key": "arrow-down", "password": None},
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_prose_and_code_stay(text: str) -> None:
    """Alone, and as a prompt or as the arguments of a tool."""
    arguments = json.dumps({"command": text})

    assert Redaction(FINDER).text(text) == text
    assert Redaction(FINDER).text(arguments) == arguments


@pytest.mark.parametrize("value", VALUES, ids=[str(number) for number in range(len(VALUES))])
def test_fields_that_hold_no_secret_stay(value: JSON) -> None:
    """The schema of a tool that takes a password, and what is counted in tokens."""
    assert Redaction(FINDER).json(value) == value
    assert Redaction(FINDER).text(json.dumps(value)) == json.dumps(value)


def test_our_own_sources_stay() -> None:
    """Nothing in this package or what is written about it looks like a secret."""
    files = [*(ROOT / "intercept").rglob("*.py"), *(ROOT / "adapters").rglob("*.py"), ROOT / "README.md"]
    files = [file for file in files if "loopback" not in file.parts]  # it answers with ids of organisations

    assert [found for file in files for found in FINDER.hits(file.read_text(encoding="utf-8"))] == []


COOKIES = {"cookies.py", "cookiejar.py"}
"""Modules whose examples are cookies."""


@pytest.mark.slow
def test_the_standard_library_stays() -> None:
    """Half a million lines that hold every word with which a secret begins."""
    root = Path(sysconfig.get_paths()["stdlib"])
    files = [file for file in root.rglob("*.py") if not {"site-packages", "test", "tests"} & set(file.parts)]

    found = {
        (file.name, hit.value)
        for file in files
        if file.name not in COOKIES
        for hit in FINDER.hits(file.read_text(encoding="utf-8", errors="replace"))
    }

    assert sorted(found) == []
