# SPDX-License-Identifier: Apache-2.0
"""A trajectory is learnt by gradient: samples move to where they tell most of images of a kind.

    python3 examples/python/learn_trajectory.py [PICTURE]     # with torch; with matplotlib where a picture is wanted

Images are random ellipses, longer than high, so that their spectra are not round. From 14 spokes of 32 samples they
are reconstructed by some steps of gradient descent, through which PyTorch differentiates by the positions: the error
is that of other images than those that were learnt from.
"""

import sys

import numpy as np
import torch

import ndft
import ndft.torch

N, SPOKES, IMAGES, STEPS, ROUNDS, PULL = 32, 14, 8, 6, 40, .15


def ellipses(rng):
    """(IMAGES, N, N), some in each, twice as wide as high."""
    y, x = np.meshgrid(*2 * [(np.arange(N) - N // 2) / N], indexing="ij")
    images = np.zeros((IMAGES, N, N))
    for image in images:
        for _ in range(5):
            value, height, y0, x0 = rng.uniform((.3, .05, -.25, -.25), (1, .15, .25, .25))
            image += value / (1 + np.exp(60 * (np.hypot((y - y0) / height, (x - x0) / (2 * height)) - 1) * height))
    return torch.tensor(images, dtype=torch.complex64)


def spokes():
    """k (SPOKES * N, 2) in cycles/FOV."""
    angle = np.pi * np.arange(SPOKES)[:, None] / SPOKES
    radius = np.arange(N) - N / 2 + .5
    k = np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=-1)
    return torch.tensor(k.reshape(-1, 2), dtype=torch.float32)


def largest(plan):
    """The largest eigenvalue of the normal operation, by the power method."""
    x = torch.ones((IMAGES, N, N), dtype=torch.complex64)
    for _ in range(10):
        x = plan.adjoint(plan.forward(x / torch.linalg.vector_norm(x)))
    return torch.linalg.vector_norm(x)


def error(plan, k, images):
    """Of what STEPS of gradient descent find, relative; plan has the values of k."""
    samples, rate = ndft.torch.forward(plan, images, k=k), 1 / largest(plan)
    x = torch.zeros_like(images)
    for _ in range(STEPS):
        x = x - rate * ndft.torch.adjoint(plan, ndft.torch.forward(plan, x, k=k) - samples, k=k)
    return torch.linalg.vector_norm(x - images) / torch.linalg.vector_norm(images)


def draw(path, before, after):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 3.7), layout="constrained")
    for axis, (title, k) in zip(axes, {"14 spokes": before, "as learnt": after}.items()):
        axis.plot(k[:, 1], k[:, 0], ".", markersize=3)
        axis.set(title=title, aspect="equal", xlabel="k, cycles/FOV")
    figure.savefig(path, dpi=150)


def main(path=None):
    rng = np.random.default_rng(1)
    learnt_from, others, start = ellipses(rng), ellipses(rng), spokes()
    k = start.clone().requires_grad_()
    plan = ndft.Plan((N, N), start, coils=IMAGES, tol=1e-4)
    errors = [float(error(plan, start, others))]
    optimizer = torch.optim.Adam([k], lr=PULL)
    for _ in range(ROUNDS):
        optimizer.zero_grad()
        error(plan, k, learnt_from).backward()
        optimizer.step()
        with torch.no_grad():
            k.clamp_(-N / 2, N / 2)
        plan.set_samples(k)
    errors.append(float(error(plan, k.detach(), others)))
    print("error of other images: {:.3f} by spokes, {:.3f} by what was learnt".format(*errors))
    if path:
        draw(path, start, k.detach())
    return errors


if __name__ == "__main__":
    main(*sys.argv[1:2])
