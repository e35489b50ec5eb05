# SPDX-License-Identifier: Apache-2.0
"""The operator as the library is told of it."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Iterator

import numpy as np

from ._intake import Array, Phase, Samples, placed
from ._library import library, made
from ._structures import AXES, LAYOUTS, PRECISIONS, TOL_KINDS, ProblemDesc, sized
from .errors import InvalidError, UnsupportedError


@dataclass(frozen=True)
class Problem:
    """What ndft_problem_desc has; gradients in the library's order of axes."""

    shape: tuple[int, ...]
    dtype: str
    samples: Samples
    field: Array | None
    decay: Array | None
    phase: Phase | None
    gradients: tuple[Array, ...]
    grid: Array | None
    mask: Array | None
    maps: Array | None
    coils: int
    interleaved: bool
    tol: float
    tol_kind: str

    @cached_property
    def positions(self) -> tuple[Array, ...]:
        """Of voxels off the grid, in the library's order of axes."""
        grid = self.grid
        if grid is None:
            return ()
        return tuple(np.ascontiguousarray(grid[..., axis]) for axis in reversed(range(grid.ndim - 1)))

    def with_values(self, samples: Samples, field: Array | None = None) -> Problem:
        """The same with other samples, and another field where one is given."""
        if self.phase is not None and samples.shape != self.samples.shape:
            raise UnsupportedError("capacity: phase belongs to the samples of a plan, which takes no others with it")
        return replace(self, samples=samples, field=self.field if field is None else field)


def pointer(array: Array | None) -> int | None:
    return None if array is None else array.ctypes.data


def pointers(arrays: tuple[Array, ...]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * AXES)(*map(pointer, arrays))


def _described(p: Problem) -> ProblemDesc:
    """Valid as long as the arrays of p are."""
    c, b = (None, None) if p.phase is None else (p.phase.c, p.phase.b)
    return sized(ProblemDesc, dim=len(p.shape), n=tuple(reversed(p.shape)), prec=PRECISIONS[p.dtype],
                 layout=LAYOUTS["interleaved" if p.interleaved else "planar"], coils=p.coils, tol=p.tol,
                 tol_kind=TOL_KINDS[p.tol_kind], n_samples=p.samples.k[0].size, k=pointers(p.samples.k),
                 t=pointer(p.samples.t), field=pointer(p.field), decay=pointer(p.decay),
                 phases=0 if c is None else len(c), phase_c=pointer(c), phase_b=pointer(b),
                 gradient=pointers(p.gradients), mask=pointer(p.mask), position=pointers(p.positions),
                 maps=pointer(p.maps))


@contextmanager
def created(device: int, p: Problem) -> Iterator[int]:
    """A problem of the library, which plans that are made meanwhile keep."""
    with said_in_place(p.shape, p.samples.shape):
        problem = made(library.ndft_problem_create, device, ctypes.byref(_described(p)))
    try:
        yield problem
    finally:
        library.ndft_problem_destroy(problem)


@contextmanager
def said_in_place(shape: tuple[int, ...], samples: tuple[int, ...]) -> Iterator[None]:
    """Sentences on a value name it by its place in the caller's arrays."""
    try:
        yield
    except InvalidError as error:
        raise InvalidError(placed(str(error), shape, samples)) from None
