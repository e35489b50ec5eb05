# SPDX-License-Identifier: Apache-2.0
"""Uniform transforms of any length, by descriptor."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from ._execution import execute
from ._library import check, encoded, library
from ._make import Choice, count, is_number, make_engine_of, one_of, positive
from ._shapes import Layout
from ._views import place_name
from ._structures import (COMPLEX, FORWARD, MOST_BYTES, MOST_THREADS, PRECISIONS, TOL_KINDS, Tensor, TransformDesc,
                          TransformOptions, sized)
from .errors import InvalidError, UnsupportedError


def _parsed(descriptor: str) -> TransformDesc:
    transform = TransformDesc()
    check(library.ndft_transform_parse(encoded("descriptor", descriptor), ctypes.byref(transform)))
    if transform.in_place:
        raise UnsupportedError(f"{descriptor}: in place; out of place ('o') is served here")
    return transform


def _shape(tensor: Tensor, dim: int) -> tuple[int, ...]:
    """Of the array that lies in memory like a packed tensor: (K, Nd, ..., N1, M), without M and K of 1."""
    modes = [*range(1 + dim), 4]
    packed, place = [], 1
    for n, stride in ((tensor.shape[mode], tensor.stride[mode]) for mode in modes):
        if n > 1 and stride != place:
            raise UnsupportedError("strides with gaps or another order of axes; packed ones are served here")
        packed.append(n)
        place *= n
    return tuple(n for axis, n in reversed(list(enumerate(packed))) if n > 1 or 0 < axis <= dim)


def _scale(scale: float | None) -> float:
    if scale is not None and not (is_number(scale) and scale != 0):
        raise InvalidError(f"scale={scale!r}; any number but 0, or None for 1")
    return scale or 0


class Transform:
    """A uniform transform, unnormalised, over an array (K, Nd, ..., N1, M) whose axes M and K are batches:

        y[k] = sum_n x[n] exp(sign 2 pi i sum_d n_d k_d / N_d)

    descriptor  precision domain direction placement shape, as "scfo8.1009*33": single precision ("d": double), complex
                ("r": a real side), forward ("b": backward), out of place, M . N1 x N2 x N3 * K. Axes M and K of 1 are
                left out; of a real signal N1 // 2 + 1 elements of the spectrum are kept
    scale       of every output; None: 1
    Others as of ndft.Plan. UnsupportedError for transforms in place and strides with gaps, which the library's C
    interface serves.
    """

    def __init__(self, descriptor: str, *, tol: float | None = None, tol_kind: str = "typical",
                 scale: float | None = None, device: Any = "cpu", mode: str = "estimate",
                 time_limit: float | None = None, memory_limit: int | None = None, deterministic: bool = False,
                 variant: str | None = None, threads: int | None = None) -> None:
        transform = _parsed(descriptor)
        real = next(name for name, value in PRECISIONS.items() if value == transform.prec)
        sides = getattr(transform, "in"), transform.out
        self._shapes = tuple(_shape(side, transform.dim) for side in sides)
        self._given, self._taken = (real if side.real else COMPLEX[real] for side in sides)
        options = sized(TransformOptions, tol=positive("tol", tol),
                        tol_kind=TOL_KINDS[one_of("tol_kind", tol_kind, TOL_KINDS)], scale=_scale(scale))
        choice = Choice(("forward",), str(device), mode, positive("time_limit", time_limit),
                        count("memory_limit", memory_limit, MOST_BYTES), deterministic, False, variant,
                        count("threads", threads, MOST_THREADS))
        self._engine = make_engine_of(choice, library.ndft_transform_create, ctypes.byref(transform),
                                      ctypes.byref(options))

    def __call__(self, signal: Any, out: Any = None) -> Any:
        """The transform of an array of input_shape; out, of output_shape, takes it and is returned."""
        return execute(self._engine, self._layout, self._given, FORWARD, "signal", signal, out, self._taken)

    def _layout(self, _: int, shape: tuple[int, ...]) -> Layout:
        given, taken = self._shapes
        if shape != given:
            raise InvalidError(f"signal has the shape {tuple(shape)}; {given} is wanted")
        one, other = (math.prod(side) * np.dtype(name).itemsize
                      for side, name in ((given, self._given), (taken, self._taken)))
        return Layout(taken, 1, one, other, one, other)

    def describe(self) -> dict[str, Any]:
        """What ndft_plan_describe has."""
        return self._engine.describe()[0]

    @property
    def input_shape(self) -> tuple[int, ...]:
        return self._shapes[0]

    @property
    def output_shape(self) -> tuple[int, ...]:
        return self._shapes[1]

    @property
    def input_dtype(self) -> np.dtype[Any]:
        return np.dtype(self._given)

    @property
    def output_dtype(self) -> np.dtype[Any]:
        return np.dtype(self._taken)

    @property
    def device(self) -> str:
        """ "cpu" or "cuda:N" """
        return place_name(self._engine.place)
