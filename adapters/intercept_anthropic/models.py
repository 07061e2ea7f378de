"""What the Models API of Anthropic tells of a model, as anthropic-sdk-python 2.14 types it (`ModelInfo`)."""

from __future__ import annotations

from collections.abc import Mapping

from intercept.spi import JSON, Call, Caps


def capabilities(call: Call, body: Mapping[str, JSON]) -> dict[str, Caps]:
    """Read the models of one answer of the Models API: a page of them, or one."""
    if call.method != "GET" or not call.path.startswith("/v1/models"):
        return {}
    listed = body.get("data")
    models = listed if isinstance(listed, list) else [body]
    return {
        str(model["id"]): _caps(model)
        for model in models
        if isinstance(model, dict) and "id" in model and isinstance(model.get("capabilities"), dict)
    }


def _caps(model: Mapping[str, JSON]) -> Caps:
    images, documents = _supports(model, "image_input"), _supports(model, "pdf_input")
    inputs = ("text", *(("image",) if images else ()), *(("pdf",) if documents else ()))
    return Caps(
        context_window=_number(model, "max_input_tokens"),
        max_output=_number(model, "max_tokens"),
        input_modalities=inputs if images is not None and documents is not None else None,
        structured_output=_supports(model, "structured_outputs"),
        reasoning=_supports(model, "thinking"),
        source="anthropic models API",
    )


def _supports(model: Mapping[str, JSON], name: str) -> bool | None:
    capabilities = model.get("capabilities")
    support = capabilities.get(name) if isinstance(capabilities, dict) else None
    supported = support.get("supported") if isinstance(support, dict) else None
    return supported if isinstance(supported, bool) else None


def _number(model: Mapping[str, JSON], name: str) -> int | None:
    value = model.get(name)
    return value if isinstance(value, int) else None
