# SPDX-License-Identifier: Apache-2.0
"""Trajectories, times and maps of any kind of array as the library takes them.

The library's first axis is the last of an array, and it copies what it is given: here are packed arrays in host
memory, with axes in its order.
"""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from ._kinds import kind_of
from ._structures import COMPLEX, MOST_COILS, MOST_PHASES, MOST_SIZE, PRECISIONS
from .errors import InvalidError

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Samples:
    """Positions of one trajectory along each axis, and times; shape as the caller sees them."""

    shape: tuple[int, ...]
    k: tuple[Array, ...]
    t: Array | None


@dataclass(frozen=True)
class Phase:
    """A phase of higher order: coefficients of each sample and maps, (terms, ...)."""

    c: Array
    b: Array


def shape_of(shape: Any) -> tuple[int, ...]:
    try:
        found = tuple(map(index, shape))
    except TypeError:
        raise InvalidError(f"shape={shape!r}; 1 to 3 sizes of at least 1") from None
    if not 1 <= len(found) <= 3 or min(found) < 1 or max(found) > MOST_SIZE:
        raise InvalidError(f"shape={found}; 1 to 3 sizes of at least 1 and at most {MOST_SIZE}")
    if math.prod(found) > MOST_SIZE:
        raise InvalidError(f"shape={found}; at most {MOST_SIZE} voxels")
    return found


def _hosted(name: str, values: Any) -> Array:
    found = kind_of(values).host(values)
    if found.dtype == object:
        what = "an array of objects" if isinstance(values, np.ndarray) else type(values).__name__
        raise InvalidError(f"{name} is {what}; an array of numbers is wanted")
    return found


def _positions(k: Any, dim: int) -> Array:
    """An array of which the precision of everything else follows."""
    found = _hosted("k", k)
    if found.dtype.name not in PRECISIONS or not found.dtype.isnative:
        nearest = "float32" if found.dtype.kind == "f" and found.dtype.itemsize < 4 else "float64"
        raise InvalidError(f"k is {found.dtype}; float32 (for complex64 data) or float64 (for complex128) is served: "
                           f"k.astype('{nearest}')")
    if found.ndim < 2 or found.shape[-1] != dim:
        raise InvalidError(f"k has the shape {found.shape}; (*samples_shape, {dim}) for an image of {dim} axes")
    return found


def _floats(name: str, values: Any, dtype: str) -> Array:
    found = _hosted(name, values)
    if found.dtype.kind != "f":
        raise InvalidError(f"{name} is {found.dtype}; {dtype} is wanted: {name}.astype('{dtype}')")
    return found


def _times(t: Any, dtype: str, shape: tuple[int, ...]) -> Array:
    found = _floats("t", t, dtype)
    try:
        return np.ascontiguousarray(np.broadcast_to(found, shape), dtype)
    except ValueError:
        raise InvalidError(f"t has the shape {found.shape}, which does not broadcast to {shape}") from None


def _of_shape(name: str, found: Array, shape: tuple[int, ...], why: str) -> Array:
    if found.shape != shape:
        raise InvalidError(f"{name} has the shape {found.shape}; {shape}, {why}")
    return found


def samples_of(k: Any, t: Any, dim: int, dtype: str | None = None) -> tuple[str, Samples]:
    """The precision, and the samples; of a plan that has a precision, k has the same."""
    found = _positions(k, dim)
    if dtype not in (None, found.dtype.name):
        raise InvalidError(f"k is {found.dtype.name}; the plan computes in {dtype}: k.astype('{dtype}')")
    columns = tuple(np.ascontiguousarray(found[..., axis]) for axis in reversed(range(dim)))
    shape = found.shape[:-1]
    times = None if t is None else _times(t, found.dtype.name, shape)
    return found.dtype.name, Samples(shape, columns, times)


def by_frame(samples: Samples, framed: bool) -> list[Samples]:
    """Each trajectory along the first axis, or the only one."""
    if framed and not (samples.shape and samples.shape[0]):
        raise InvalidError("k has no frames; (frames, *samples_shape, dim)")
    if 0 in samples.shape:
        raise InvalidError(f"k has the shape {(*samples.shape, len(samples.k))}; one sample or more is wanted")
    if not framed:
        return [samples]
    return [Samples(samples.shape[1:], tuple(column[frame, ...] for column in samples.k),
                    None if samples.t is None else samples.t[frame, ...]) for frame in range(samples.shape[0])]


def warn_without_effect(samples: Samples, **maps: Array | None) -> None:
    """Of maps that only time makes seen, where all samples are read at t = 0."""
    idle = [name for name, values in maps.items() if values is not None and values.any()]
    if idle and samples.t is not None and not samples.t.any():
        warnings.warn(f"no effect of {' and '.join(idle)}, since all t are 0", stacklevel=3)


def field_of(field: Any, dtype: str, shape: tuple[int, ...]) -> Array:
    found = _of_shape("field", _floats("field", field, dtype), shape, "that of the image")
    return np.ascontiguousarray(found, dtype)


def decay_of(decay: Any, dtype: str, shape: tuple[int, ...]) -> Array:
    found = _of_shape("decay", _floats("decay", decay, dtype), shape, "that of the image")
    return np.ascontiguousarray(found, dtype)


def pair_of(phase: Any) -> tuple[Any, Any]:
    """Coefficients and maps, as they were given."""
    if not isinstance(phase, (tuple, list)) or len(phase) != 2:
        raise InvalidError("phase is no pair (c, b): coefficients (terms, *samples_shape) and maps (terms, *shape)")
    return phase[0], phase[1]


def phase_of(phase: Any, dtype: str, shape: tuple[int, ...], samples: tuple[int, ...]) -> Phase:
    c, b = (_floats(f"phase[{i}]", values, dtype) for i, values in enumerate(pair_of(phase)))
    terms = c.shape[0] if c.ndim else 0
    if not 1 <= terms <= MOST_PHASES:
        raise InvalidError(f"phase[0] has the shape {c.shape}; 1 to {MOST_PHASES} terms along its first axis")
    _of_shape("phase[0]", c, (terms, *samples), "of each sample")
    _of_shape("phase[1]", b, (terms, *shape), f"a map for each of the {terms} terms of phase[0]")
    return Phase(np.ascontiguousarray(c, dtype), np.ascontiguousarray(b, dtype))


def phase_by_frame(phase: Phase | None, frames: int | None) -> list[Phase | None]:
    """The coefficients of each frame's samples, or the only ones."""
    if phase is None or frames is None:
        return [phase] * (frames or 1)
    return [Phase(np.ascontiguousarray(phase.c[:, frame]), phase.b) for frame in range(frames)]


def gradients_of(gradient: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """A map along each axis, in the library's order of axes."""
    wanted = (len(shape), *shape)
    found = _of_shape("gradient", _floats("gradient", gradient, dtype), wanted, "a map along each axis of the image")
    return tuple(reversed(list(np.ascontiguousarray(found, dtype))))


def grid_of(grid: Any, dtype: str, shape: tuple[int, ...]) -> Array:
    """A position for each voxel, along the axes as the caller has them."""
    wanted = (*shape, len(shape))
    found = _of_shape("grid", _floats("grid", grid, dtype), wanted, "a position along each axis for every voxel")
    return np.array(found, dtype, order="C")


def maps_of(maps: Any, dtype: str, shape: tuple[int, ...], coils: int) -> Array:
    """Complex, or real; of the coils that are named, or of as many as there are where that is 0."""
    found = _hosted("maps", maps)
    if found.dtype.kind not in "fc":
        raise InvalidError(f"maps is {found.dtype}; {COMPLEX[dtype]} is wanted: maps.astype('{COMPLEX[dtype]}')")
    if found.ndim != len(shape) + 1 or found.shape[1:] != shape or coils not in (0, len(found)):
        wanted = ", ".join(map(str, (coils or "coils", *shape)))
        raise InvalidError(f"maps has the shape {found.shape}; ({wanted}), a map of each coil")
    if not 1 <= len(found) <= MOST_COILS:
        raise InvalidError(f"maps has {len(found)} coils; 1 to {MOST_COILS}")
    return np.ascontiguousarray(found, COMPLEX[dtype])


def mask_of(mask: Any, shape: tuple[int, ...]) -> Array:
    """Of booleans."""
    found = _hosted("mask", mask)
    if found.dtype != bool:
        raise InvalidError(f"mask is {found.dtype}; bool is wanted: mask != 0")
    return np.array(_of_shape("mask", found, shape, "that of the image"), order="C")


_PLACE = re.compile(r"^(k|t|field|decay|gradient|maps|phase_[cb]|position)(?:\[(\d+)\])? is (\S+) at element (\d+)"
                    r"(?: of coil (\d+))?(.*)$")


def placed(message: str, shape: tuple[int, ...], samples: tuple[int, ...]) -> str:
    """The library's sentence on a value, with its place in the caller's array."""
    found = _PLACE.match(message)
    if not found:
        return message
    name, axis, value, element, coil, rest = found.groups()
    at = [int(i) for i in np.unravel_index(int(element), samples if name in ("k", "t", "phase_c") else shape)]
    if name.startswith("phase"):
        name, at, axis = f"phase[{'cb'.index(name[-1])}]", [int(axis), *at], None
    if axis is not None:
        mine = len(shape) - 1 - int(axis)
        at = [*at, mine] if name in ("k", "position") else [mine, *at]
    if coil is not None:
        at = [int(coil), *at]
    name = "grid" if name == "position" else name
    return f"{name}[{', '.join(map(str, at))}] is {value}{rest}"
