# SPDX-License-Identifier: Apache-2.0
"""Field maps beyond the object, where nothing was measured."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np

Array = np.ndarray[Any, Any]

_SWEEPS = 100  # of Laplace's equation: smooth as far as about the root of it, in voxels


def _neighbours(values: Array) -> Iterator[Array]:
    """Values of the neighbours on either side along each axis, 0 beyond the edge."""
    for axis in range(values.ndim):
        for inner, outer in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            found = np.zeros_like(values)
            ahead = (slice(None),) * axis
            found[(*ahead, inner)] = values[(*ahead, outer)]
            yield found


def _means(values: Array, known: Array) -> tuple[Array, Array]:
    """Of known neighbours, and where there are any."""
    count: Array = np.sum(list(_neighbours(known.astype(values.dtype))), 0)
    total: Array = np.sum(list(_neighbours(values * known)), 0)
    return total / np.maximum(count, 1), count > 0


def extended(field: Array) -> Array:
    """The map (*shape) with its exact zeros, which were not measured, replaced by what continues it smoothly.

    A map that ends in zeros at the object's edge has a jump there which no field has: voxels beside each other are
    told to be hundreds of Hz apart, and iterations make edges of that. Zeros become the mean of their neighbours
    first, from the object outwards, and then so often again that the continuation is nearly harmonic. A map of
    zeros, or without, is as it was.
    """
    measured = field != 0
    if measured.all() or not measured.any():
        return field
    found, known = field.copy(), measured
    while not known.all():
        means, near = _means(found, known)
        found = np.where(near & ~known, means, found)
        known = known | near
    for _ in range(_SWEEPS):
        found = np.where(measured, field, _means(found, known)[0])
    return found
