# SPDX-License-Identifier: Apache-2.0
"""ndft beside cufinufft through MRI-NUFFT's interface, with arrays on the device, in the same rounds.

    python3 tests/python/mrinufft_speed.py [SIZE [COILS [EPS]]]     # 256 32 1e-4; with mri-nufft, cupy and cufinufft

A line of JSON for each backend and operation: us a call, the median of rounds, each of many calls one behind the
other; the error beside a plan of ndft in double; cufinufft with the number of transforms at once (n_trans) that is
fastest for it, tolerances of both being EPS, and EPS/2 for cufinufft where its error is beyond EPS.
"""

import json
import sys
import time
import warnings

import cupy as cp
import numpy as np
from mrinufft import get_operator, initialize_2D_radial

import ndft.mrinufft  # noqa: F401  registers "ndft"

ROUNDS, CALLS = 15, 20


def seconds_of(call, array):
    cp.cuda.Device().synchronize()
    start = time.perf_counter()
    for _ in range(CALLS):
        call(array)
    cp.cuda.Device().synchronize()
    return (time.perf_counter() - start) / CALLS


def medians(calls):
    """s of a call, by name; calls: (function, array) by name, all of them in every round."""
    times = {name: [] for name in calls}
    for each in range(2 + ROUNDS):
        for name, (call, array) in calls.items():
            found = seconds_of(call, array)
            if each >= 2:
                times[name].append(found)
    return {name: float(np.median(found)) for name, found in times.items()}


def error_of(found, truth):
    return float(cp.linalg.norm(found.ravel() - truth.ravel()) / cp.linalg.norm(truth))


def main(size=256, coils=32, eps=1e-4):
    warnings.filterwarnings("ignore")
    shape = (size, size)
    samples = initialize_2D_radial(size, size).astype(np.float32)
    rng = cp.random.default_rng(1)
    image = (rng.standard_normal((coils, *shape)) + 1j * rng.standard_normal((coils, *shape))).astype(cp.complex64)
    exact = get_operator("ndft")(samples.astype(np.float64), shape, n_coils=coils, eps=1e-10)
    data = exact.op(image.astype(cp.complex128))
    truths = {"op": data, "adj_op": exact.adj_op(data)}
    data = data.astype(cp.complex64)
    operators = {"ndft": get_operator("ndft")(samples, shape, n_coils=coils, eps=eps)}
    for trans in (1, 2, 4, 8, 16, 32):
        if trans <= coils:
            for asked in (eps, eps / 2):
                operators[f"cufinufft n_trans={trans} eps={asked:g}"] = get_operator("cufinufft")(
                    samples, shape, n_coils=coils, n_trans=trans, eps=asked)
    for name, array in (("op", image), ("adj_op", data)):
        calls = {who: (getattr(operator, name), array) for who, operator in operators.items()}
        errors = {who: error_of(call(array), truths[name]) for who, (call, array) in calls.items()}
        for who, seconds in medians(calls).items():
            print(json.dumps({"operation": name, "size": size, "coils": coils, "backend": who,
                              "us": round(1e6 * seconds, 1), "error": float(f"{errors[who]:.3g}")}), flush=True)


if __name__ == "__main__":
    main(*(kind(given) for kind, given in zip((int, int, float), sys.argv[1:])))
