"""Python processes that are started while the network is blocked: they block too, for all their life.

Every start of an interpreter runs a line that looks for the variable (`sdk-intercept-guard.pth`), and calls `join`
where it is set. A program that is given an environment of its own gets the variable too.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from intercept.spi import PatchPoint

if TYPE_CHECKING:
    from collections.abc import Callable

_ENV: Final = 10
"""The position of `env` among the arguments of `Popen`."""


def join() -> None:
    """Block for the life of this process, as the variable says."""
    from intercept.guard import loops
    from intercept.guard.hook import GUARD, VARIABLE, Block
    from intercept.patching import PATCHES

    told = os.environ.get(VARIABLE, "")
    if told.startswith("1:"):
        hosts = tuple(host for host in told[2:].split(",") if host)
        GUARD.begin(Block("the session that started this process", hosts, lambda _: None))
        PATCHES.activate((), (*PATCH_POINTS, *loops.PATCH_POINTS))


def _start(wrapped: Callable[..., Any], _popen: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from intercept.guard.hook import GUARD, VARIABLE

    if GUARD.active:
        if kwargs.get("env") is not None:
            kwargs = {**kwargs, "env": {**kwargs["env"], VARIABLE: GUARD.told()}}
        elif len(args) > _ENV and args[_ENV] is not None:
            args = (*args[:_ENV], {**args[_ENV], VARIABLE: GUARD.told()}, *args[_ENV + 1 :])
    return wrapped(*args, **kwargs)


PATCH_POINTS: Final = (PatchPoint("subprocess", "Popen.__init__", _start),)
