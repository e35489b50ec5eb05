# SPDX-License-Identifier: Apache-2.0
"""One call of an operation: arrays become addresses, and the result is of the kind that was given."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

from ._engine import Engine
from ._kinds import kind_of
from ._operands import check_out, refuse_place, refuse_unfit
from ._shapes import Layout
from ._structures import FORWARD
from ._views import HOST, View
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


def _viewed(engine: Engine, name: str, array: Any, dtype: str) -> View:
    """Of an array that is packed, of the dtype, and where the plan is."""
    kind = kind_of(array)
    view = kind.view(array)
    if view.dtype != dtype or not view.packed:
        refuse_unfit(name, kind, view, dtype)
    if view.place != engine.place:
        refuse_place(name, view, engine.place)
    return view


def moments(engine: Engine, layout_of: Callable[[int, tuple[int, ...]], Layout], dtype: str, real: str,
            voxels: tuple[int, ...], summed: tuple[int, ...], weights: Any, image: Any, samples: Any) -> Any:
    """(*summed, n) reals of weights (n, *voxels); summed are the frames and a frame's samples."""
    kind = kind_of(image)
    w = _viewed(engine, "weights", weights, real)
    x = _viewed(engine, "image", image, dtype)
    s = _viewed(engine, "samples", samples, dtype)
    if tuple(w.shape[1:]) != voxels:
        raise InvalidError(f"weights has the shape {tuple(w.shape)}; (n, {', '.join(map(str, voxels))}) is wanted")
    with engine.lock:
        layout = layout_of(FORWARD, x.shape)
        if tuple(s.shape) != layout.shape:
            raise InvalidError(f"samples has the shape {tuple(s.shape)}; {layout.shape} is wanted, that of the image's")
        count = w.shape[0]
        workspace = kind.empty((engine.moments_bytes(count),), "uint8", image)
        sums = kind.empty((*summed, count), real, image)
        stream, keeper = (0, None) if engine.place == HOST else kind.stream(image, engine.place)
        frame_bytes = math.prod(sums.shape) // len(engine) * np.dtype(real).itemsize
        engine.moments(count, w.address, x.address, s.address, layout, kind.view(workspace).address,
                       kind.view(sums).address, frame_bytes, stream, keeper)
        if kind.waits and engine.place != HOST:
            engine.wait()
    return sums
