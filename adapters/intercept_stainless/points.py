"""The one table of places to patch in a generated SDK, and in the HTTP libraries under it.

Read and run on openai 1.109 to 3.57 and anthropic 0.60 to 2.14, without a version branch.
"""

from __future__ import annotations

from typing import Final

from intercept.spi import PatchPoint
from intercept_stainless.identity import build_request_wrapper, wrap_async_request, wrap_request
from intercept_stainless.provider import Provider
from intercept_stainless.waits import wrap_async_poll_wait, wrap_async_retry_wait, wrap_poll_wait, wrap_retry_wait
from intercept_stainless.wire import wrap_async_send, wrap_send, wrap_transport

WIRE: Final = tuple(
    point
    for library in ("httpx2", "httpx")
    for point in (
        PatchPoint(library, "Client.send", wrap_send),
        PatchPoint(library, "AsyncClient.send", wrap_async_send),
        PatchPoint(library, "HTTPTransport.handle_request", wrap_transport, required=False),
        PatchPoint(library, "AsyncHTTPTransport.handle_async_request", wrap_transport, required=False),
    )
)


def patch_points(provider: Provider) -> tuple[PatchPoint, ...]:
    """List the places of one SDK, the shared HTTP libraries included."""
    base, resource = f"{provider.sdk}._base_client", f"{provider.sdk}._resource"
    return (
        PatchPoint(base, "SyncAPIClient.request", wrap_request),
        PatchPoint(base, "AsyncAPIClient.request", wrap_async_request),
        PatchPoint(base, "BaseClient._build_request", build_request_wrapper(provider)),
        PatchPoint(base, "SyncAPIClient._sleep_for_retry", wrap_retry_wait, required=False),
        PatchPoint(base, "AsyncAPIClient._sleep_for_retry", wrap_async_retry_wait, required=False),
        PatchPoint(resource, "SyncAPIResource._sleep", wrap_poll_wait, required=False),
        PatchPoint(resource, "AsyncAPIResource._sleep", wrap_async_poll_wait, required=False),
        *WIRE,
    )
