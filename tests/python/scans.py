# SPDX-License-Identifier: Apache-2.0
"""Small scans, made by sums, for tests of ndft.recon."""

from __future__ import annotations

import numpy as np

from sums import complex_noise, matrix

SHAPE = (20, 24)


def spokes(count=32, points=48, dtype="float32"):
    """k (count, points, 2) in cycles/FOV, to the edges of SHAPE."""
    angle = np.pi * np.arange(count)[:, None] / count
    along = np.linspace(-1, 1, points)
    return np.stack([SHAPE[0] / 2 * along * np.sin(angle), SHAPE[1] / 2 * along * np.cos(angle)], -1).astype(dtype)


def lines(dtype="float32"):
    """k (40, 48, 2) all over k-space, twice as dense as SHAPE needs, and nowhere regular."""
    k = np.stack(np.meshgrid(np.arange(-10, 10, .5), np.arange(-12, 12, .5), indexing="ij"), -1)
    return (k + np.random.default_rng(7).uniform(-.15, .15, k.shape)).astype(dtype)


def times(k):
    """s, of a readout."""
    return np.linspace(1e-3, 9e-3, k.shape[-2]).astype(k.dtype)


def places():
    """y and x (*SHAPE) in fields of view"""
    return np.meshgrid(*((np.arange(n) - n // 2) / n for n in SHAPE), indexing="ij")


def field(hz=60):
    """rad/s, (*SHAPE)"""
    y, x = places()
    return (2 * np.pi * hz * (np.cos(2 * y) - x - .31)).astype("float32")


def decay(largest=120):
    """R2* in 1/s, (*SHAPE), of any kind of tissue, and none at one edge"""
    y, x = places()
    return (largest * np.maximum(.5 + .5 * np.sin(7 * y - 5 * x), 0) * (x > -.45)).astype("float32")


def concomitant(k, t, z, x, cycles=2):
    """c (3, *samples) and b (3, *shape of z): what gradients along z and x add to the static field in the plane y = 0
    (Bernstein et al., MRM 39, 1998), by the integrals of their products since each readout began. The static field is
    as weak as it takes for so many cycles at an edge, by one of the terms."""
    gz, gx = np.moveaxis(np.diff(k.astype(float), axis=-2, prepend=k[..., :1, :]), -1, 0)
    c = np.cumsum(np.stack([gz * gz / 4, gx * gx, -gx * gz]) / np.diff(t)[0], -1)
    b = np.stack([x * x, z * z, x * z])
    return (8 * np.pi * cycles / abs(c).max() * c).astype("float32"), b.astype("float32")


def coil_maps(coils=4):
    """(coils, *SHAPE), whose squares sum to 1"""
    y, x = places()
    angle = 2 * np.pi * np.arange(coils)[:, None, None] / coils
    found = np.exp(1j * angle + 1j * x) / (1 + 3 * ((y - .5 * np.sin(angle)) ** 2 + (x - .5 * np.cos(angle)) ** 2))
    return (found / np.sqrt((abs(found) ** 2).sum(0))).astype("complex64")


def blob():
    """An image that ends inside of SHAPE, with an edge."""
    y, x = places()
    inside = (y / .4) ** 2 + (x / .35) ** 2 < 1
    return (inside * (1 + .5 * np.sin(9 * y) * np.cos(7 * x))).astype("complex64")


def samples(images, k, t=None, of=None, maps=None, rates=None, phase=None):
    """(*lead, coils, *samples) of images (*lead, *SHAPE), by sums."""
    maps = np.ones((1, *SHAPE)) if maps is None else maps
    seen = (np.asarray(images)[..., None, :, :] * maps).reshape(*np.shape(images)[:-2], len(maps), -1)
    every = None if t is None else np.broadcast_to(t, k.shape[:-1])
    found = seen @ matrix(SHAPE, k, every, of, decay=rates, phase=phase).T
    return found.reshape(*found.shape[:-1], *k.shape[:-1]).astype("complex64")


def noise(shape, seed=0):
    return complex_noise(np.random.default_rng(seed), shape, "complex64")
