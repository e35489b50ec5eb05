# SPDX-License-Identifier: Apache-2.0
"""Samples of an object on a grid finer than the image, by exact sums, as seen by coils around it.

No reconstruction of the image's own size has an operator that made them (the inverse crime), and what varies inside
of its voxels is in the data. Images are square.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..plan import Plan

Array = np.ndarray[Any, Any]


def places(n: int, fine: int = 1) -> tuple[Array, Array]:
    """y and x in fields of view of the voxels of an image of n x n, or of fine x fine in each of them."""
    along = (np.arange(n * fine) - (fine - 1) / 2) / (n * fine) - (n // 2) / n
    y, x = np.meshgrid(along, along, indexing="ij")
    return y, x


def means(image: Array, width: int) -> Array:
    """Of width x width neighbours, of the last two axes."""
    n = image.shape[-1] // width
    found: Array = image.reshape(*image.shape[:-2], n, width, n, width).mean((-3, -1))
    return found


def coils_on(y: Array, x: Array, count: int) -> Array:
    """(count, *shape of y), each strongest at its place around the object."""
    angle = 2 * np.pi * np.arange(count)[:, None, None] / count
    distance = (y - .55 * np.sin(angle)) ** 2 + (x - .55 * np.cos(angle)) ** 2
    found: Array = np.exp(1j * (angle + 2 * x * np.cos(angle) - y)) / (1 + 8 * distance)
    return found


def spiral(n: int, shots: int, points: int, readout_s: float) -> tuple[Array, Array]:
    """k (shots, points, 2) in cycles/FOV, from the middle to n / 2 with a turn for each voxel along a radius that the
    shots share, and t (points) in s."""
    along = np.linspace(0, 1, points)
    angle = 2 * np.pi * (n / 2 / shots * along + np.arange(shots)[:, None] / shots)
    k = np.stack([np.sin(angle), np.cos(angle)], -1) * (n / 2 * along)[:, None]
    return k.astype(np.float32), (readout_s * along).astype(np.float32)


def measured(seen: Array, n: int, k: Array, t: Array, field: Array | None = None, decay: Array | None = None,
             **options: Any) -> Array:
    """Samples (coils, *samples) at k (*samples, 2) in cycles/FOV of what coils see (coils, fine n, fine n), scaled as
    of an image of n x n voxels; field and decay on the fine grid, options of ndft.Plan."""
    wide = seen.shape[-1]
    fine = wide // n
    offset = float(places(n, fine)[0][wide // 2, 0])  # of what a plan has in the middle
    inside = abs(seen).max(0) > 0
    timed = {name: values.astype(np.float32) for name, values in (("field", field), ("decay", decay))
             if values is not None}
    plan = Plan((wide, wide), k, t=t if timed else None, mask=inside, coils=len(seen), ops=("forward",),
                **{"device": "cpu", "variant": "coil_gemm.cpu", **timed, **options})
    samples = plan.forward(np.ascontiguousarray(seen[:, inside], np.complex64))
    found: Array = samples * np.exp(-2j * np.pi * offset * k.sum(-1)).astype(np.complex64) / fine ** 2
    return found


def with_noise(samples: Array, n: int, spread: float, rng: np.random.Generator) -> Array:
    """With noise that has this standard deviation in each voxel of an image of n x n that the samples make."""
    part = spread * n / np.sqrt(2)
    noise = part * (rng.standard_normal(samples.shape) + 1j * rng.standard_normal(samples.shape))
    found: Array = (samples + noise).astype(np.complex64)
    return found
