# SPDX-License-Identifier: Apache-2.0
"""An image that was found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Image(NamedTuple):
    values: np.ndarray  # (ny, nx), complex
    iterations: int
    seconds: float  # with making the operator, of coil maps and weights that are known
