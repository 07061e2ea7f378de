"""No key needed where every call is answered here: what `openai` asks of a client's credentials is waived.

A stand-in lets the constructor pass and is gone when it returns, so it cannot reach a provider later. Azure clients
keep a token provider, which refuses to give one outside of a replay.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final

from intercept.spi import STAND_IN, ConfigError, PatchPoint, current_session

_ADMIT: Final = ("api_key", "admin_api_key", "workload_identity", "provider")
_ADMIT_AZURE: Final = ("api_key", "azure_ad_token", "azure_ad_token_provider")


def _offline() -> bool:
    session = current_session()
    return session is not None and session.offline


def _lacks(names: tuple[str, ...], variables: tuple[str, ...], kwargs: dict[str, Any]) -> bool:
    return not any(kwargs.get(name) for name in names) and not any(os.environ.get(name) for name in variables)


def _wrap_init(wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not (_offline() and _lacks(_ADMIT, ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"), kwargs)):
        return wrapped(*args, **kwargs)
    wrapped(*args, **{**kwargs, "api_key": STAND_IN})
    client.api_key = ""
    return None


def _wrap_azure_init(wrapped: Callable[..., Any], _client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    variables = ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN")
    if _offline() and _lacks(_ADMIT_AZURE, variables, kwargs):
        kwargs = {**kwargs, "azure_ad_token_provider": _token}
    return wrapped(*args, **kwargs)


def _token() -> str:
    if not _offline():
        raise ConfigError(
            "This AzureOpenAI client was made without credentials inside a replay session, and cannot leave it.\n\n"
            "  Make the client anew, with AZURE_OPENAI_API_KEY set."
        )
    return STAND_IN


def _wrap_validate(wrapped: Callable[..., Any], _client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return None if _offline() else wrapped(*args, **kwargs)


def restore() -> None:
    """Drop a module-level client (`openai.chat...`) that was made without a key, so that the next use makes one."""
    openai: Any = sys.modules.get("openai")
    client = getattr(openai, "_client", None)
    if client is None:
        return
    if getattr(client, "_azure_ad_token_provider", None) is _token:
        openai._client = None  # noqa: SLF001  what openai's own _reset_client() does
    elif openai.api_key == "":
        openai._client = None  # noqa: SLF001
        openai.api_key = None


PATCH_POINTS: Final = (
    PatchPoint("openai._client", "OpenAI.__init__", _wrap_init, required=False),
    PatchPoint("openai._client", "AsyncOpenAI.__init__", _wrap_init, required=False),
    PatchPoint("openai._client", "OpenAI._validate_headers", _wrap_validate, required=False),
    PatchPoint("openai._client", "AsyncOpenAI._validate_headers", _wrap_validate, required=False),
    PatchPoint("openai.lib.azure", "AzureOpenAI.__init__", _wrap_azure_init, required=False),
    PatchPoint("openai.lib.azure", "AsyncAzureOpenAI.__init__", _wrap_azure_init, required=False),
    PatchPoint("openai.lib.azure", "AzureOpenAI._validate_headers", _wrap_validate, required=False),
    PatchPoint("openai.lib.azure", "AsyncAzureOpenAI._validate_headers", _wrap_validate, required=False),
)
