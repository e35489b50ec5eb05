# SPDX-License-Identifier: Apache-2.0
"""Coil maps from the middle of k-space, normalised by the root of the sum of squares.

What Pruessmann et al. (MRM 42, 1999) do with a reference scan, of the scan itself: images of low resolution, each
divided by what all coils together see. The phase that all coils share, the object's own, goes into the maps.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import InvalidError

Array = np.ndarray[Any, Any]


def middle_window(k: Array, radius: float) -> Array:
    """Weights (*samples) of Hann, 1 at k = 0 and 0 from radius on, in cycles/FOV."""
    distance = np.sqrt((k.astype(float) ** 2).sum(-1)) / radius
    found: Array = np.where(distance < 1, .5 + .5 * np.cos(math.pi * np.minimum(distance, 1)), 0)
    if not found.any():
        raise InvalidError(f"coil maps: no sample lies within {radius:g} cycles/FOV of the middle of k-space, the "
                           f"next at {math.sqrt(float((k.astype(float) ** 2).sum(-1).min())):.3g}; maps of your own "
                           "are valid")
    return found


def normalised(images: Array) -> Array:
    """Maps (coils, *shape) of images of all coils: of one coil 1, since its image is all that is known, and alike where
    there is no signal, whose image is 0 by any."""
    if images.shape[0] == 1 or not images.any():
        return np.full_like(images, images.shape[0] ** -.5)
    images = images / (abs(images).max() or 1)  # so that squares are floats
    together = np.sqrt((abs(images) ** 2).sum(0))
    found: Array = images / np.maximum(together, np.finfo(together.dtype).tiny)
    return found
