# SPDX-License-Identifier: Apache-2.0
"""Density weights of a trajectory, by the iteration of Pipe and Menon (MRM 41, 1999)."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from .._density import iterated, window
from .._operator import Operator, Values
from ..errors import InvalidError

Array = np.ndarray[Any, Any]


def density_weights(k: Array, shape: Sequence[int], iterations: int = 10, **options: Any) -> Array:
    """Weights (*samples) of samples at k (*samples, dim) in cycles/FOV of an image of shape.

    w becomes w / |A T A^H w| so many times: A is the operator of an image twice as wide with the same voxels, T a
    window. They are scaled so that A^H w A of ones has the mean modulus 1, and so is the weighted adjoint of the
    samples of an image like that image. options are those of ndft.Plan. InvalidError where they do not stay finite.
    """
    wide_shape = [2 * n for n in shape]
    wide, plain = (Operator(size, Values(values), **options)
                   for size, values in ((wide_shape, 2 * k), (shape, k)))
    pass_band = window(wide_shape).astype(wide.dtype)

    def around(weights: Array) -> Array:
        found: Array = wide.forward(pass_band * wide.adjoint(weights.astype(wide.dtype)))
        return found

    with np.errstate(divide="ignore", invalid="ignore"):
        weights: Array = iterated(around, np.ones(k.shape[:-1], k.dtype), iterations)
        through = plain.adjoint(weights * plain.forward(np.ones(tuple(shape), plain.dtype)))
        weights = (weights / abs(through).mean()).astype(k.dtype)
    if not np.isfinite(weights).all():
        raise InvalidError(f"the density weights of this trajectory do not stay finite in {iterations} iterations; "
                           "weights of your own, or None, are valid")
    return weights
