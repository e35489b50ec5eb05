# SPDX-License-Identifier: Apache-2.0
"""One line exchanges MRI-NUFFT's backend: get_operator("finufft") for get_operator("ndft"), with times of both.

    python3 examples/python/mrinufft_backend.py     # with mri-nufft and finufft

256 x 256, 64 spokes, 8 coils, single precision, an error of 1e-4 allowed to both, arrays on the host.
"""

import time
import warnings

import numpy as np
from mrinufft import get_operator, initialize_2D_radial

import ndft.mrinufft  # noqa: F401  registers "ndft"

SHAPE, COILS, ROUNDS = (256, 256), 8, 5


def best(call, *args):
    """s, of the fastest of some rounds; the first is not counted."""
    times = []
    for _ in range(1 + ROUNDS):
        start = time.perf_counter()
        call(*args)
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main():
    warnings.filterwarnings("ignore", "Samples will be rescaled")
    samples = initialize_2D_radial(64, 512).astype(np.float32)
    rng = np.random.default_rng(0)
    image = (rng.standard_normal((COILS, *SHAPE)) + 1j * rng.standard_normal((COILS, *SHAPE))).astype(np.complex64)
    found = {}
    print(f"{'':12}{'forward':>12}{'adjoint':>12}")
    for backend, options in (("finufft", {"n_trans": COILS}), ("ndft", {})):
        operator = get_operator(backend)(samples, SHAPE, n_coils=COILS, eps=1e-4, **options)  # the line
        found[backend] = operator.op(image)
        forward, adjoint = best(operator.op, image), best(operator.adj_op, found[backend])
        print(f"{backend:12}{1e3 * forward:9.1f} ms{1e3 * adjoint:9.1f} ms")
    difference = np.linalg.norm(found["ndft"] - found["finufft"]) / np.linalg.norm(found["finufft"])
    print(f"they differ by {difference:.1e}")
    assert difference < 3e-4


if __name__ == "__main__":
    main()
