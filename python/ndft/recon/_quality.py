# SPDX-License-Identifier: Apache-2.0
"""How near an image is to the one that is known."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_SPREAD, _REACH = 1.5, 5  # of the Gaussian window, in voxels


def nrmse(image: Array, truth: Array) -> float:
    """Root of the mean squared error of moduli over that of the truth; nothing is scaled to fit."""
    return float(np.linalg.norm(abs(image) - abs(truth)) / np.linalg.norm(truth))


def _windowed(image: Array) -> Array:
    """Means with a Gaussian window, where all of it is inside, along both axes."""
    window = np.exp(-.5 * (np.arange(-_REACH, _REACH + 1) / _SPREAD) ** 2)
    window /= window.sum()
    for axis in (0, 1):
        image = np.apply_along_axis(np.convolve, axis, image, window, "valid")
    return image


def ssim(image: Array, truth: Array) -> float:
    """The mean structural similarity of moduli, 1 for the same (Wang, Bovik, Sheikh and Simoncelli, IEEE TIP 13,
    2004): a Gaussian window of 11 x 11 voxels, constants .01 and .03 of the truth's largest value."""
    a, b = abs(image).astype(float), abs(truth).astype(float)
    c1, c2 = ((share * b.max()) ** 2 for share in (.01, .03))
    mean_a, mean_b = _windowed(a), _windowed(b)
    var_a, var_b = _windowed(a * a) - mean_a ** 2, _windowed(b * b) - mean_b ** 2
    both = _windowed(a * b) - mean_a * mean_b
    similar = (2 * mean_a * mean_b + c1) * (2 * both + c2) / ((mean_a ** 2 + mean_b ** 2 + c1) * (var_a + var_b + c2))
    return float(similar.mean())
