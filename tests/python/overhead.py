# SPDX-License-Identifier: Apache-2.0
"""What an execution costs in Python beyond the library's call, by a plan that has next to nothing to do.

usage: overhead.py [cpu|cuda]   prints microseconds of one execution, the least of many rounds
"""

from __future__ import annotations

import sys
import timeit
from typing import Any, Callable

import numpy as np

import ndft
from ndft._library import library
from ndft._structures import FORWARD, STREAM_LEGACY

ROUNDS, REPEATS = 2000, 30


def least_us(call: Callable[[], Any]) -> float:
    return min(timeit.repeat(call, number=ROUNDS, repeat=REPEATS)) / ROUNDS * 1e6


def measure(name: str, plan: ndft.Plan, image: Any, out: Any, addresses: tuple[int, int]) -> None:
    handle = plan._engine._held.plans[0]
    if plan.device == "cpu":
        bare = least_us(lambda: library.ndft_execute(handle, FORWARD, *addresses))
    else:
        bare = least_us(lambda: library.ndft_execute_on(handle, STREAM_LEGACY, FORWARD, *addresses))
    whole = least_us(lambda: plan.forward(image, out=out))
    print(f"{name:6} {plan.device:7} the call {bare:6.2f} us, by plan.forward {whole:6.2f} us, "
          f"over it {whole - bare:5.2f} us")


def main(device: str) -> None:
    plan = ndft.Plan((2,), np.zeros((2, 1), np.float32), device=device, threads=1)
    image, out = np.ones(2, np.complex64), np.empty(2, np.complex64)
    if plan.device == "cpu":
        measure("NumPy", plan, image, out, (image.ctypes.data, out.ctypes.data))
    try:
        import torch
    except ImportError as error:
        print(f"torch  skipped: {error}")
        return
    image, out = (torch.from_numpy(array).to(plan.device) for array in (image, out))
    measure("torch", plan, image, out, (image.data_ptr(), out.data_ptr()))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "cpu")
