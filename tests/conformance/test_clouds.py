"""The SDKs' clients for clouds: told where to go and given a token, they replay like any other; nothing gets out."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, Final, NamedTuple

import anthropic
import openai
import pytest

import intercept
from tests.conformance.callers import CALLERS, KEY, ask
from tests.conformance.surface.trap import closed_doors
from tests.conformance.versions import skip_as_it_lacks
from tests.core.handmade import header


class Needs(NamedTuple):
    """What a client is made with: where its provider is, and credentials that need no exchange and no signature."""

    place: dict[str, Any]
    credentials: dict[str, Any]


def _token() -> str:
    return KEY


NEEDS: Final = {
    "AzureOpenAI": Needs(
        {"azure_endpoint": "https://x.openai.azure.com", "api_version": "2024-10-21"}, {"api_key": KEY}
    ),
    "BedrockOpenAI": Needs({"aws_region": "us-east-1"}, {"api_key": KEY}),
    "AnthropicBedrock": Needs({"aws_region": "us-east-1"}, {"api_key": KEY}),
    "AnthropicBedrockMantle": Needs({"aws_region": "us-east-1"}, {"api_key": KEY}),
    "AnthropicVertex": Needs({"region": "us-east5", "project_id": "p"}, {"access_token": KEY}),
    "AnthropicFoundry": Needs({"resource": "r"}, {"api_key": KEY}),
    "AnthropicAWS": Needs({"aws_region": "us-east-1", "workspace_id": "w"}, {"api_key": KEY}),
    "AnthropicGoogleCloud": Needs({"project": "p", "location": "l", "workspace_id": "w"}, {"token_provider": _token}),
}
CLOUDS: Final = [
    pytest.param(getattr(module, name), id=name)
    for module, plain in ((openai, "OpenAI"), (anthropic, "Anthropic"))
    for name in dir(module)
    if plain in name and name not in (plain, f"Async{plain}") and hasattr(getattr(module, name), "with_options")
]


@pytest.fixture(autouse=True)
def _no_cloud(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
        "CLOUD_ML_REGION",
        "AWS_BEARER_TOKEN_BEDROCK",
        "GOOGLE_CLOUD_PROJECT",
    ):
        monkeypatch.delenv(name, raising=False)


def _needs(kind: Any) -> Needs:
    needs = NEEDS[kind.__name__.removeprefix("Async")]
    if not needs.credentials.keys() <= inspect.signature(kind).parameters.keys():
        skip_as_it_lacks(kind, "key for this cloud, but signs every request")
    return needs


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A cassette without a row."""
    path = tmp_path / "empty.jsonl"
    path.write_bytes(header())
    return path


@pytest.mark.parametrize("kind", CLOUDS)
def test_a_cloud_client_misses_like_any_other(kind: Any, empty: Path) -> None:
    """At the call and by name, with no look-up, no signature and no connection."""
    needs = _needs(kind)

    with closed_doors() as tried, intercept.use_cassette(empty, verify=False) as session:
        error = _error(kind, {**needs.place, **needs.credentials})

    assert type(error) is intercept.NeverRecorded
    assert session.misses == [error]
    assert tried == []


@pytest.mark.parametrize("kind", CLOUDS)
def test_a_missing_place_stays_the_sdks_own_error(kind: Any, empty: Path) -> None:
    """In a replay a client that is not told where to go fails by the words it fails by without us."""
    needs = _needs(kind)

    with closed_doors() as tried:
        shipped = _error(kind, needs.credentials)
        with intercept.use_cassette(empty):
            replayed = _error(kind, needs.credentials)

    assert (type(replayed), str(replayed)) == (type(shipped), str(shipped))
    assert tried == []


def _error(kind: Any, options: dict[str, Any]) -> Exception:
    """Make a client and ask it, and return how that fails."""
    sdk, is_async = kind.__module__.partition(".")[0], kind.__name__.startswith("Async")
    caller = next(caller for caller in CALLERS if (caller.sdk, caller.is_async) == (sdk, is_async))
    with pytest.raises(Exception) as caught:  # noqa: PT011  the test looks at it
        caller.run(ask, kind(**options))
    return caught.value
