# SPDX-License-Identifier: Apache-2.0
"""How sharp an image is, by which the sign of a field map is seen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._operator import packed
from ._sense import fourier

Array = np.ndarray[Any, Any]


def sharpness(image: Array) -> float:
    """Gradient energy of the normalised image: the sum of squared differences of neighbours along all axes, of
    |image| divided by its l2 norm. An image of zeros has 0. Noise and false edges have gradients, too: images are
    compared that differ in one thing alone."""
    modulus = abs(image).astype(float)
    norm = np.linalg.norm(modulus)
    if norm == 0:
        return 0.
    return float(sum((np.diff(modulus, axis=axis) ** 2).sum() for axis in range(modulus.ndim)) / norm ** 2)


_ROUNDING = .01


class Signs(NamedTuple):
    """Sharpness of the image without the map, with it, and with its negative."""

    without: float
    given: float
    negative: float

    @property
    def wrong(self) -> bool:
        """Whether the negative makes the sharper image, by more than rounding."""
        return self.negative > self.given + _ROUNDING * self.without

    def __str__(self) -> str:
        gains = (f"{100 * (value / self.without - 1):+.1f} %" if self.without else "unknown"
                 for value in (self.given, self.negative))
        return "sharpness against no map: {} with the map, {} with its negative".format(*gains)


def signs(shape: tuple[int, ...], k: Array, t: Array, field: Array, data: Array, weights: Array | None = None,
          **options: Any) -> Signs:
    """Of the root of the sum of squares over coils of the weighted adjoint, of data (coils, *samples) and density
    weights (*samples); the rest as of ndft.Plan, options too: a phase of higher order is in all three."""
    found = []
    for one in (None, field, -field):
        operator = fourier(shape, k, None if one is None else t, one, **options)
        weighted = packed(data if weights is None else weights * data, operator.dtype)
        images = abs(operator.adjoint(weighted)).astype(float)
        found.append(sharpness(np.sqrt((images ** 2).sum(0))))
    return Signs(*found)
