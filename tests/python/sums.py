# SPDX-License-Identifier: Apache-2.0
"""The operator as a matrix in double precision, and problems at random."""

from __future__ import annotations

import numpy as np

OPERATIONS = ("forward", "adjoint", "normal")


def positions(shape):
    """Of voxels, (voxels, dim), in C order of the image."""
    axes = [(np.arange(n) - n // 2) / n for n in shape]
    return np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(shape))


def matrix(shape, k, t=None, field=None, gradient=None, decay=None, phase=None, grid=None):
    """(samples, voxels)"""
    at = positions(shape) if grid is None else np.asarray(grid, float).reshape(-1, len(shape)) / shape
    k = np.asarray(k, float).reshape(-1, len(shape))
    times = np.zeros(len(k)) if t is None else np.asarray(t, float).ravel()
    angle = 2 * np.pi * k @ at.T
    if field is not None:
        angle = angle + np.outer(times, np.asarray(field, float).ravel())
    if phase is not None:
        for c, b in zip(*phase):
            angle = angle + np.outer(np.asarray(c, float).ravel(), np.asarray(b, float).ravel())
    found = np.exp(-1j * angle)
    if decay is not None:
        found *= np.exp(-np.outer(times, np.asarray(decay, float).ravel()))
    if gradient is not None:
        for axis, n in enumerate(shape):
            found *= np.sinc(k[:, axis, None] / n + np.outer(times, np.asarray(gradient[axis], float).ravel()))
    return found


def wanted(operation, a, data):
    """Of data (..., columns of a)."""
    if operation == "forward":
        return data @ a.T
    if operation == "adjoint":
        return data @ a.conj()
    return data @ a.T @ a.conj()


def complex_noise(rng, shape, dtype="complex128"):
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)


def error(found, right):
    return np.linalg.norm(np.asarray(found) - right) / np.linalg.norm(right)
