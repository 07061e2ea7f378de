"""What is known of the models of one session: by its user, by the provider's own words, by public lists."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from intercept import current
from intercept.errors import ConfigError
from intercept.spi import Caps, Prices

if TYPE_CHECKING:
    from intercept.spi import Adapter

Subject: TypeAlias = "tuple[str, str, str | None]"
"""Whose capabilities: (adapter, provider, model)."""

_FIELDS: Final = tuple(field.name for field in fields(Caps) if field.name != "source")
_preparing: Final[list[threading.Thread]] = []
_PRICES: Final = tuple(field.name for field in fields(Prices))


class Capabilities:
    """Answers what a model can do. Of several who know, the first counts, field by field."""

    def __init__(self, given: Mapping[str, Caps], adapters: Mapping[str, Adapter]) -> None:
        self._given = given
        self._adapters = adapters
        self._told: dict[tuple[str, str], Caps] = {}
        self._found: dict[Subject, Caps | None] = {}

    def tell(self, adapter: str, model: str, caps: Caps) -> None:
        """Take in what a provider said of a model of its own."""
        self._told[adapter, model] = caps
        self._found.clear()

    def prepare(self) -> None:
        """Load the lists in a thread, while a provider is asked: its answer must not wait for them."""
        if not _preparing:
            from intercept.catalogues import load

            thread = threading.Thread(target=load, name="intercept: lists of models")
            _preparing.append(thread)
            current.in_background(thread)
            thread.start()

    def of(self, subject: Subject) -> Caps | None:
        """Return all that is known of a model; None where nobody knows it."""
        if subject not in self._found:
            self._found[subject] = self._look_up(*subject)
        return self._found[subject]

    def _look_up(self, adapter: str, provider: str, model: str | None) -> Caps | None:
        if model is None or adapter not in self._adapters:
            return None
        from intercept.catalogues import known

        told = [self._given.get(model), self._told.get((adapter, model))]
        sources = [*filter(None, told), *known(self._adapters[adapter].catalogues(provider), model)]
        if not sources:
            return None
        first = {name: _first(getattr(caps, name) for caps in sources) for name in _FIELDS}
        return Caps(**first, source=", ".join(caps.source for caps in sources if caps.source))


def _first(values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def given(caps: Mapping[str, Caps | Mapping[str, Any]]) -> dict[str, Caps]:
    """Check the capabilities a user states, by model; raise `ConfigError` that names what is wrong."""
    return {model: _given(model, value) for model, value in caps.items()}


def _given(model: str, value: Caps | Mapping[str, Any]) -> Caps:
    import msgspec

    stated = asdict(value) if isinstance(value, Caps) else dict(value)
    prices: Any = stated.get("prices")
    prices = stated["prices"] = asdict(prices) if isinstance(prices, Prices) else prices
    unknown = {*stated} - {*_FIELDS, "source"} | {str(name) for name in prices or ()} - {*_PRICES}
    if unknown:
        raise ConfigError(
            f"caps={{{model!r}: ...}} holds {', '.join(map(repr, sorted(unknown)))}. A model has "
            f"{', '.join(_FIELDS)} and source, its prices {', '.join(_PRICES)}."
        )
    try:
        return msgspec.convert({"source": "user", **stated}, Caps)
    except msgspec.ValidationError as error:
        raise ConfigError(f"caps={{{model!r}: ...}}: {error}") from None
