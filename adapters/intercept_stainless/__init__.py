"""What SDKs share that one generator (Stainless) wrote: the way of a request from `request` to the wire and back."""

from intercept_stainless.points import patch_points
from intercept_stainless.provider import Provider

__all__ = ["Provider", "patch_points"]
