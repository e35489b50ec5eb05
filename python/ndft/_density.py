# SPDX-License-Identifier: Apache-2.0
"""Density compensation by iteration (Pipe and Menon, MRM 41, 1999), with a kernel that is nowhere negative."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

Array = np.ndarray[Any, Any]


def window(shape: Sequence[int]) -> Array:
    """The overlap of two balls at a distance of r, 0 to 1 at the edge of the image: the transform of a square in up
    to 3 dimensions (Johnson and Pipe, MRM 61, 2009)."""
    axes = np.meshgrid(*(2 * (np.arange(n) - n // 2) / n for n in shape), indexing="ij")
    r: Array = np.minimum(np.sqrt(sum(axis ** 2 for axis in axes)), 1)
    return 1 - 1.5 * r + .5 * r ** 3


def iterated(around: Callable[[Any], Any], weights: Any, iterations: int) -> Any:
    """weights divided by |around(weights)| so many times; around sums over the neighbours of each sample."""
    for _ in range(iterations):
        weights = weights / abs(around(weights))
    return weights
