# SPDX-License-Identifier: Apache-2.0
"""The field that tissue makes in a magnet: its susceptibility through the dipole's kernel.

With the sphere of Lorentz, dB/B0 = F^-1 (1/3 - kz^2/k^2) F chi (Salomir et al., Concepts Magn. Reson. 19B, 2003;
Marques and Bowtell, Concepts Magn. Reson. 25B, 2005), z along the magnet's field.
"""

from __future__ import annotations

import numpy as np

GAMMA_HZ = 42.577e6  # of protons, per tesla


def field_hz(chi: np.ndarray, voxel_mm: tuple[float, float, float], tesla: float) -> np.ndarray:
    """Hz of chi (nz, ny, nx), which repeats itself beyond its edges; 0 in the mean."""
    axes = [np.fft.fftfreq(chi.shape[0], voxel_mm[0]), np.fft.fftfreq(chi.shape[1], voxel_mm[1]),
            np.fft.rfftfreq(chi.shape[2], voxel_mm[2])]
    kz2, ky2, kx2 = np.meshgrid(*(axis ** 2 for axis in axes), indexing="ij", sparse=True)
    whole = kz2 + ky2 + kx2
    whole[0, 0, 0] = 1
    kernel = 1 / 3 - kz2 / whole
    kernel[0, 0, 0] = 0
    return tesla * GAMMA_HZ * np.fft.irfftn(kernel * np.fft.rfftn(chi), chi.shape)
