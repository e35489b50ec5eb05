# SPDX-License-Identifier: Apache-2.0
"""Off-resonance blurs a spiral's image; with the field in the plan it is sharp again.

    python3 examples/python/off_resonance.py [PICTURE]     # with matplotlib where a picture is wanted

A phantom of ellipses, a field of +-150 Hz, 8 spirals of 20 ms. Samples are those of the field; images are of 20 steps
of conjugate gradients, with a plan that knows no field and with one that knows it.
"""

import sys

import numpy as np

import ndft

N, SHOTS, POINTS, READOUT_S, MOST_HZ, STEPS = 96, 8, 1800, 20e-3, 150, 20


def phantom(y, x):
    """Ellipses, of (value, height, width, centre's y and x)."""
    image = np.zeros_like(x)
    for value, a, b, y0, x0 in ((1, .42, .32, 0, 0), (-.6, .36, .27, 0, 0), (.5, .1, .06, -.12, -.1),
                                (.5, .1, .06, -.12, .1), (.4, .03, .12, .2, 0), (.6, .015, .015, .05, 0)):
        image[((y - y0) / a) ** 2 + ((x - x0) / b) ** 2 <= 1] += value
    return image


def spirals():
    """k (SHOTS, POINTS, 2) in cycles/FOV, from the centre to N / 2, and t (POINTS) in s."""
    along = np.linspace(0, 1, POINTS)
    angle = 2 * np.pi * (N / 2 / SHOTS * along + np.arange(SHOTS)[:, None] / SHOTS)
    return np.stack([np.sin(angle), np.cos(angle)], -1) * (N / 2 * along)[:, None], READOUT_S * along


def reconstructed(plan, samples):
    """Of A^H A x = A^H samples, by conjugate gradients."""
    residual = plan.adjoint(samples)
    x, step = np.zeros_like(residual), residual.copy()
    norm = np.vdot(residual, residual).real
    for _ in range(STEPS):
        through = plan.normal(step)
        rate = norm / np.vdot(step, through).real
        x, residual = x + rate * step, residual - rate * through
        before, norm = norm, np.vdot(residual, residual).real
        step = residual + norm / before * step
    return x


def draw(path, pictures):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, len(pictures), figsize=(3 * len(pictures), 3.5), layout="constrained")
    for axis, (title, picture) in zip(axes, pictures.items()):
        axis.imshow(picture, cmap="gray")
        axis.set_title(title)
        axis.axis("off")
    figure.savefig(path, dpi=150)


def main(path=None):
    y, x = np.meshgrid(*2 * [(np.arange(N) - N // 2) / N], indexing="ij")
    image = phantom(y, x)
    hz = MOST_HZ * np.sin(2 * np.pi * y) * np.cos(np.pi * x)
    k, t = spirals()
    options = {"ops": ("forward", "adjoint", "normal"), "tol": 1e-6}
    with_field = ndft.Plan(image.shape, k, t=t, field=2 * np.pi * hz, **options)
    samples = with_field.forward(image.astype(complex))
    blurred = reconstructed(ndft.Plan(image.shape, k, **options), samples)
    sharp = reconstructed(with_field, samples)
    errors = [np.linalg.norm(abs(found) - image) / np.linalg.norm(image) for found in (blurred, sharp)]
    print("error without the field {:.2f}, with the field {:.2f}".format(*errors))
    if path:
        draw(path, {"phantom": image, "field": hz, "without the field": abs(blurred), "with the field": abs(sharp)})
    return errors


if __name__ == "__main__":
    main(*sys.argv[1:2])
