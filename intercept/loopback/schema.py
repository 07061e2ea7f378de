"""A small valid value for a JSON schema, as a model that was told to follow it would write."""

from __future__ import annotations

import math
from typing import Any

from intercept.loopback.jsontypes import JSONObject, as_list, as_object, as_text

_FORMATS = {
    "date-time": "2025-01-01T00:00:00Z",
    "date": "2025-01-01",
    "time": "00:00:00Z",
    "duration": "PT1S",
    "email": "ada@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
}
_DEEPEST = 8  # below it, arrays stay empty and optional branches null: a schema may contain itself


def example(schema: JSONObject, word: str) -> Any:
    """Return a value the schema accepts; free strings are ``word``."""
    return _value(schema, schema, word, 0)


def _value(schema: JSONObject, root: JSONObject, word: str, depth: int) -> Any:  # noqa: PLR0911 - one line a keyword
    schema = _resolved(schema, root)
    if "const" in schema:
        return schema["const"]
    if "default" in schema:
        return schema["default"]
    if as_list(schema.get("enum")):
        return schema["enum"][0]
    branches = as_list(schema.get("anyOf")) or as_list(schema.get("oneOf"))
    if branches:
        return _value(as_object(branches[-1 if depth > _DEEPEST else 0]), root, word, depth + 1)
    kind = _kind(schema, depth)
    if kind == "object":
        return _object(schema, root, word, depth)
    if kind == "array":
        return _array(schema, root, word, depth)
    if kind in {"integer", "number"}:
        return _number(schema, whole=kind == "integer")
    return {"boolean": True, "null": None}.get(kind, _string(schema, word))


def _resolved(schema: JSONObject, root: JSONObject) -> JSONObject:
    """Return the schema with a local ``$ref`` and ``allOf`` put in."""
    reference = as_text(schema.get("$ref"))
    if reference.startswith("#"):
        target: Any = root
        for step in reference.split("/")[1:]:
            target = as_object(target).get(step)
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _resolved({**as_object(target), **rest}, root)
    for part in as_list(schema.get("allOf")):
        part_schema = _resolved(as_object(part), root)
        properties = {**as_object(schema.get("properties")), **as_object(part_schema.get("properties"))}
        required = as_list(schema.get("required")) + as_list(part_schema.get("required"))
        schema = {**part_schema, **schema}
        if properties:
            schema = {**schema, "properties": properties, "required": required}
    return schema


def _kind(schema: JSONObject, depth: int) -> str:
    kinds = [as_text(kind) for kind in as_list(schema.get("type"))] or [as_text(schema.get("type"))]
    kind = "null" if depth > _DEEPEST and "null" in kinds else kinds[0]
    if kind:
        return kind
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else "string"


def _object(schema: JSONObject, root: JSONObject, word: str, depth: int) -> JSONObject:
    properties = as_object(schema.get("properties"))
    required = dict.fromkeys(as_text(name) for name in as_list(schema.get("required")))
    return {name: _value(as_object(properties.get(name)), root, word, depth + 1) for name in required}


def _array(schema: JSONObject, root: JSONObject, word: str, depth: int) -> list[Any]:
    fixed = as_list(schema.get("prefixItems"))
    if fixed:
        return [_value(as_object(item), root, word, depth + 1) for item in fixed]
    least = int(schema.get("minItems", 0 if depth > _DEEPEST else 1))
    count = max(least, 0 if depth > _DEEPEST or schema.get("maxItems") == 0 else 1)
    return [_value(as_object(schema.get("items")), root, word, depth + 1) for _ in range(count)]


def _number(schema: JSONObject, *, whole: bool) -> float:
    step: float = schema.get("multipleOf", 1 if whole else 0.5)
    below: Any = schema.get("exclusiveMaximum", math.inf)
    most: float = schema.get("maximum", below)
    above: Any = schema.get("exclusiveMinimum")
    least: float | None = schema.get("minimum", above)
    if least is None:
        value = step if step < most else most - step
    else:
        value = math.ceil(least / step) * step
        value += step if above is not None and value <= above else 0
    return int(value) if whole else float(value)


def _string(schema: JSONObject, word: str) -> str:
    text = _FORMATS.get(as_text(schema.get("format")), word)
    text = text.ljust(int(schema.get("minLength", 0)), "x")
    return text[: schema.get("maxLength")]
