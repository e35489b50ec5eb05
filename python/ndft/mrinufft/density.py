# SPDX-License-Identifier: Apache-2.0
"""Density compensation of MRI-NUFFT's operator, by the iteration of _density."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from .._density import iterated, window

Array = np.ndarray[Any, Any]


def pipe(operator: Any, samples: Any, shape: Sequence[int], max_iter: int, osf: float, normalize: bool,
         **options: Any) -> Array:
    """Weights w (n_samples), divided by |A T A^H w| max_iter times.

    A is the operator of an image osf times the size, of the same voxels, and T a window, so that A T A^H sums over
    neighbours with a kernel as wide as 1 / osf. With normalize the modulus of A^H w A of ones has the mean 1.
    """
    wide = operator(samples, [round(osf * n) for n in shape], squeeze_dims=True, **options)
    pass_band = window(wide.shape)
    weights: Array = iterated(lambda w: wide.op(pass_band * wide.adj_op(w)), np.ones(wide.n_samples, wide.dtype),
                              max_iter)
    if normalize:
        plain = operator(samples, shape, squeeze_dims=True, **options)
        weights = weights / abs(plain.adj_op(weights * plain.op(np.ones(plain.shape, plain.cpx_dtype)))).mean()
    return weights.astype(wide.dtype)
