# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients of several images at once (Hestenes and Stiefel, 1952)."""

from __future__ import annotations

import math
from typing import Any, Callable, Iterator, NamedTuple


class Step(NamedTuple):
    """What is found after some iterations."""

    iteration: int
    image: Any
    residual: float  # the largest of all images, of the norm of A x - b over that of b


def _dots(a: Any, b: Any, dim: int) -> Any:
    """Real parts of inner products over the last dim axes, which stay with length 1."""
    sums = (a.conj() * b).real.reshape(*a.shape[:a.ndim - dim], -1).sum(-1)
    return sums.reshape(*sums.shape, *dim * [1])


def _over(a: Any, b: Any) -> Any:
    """a / b, 0 / 0 = 0"""
    return a / (b + (b == 0))


def conjugate_gradients(normal: Callable[[Any], Any], right: Any, dim: int, iterations: int, stop: float,
                        damping: float = 0) -> Iterator[Step]:
    """Solves (A + damping) x = b, from x = 0, step by step: the images after each iteration.

    normal      A, of images (*lead, *shape), Hermitian and nowhere negative
    right       b (*lead, *shape), each image of which has its own step lengths
    dim         axes of shape
    stop        it ends after so many iterations, or where every residual is at most this
    damping     what is added to A times the identity (Tikhonov)

    Arrays are of NumPy, CuPy or PyTorch and stay where they are; the largest residual, one number an iteration, is
    all that is read on the host. An image that is not finite is never given out: the steps end before it.
    """
    x, residual, direction = 0 * right, right, right
    energy = _dots(right, right, dim)
    first = energy
    for iteration in range(1, iterations + 1):
        through = normal(direction)
        if damping:
            through = through + damping * direction
        rate = _over(energy, _dots(direction, through, dim))
        x, residual = x + rate * direction, residual - rate * through
        before, energy = energy, _dots(residual, residual, dim)
        largest = math.sqrt(float(_over(energy, first).max()))
        if not math.isfinite(largest):
            return
        yield Step(iteration, x, largest)
        if largest <= stop:
            return
        direction = residual + _over(energy, before) * direction
