# SPDX-License-Identifier: Apache-2.0
"""Density compensation by iteration (Pipe and Menon, MRM 41, 1999), with a kernel that is nowhere negative."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

Array = np.ndarray[Any, Any]


def _window(shape: Sequence[int]) -> Array:
    """The overlap of two balls at a distance of r, 0 to 1 at the edge of the image: the transform of a square in up
    to 3 dimensions (Johnson and Pipe, MRM 61, 2009)."""
    axes = np.meshgrid(*(2 * (np.arange(n) - n // 2) / n for n in shape), indexing="ij")
    r: Array = np.minimum(np.sqrt(sum(axis ** 2 for axis in axes)), 1)
    return 1 - 1.5 * r + .5 * r ** 3


def pipe(operator: Any, samples: Any, shape: Sequence[int], max_iter: int, osf: float, normalize: bool,
         **options: Any) -> Array:
    """Weights w (n_samples), divided by |A T A^H w| max_iter times.

    A is the operator of an image osf times the size, of the same voxels, and T a window, so that A T A^H sums over
    neighbours with a kernel as wide as 1 / osf. With normalize the modulus of A^H w A of ones has the mean 1.
    """
    wide = operator(samples, [round(osf * n) for n in shape], squeeze_dims=True, **options)
    window = _window(wide.shape)
    weights: Array = np.ones(wide.n_samples, wide.dtype)
    for _ in range(max_iter):
        weights = weights / abs(wide.op(window * wide.adj_op(weights)))
    if normalize:
        plain = operator(samples, shape, squeeze_dims=True, **options)
        weights = weights / abs(plain.adj_op(weights * plain.op(np.ones(plain.shape, plain.cpx_dtype)))).mean()
    return weights.astype(wide.dtype)
