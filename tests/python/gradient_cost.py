# SPDX-License-Identifier: Apache-2.0
"""What a derivative by the trajectory costs beside executions of as many columns.

    python3 tests/python/gradient_cost.py [cpu|cuda [SIZE [COILS [maps]]]]      # with torch

ms of forward, of a plan of 1 + d times as many columns, and of forward with its derivative by k, one behind the
other; their ratio is to be at most 1.3, but not with gradient maps. On a GPU also the time of what the derivative has
the device do.
"""

import sys
import time

import numpy as np
import torch

import ndft
import ndft.torch

ROUNDS, CALLS = 10, 10


def least_ms(call, wait):
    call()
    times = []
    for _ in range(ROUNDS):
        wait()
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        wait()
        times.append((time.perf_counter() - start) / CALLS)
    return 1e3 * min(times)


def device_ms(call):
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CUDA]) as found:
        for _ in range(CALLS):
            call()
        torch.cuda.synchronize()
    rows = found.key_averages()
    for row in sorted(rows, key=lambda row: -row.self_device_time_total)[:12]:
        print(f"    {row.self_device_time_total / CALLS:8.1f} us  {row.count // CALLS}x  {row.key[:90]}")
    return 1e-3 * sum(row.self_device_time_total for row in rows) / CALLS


def maps_of(k, size):
    """Times and gradient maps as of a readout of 20 ms."""
    t = torch.linspace(0, 2e-2, len(k), dtype=k.dtype, device=k.device)
    return {"t": t, "gradient": torch.randn(2, size, size, dtype=k.dtype, device=k.device)}


def main(device="cpu", size=256, coils=8, maps=""):
    angle = np.pi * np.arange(size)[:, None] / size
    radius = np.arange(size) - size / 2
    k = torch.tensor(np.stack([radius * np.sin(angle), radius * np.cos(angle)], -1).reshape(-1, 2),
                     dtype=torch.float32, device=device)
    image = torch.randn(coils, size, size, dtype=torch.complex64, device=device)
    columns = image.repeat(3, 1, 1)
    values = maps_of(k, size) if maps else {}
    one, three = (ndft.Plan((size, size), k, coils=columns, **values) for columns in (coils, 3 * coils))
    wanted = k.clone().requires_grad_()
    ones = torch.ones(coils, len(k), dtype=torch.complex64, device=device)

    def gradient():
        torch.autograd.grad(ndft.torch.forward(one, image, k=wanted, **values), wanted, ones)

    wait = torch.cuda.synchronize if device != "cpu" else lambda: None
    forward = least_ms(lambda: one.forward(image), wait)
    many = least_ms(lambda: three.forward(columns), wait)
    both = least_ms(gradient, wait)
    print(f"{device} {size}x{size}, {len(k)} samples, {coils} coils {maps}: forward {forward:.3f} ms, of three times "
          f"as many columns {many:.3f} ms, with the derivative by k {both:.3f} ms: {both / many:.2f} of (1+d) columns")
    if device != "cpu":
        print(f"    of it {device_ms(gradient):.3f} ms on the device, of the columns "
              f"{device_ms(lambda: three.forward(columns)):.3f} ms")


if __name__ == "__main__":
    main(*(kind(given) for kind, given in zip((str, int, int, str), sys.argv[1:])))
