# SPDX-License-Identifier: Apache-2.0
"""One call of an operation: arrays become addresses, and the result is of the kind that was given."""

from __future__ import annotations

from typing import Any, Callable

from ._engine import Engine
from ._kinds import HOST, kind_of
from ._operands import check_out, refuse_place, refuse_unfit
from ._shapes import Layout
from .errors import InvalidError


def execute(engine: Engine, layout_of: Callable[[int, tuple[int, ...]], Layout], dtype: str, operation: int, name: str,
            array: Any, out: Any, out_dtype: str | None = None) -> Any:
    """Without a copy of either array; on a GPU queued on the caller's current stream."""
    if array is None:
        raise InvalidError(f"{name} is None; an array is wanted")
    kind = kind_of(array)
    given = kind.view(array)
    if given.dtype != dtype or not given.packed:
        refuse_unfit(name, kind, given, dtype)
    place = given.place
    if place != engine.place and place != HOST:
        refuse_place(name, given, engine.place)
    result = out_dtype or dtype
    with engine.lock:
        layout = layout_of(operation, given.shape)
        if out is None:
            out = kind.empty(layout.shape, result, array)
            taken = kind.view(out)
        else:
            out_kind = kind_of(out)
            taken = out_kind.view(out)
            if taken.dtype != result or not taken.packed:
                refuse_unfit("out", out_kind, taken, result)
            check_out(taken, given, layout)
        if place == HOST:
            engine.run(operation, given.address, taken.address, layout, 0)
        else:
            stream, keeper = kind.stream(array, place)
            engine.run(operation, given.address, taken.address, layout, stream, keeper)
            if kind.waits:
                engine.wait()
        return out
