# SPDX-License-Identifier: Apache-2.0
"""What T. S. Sorensen, T. Schaeffter, K. O. Noe and M. S. Hansen printed: IEEE Trans. Med. Imaging 27, 2008, p. 538.

Seconds of one execution, as many samples as voxels, oversampling 2 and width 4 but for Tables IV and V. Stages were
timed apart. What was not printed is None.
"""

from __future__ import annotations

CPU, GPU = "2007, NFFT 3.0 on a Xeon", "2007, FireStream 2U"
SIZES = (128, 256, 512)
LETTERS = ("G", "L", "KB")  # the Gaussian on line, a window from a table, Kaiser-Bessel on line
STAGES = (*(f"convolution {letter}" for letter in LETTERS), "FFT", "deapodisation",
          *(f"total {letter}" for letter in LETTERS))

# Tables I and II: in the order of STAGES.
TIMES: dict[tuple[str, str, int], dict[str, tuple[float | None, ...]]] = {
    ("forward", "spiral", 128): {
        CPU: (None, 3.3e-2, None, 1.7e-3, 7.6e-4, None, 3.7e-2, None),
        GPU: (1.0e-3, None, 1.3e-3, 3.6e-3, 1.9e-4, 5.4e-3, None, 5.6e-3)},
    ("forward", "spiral", 256): {
        CPU: (None, 1.7e-1, None, 1.6e-2, 3.0e-3, None, 1.9e-1, None),
        GPU: (3.5e-3, None, 4.0e-3, 1.1e-2, 5.2e-4, 1.6e-2, None, 1.7e-2)},
    ("forward", "spiral", 512): {
        CPU: (None, 1.0, None, 7.2e-2, 1.2e-2, None, 1.2, None),
        GPU: (1.3e-2, None, 1.5e-2, 4.5e-2, 2.2e-3, 6.3e-2, None, 6.5e-2)},
    ("forward", "radial", 128): {
        CPU: (None, 3.3e-2, None, 1.7e-3, 7.6e-4, None, 3.7e-2, None),
        GPU: (1.4e-3, None, 1.8e-3, 2.9e-3, 1.7e-4, 4.9e-3, None, 5.3e-3)},
    ("forward", "radial", 256): {
        CPU: (None, 1.7e-1, None, 1.6e-2, 3.0e-3, None, 1.9e-1, None),
        GPU: (5.0e-3, None, 5.8e-3, 1.1e-2, 5.2e-4, 1.7e-2, None, 1.8e-2)},
    ("forward", "radial", 512): {
        CPU: (None, 1.0, None, 7.2e-2, 1.2e-2, None, 1.2, None),
        GPU: (1.8e-2, None, 2.1e-2, 4.4e-2, 2.2e-3, 6.8e-2, None, 7.0e-2)},
    ("adjoint", "spiral", 128): {
        CPU: (None, 3.8e-2, None, 1.8e-3, 7.5e-4, None, 4.0e-2, None),
        GPU: (1.1e-3, 1.8e-3, 1.6e-3, 3.9e-3, 2.2e-4, 5.2e-3, 6.6e-3, 6.2e-3)},
    ("adjoint", "spiral", 256): {
        CPU: (None, 1.9e-1, None, 1.8e-2, 3.0e-3, None, 2.1e-1, None),
        GPU: (3.5e-3, 5.2e-3, 5.1e-3, 1.0e-2, 5.0e-4, 1.4e-2, 1.9e-2, 1.6e-2)},
    ("adjoint", "spiral", 512): {
        CPU: (None, 1.1, None, 7.4e-2, 1.2e-2, None, 1.3, None),
        GPU: (1.3e-2, 1.8e-2, 1.8e-2, 4.5e-2, 2.3e-3, 6.4e-2, 6.9e-2, 6.9e-2)},
    ("adjoint", "radial", 128): {
        CPU: (None, 3.8e-2, None, 1.8e-3, 7.5e-4, None, 4.0e-2, None),
        GPU: (1.5e-3, 2.0e-3, 1.9e-3, 3.9e-3, 2.2e-4, 5.9e-3, 6.4e-3, 6.7e-3)},
    ("adjoint", "radial", 256): {
        CPU: (None, 1.9e-1, None, 1.8e-2, 3.0e-3, None, 2.1e-1, None),
        GPU: (4.3e-3, 5.6e-3, 5.4e-3, 1.2e-2, 5.7e-4, 1.8e-2, 1.9e-2, 1.9e-2)},
    ("adjoint", "radial", 512): {
        CPU: (None, 1.1, None, 7.4e-2, 1.2e-2, None, 1.3, None),
        GPU: (1.5e-2, 1.8e-2, 1.7e-2, 4.5e-2, 2.2e-3, 6.5e-2, 6.9e-2, 6.8e-2)},
}

# Table III: the convolution of NFFT^H alone, trajectories computed on line; Gaussian, KB.
ONLINE = {("spiral", 128): (1.4e-3, 1.8e-3), ("spiral", 256): (4.7e-3, 6.1e-3), ("spiral", 512): (1.9e-2, 2.4e-2),
          ("radial", 128): (1.4e-3, 2.2e-3), ("radial", 256): (4.0e-3, 5.9e-3), ("radial", 512): (1.3e-2, 1.9e-2)}

# Table IV, adjoint, radial 256 x 256, Gaussian: convolution and FFT, by (oversampling, W). Of Table II is (2, 4).
NARROW = {(2, 4): {CPU: (1.9e-1, 1.8e-2), GPU: (4.3e-3, 1.2e-2)},
          (2, 3): {CPU: (1.4e-1, 1.8e-2), GPU: (3.7e-3, 1.2e-2)},
          (1, 4): {CPU: (6.3e-2, 1.8e-3), GPU: (2.9e-3, 3.9e-3)}}

# Table V, root mean squares of errors with a Gaussian: of the phantom on CPU and GPU, then of the heart. Rows were
# printed by oversampling; that their widths are 2 and 4, then 2, 3 and 4, is read off Fig. 7 and their order.
ERRORS = {(1, 2): (2.441e-1, 2.198e-1, 5.581e-2, 5.544e-2), (1, 4): (2.071e-1, 2.073e-1, 4.944e-2, 4.993e-2),
          (2, 2): (3.045e-2, 2.990e-2, 1.562e-2, 1.555e-2), (2, 3): (9.349e-3, 8.863e-3, 5.353e-3, 5.351e-3),
          (2, 4): (2.881e-3, 2.914e-3, 1.561e-3, 1.559e-3)}

# Section V: seconds of preprocessing, forward and adjoint, and frames a second of the adjoint on CPU and GPU.
PREPROCESSING = {128: (0.1, 0.04), 256: (0.4, 0.2), 512: (1.4, 0.9)}
FRAMES = {256: (5, 70), 512: (1, 15)}
