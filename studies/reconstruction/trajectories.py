# SPDX-License-Identifier: Apache-2.0
"""Spirals and EPI, fully sampled: k (shots, points, 2) in cycles/FOV, columns y and x, and t (points) in s."""

from __future__ import annotations

import numpy as np

from ndft.recon._simulation import spiral

DENSER = 4 / 3  # samples of a line of EPI, per voxel

__all__ = ["epi", "spiral"]


def epi(n: int, shots: int, readout_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Shots take every so many lines, there and back; n is a multiple of shots."""
    lines, points = n // shots, round(DENSER * n)
    x = np.linspace(-n / 2, n / 2, points, endpoint=False)
    there_and_back = np.where(np.arange(lines)[:, None] % 2 == 0, x, -x)
    y = (np.arange(lines) * shots - n // 2 + np.arange(shots)[:, None])[..., None]
    k = np.stack(np.broadcast_arrays(y, there_and_back), -1).reshape(shots, lines * points, 2)
    t = readout_s * (np.arange(lines * points) + .5) / (lines * points)
    return k.astype(np.float32), t.astype(np.float32)
