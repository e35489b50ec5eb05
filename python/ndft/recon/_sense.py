# SPDX-License-Identifier: Apache-2.0
"""The operator from an image to the samples of all coils, and back."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from .._kinds import kind_of
from .._operator import Operator, Values

Array = np.ndarray[Any, Any]


def fourier(shape: Sequence[int], k: Any, t: Any = None, field: Any = None, **options: Any) -> Operator:
    """Forward and adjoint by one engine, so that they are a matched pair, and normal by the engine that the planner
    takes for it, directly or by Toeplitz's structure (Fessler et al., IEEE TSP 53, 2005). Units as of ndft.Plan."""
    return Operator(shape, Values.of(k, t, field), one_engine=True, **options)


def _beside(values: Any, data: Any) -> Any:
    """As an array of the kind of data, where they are."""
    return None if values is None else kind_of(data).like(kind_of(values).host(values), data)


class Sense:
    """E = F C, images times coil maps and then the field-corrected transform (Pruessmann et al., MRM 46, 2001; with a
    field map Sutton, Noll and Fessler, IEEE TMI 22, 2003).

    fourier  of one coil
    maps     (*lead, coils, *shape) complex, or None: one coil that sees everything alike
    weights  (*samples) of the samples in adjoint and normal, or None: all 1
    like     an array of the kind and place of data, where maps and weights are put

    Images are (*lead, *shape), data (*lead, coils, *samples), of NumPy, CuPy or PyTorch; nothing leaves their device.
    """

    def __init__(self, fourier: Operator, maps: Any, weights: Any, like: Any) -> None:
        self._fourier = fourier
        self._maps, self._weights = _beside(maps, like), _beside(weights, like)
        self._dim = len(fourier.shape)

    def forward(self, image: Any) -> Any:
        """(*lead, *shape) -> (*lead, coils, *samples), without weights"""
        return self._fourier.forward(self._seen(image))

    def adjoint(self, samples: Any) -> Any:
        """(*lead, coils, *samples) -> (*lead, *shape), of weighted samples"""
        return self._combined(self._fourier.adjoint(samples if self._weights is None else self._weights * samples))

    def normal(self, image: Any) -> Any:
        """(*lead, *shape) -> (*lead, *shape), adjoint after forward; without weights by the planner's engine"""
        seen = self._seen(image)
        if self._weights is None:
            return self._combined(self._fourier.normal(seen))
        return self._combined(self._fourier.adjoint(self._weights * self._fourier.forward(seen)))

    def _seen(self, image: Any) -> Any:
        """By each coil."""
        lead, own = image.shape[:image.ndim - self._dim], image.shape[image.ndim - self._dim:]
        image = image.reshape(*lead, 1, *own)
        return image if self._maps is None else image * self._maps

    def _combined(self, images: Any) -> Any:
        seen = images if self._maps is None else images * self._maps.conj()
        return seen.sum(-self._dim - 1)
