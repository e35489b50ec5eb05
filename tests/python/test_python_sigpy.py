# SPDX-License-Identifier: Apache-2.0
"""ndft.sigpy: what SigPy asks of its own operators, the sum that it documents, and its NUFFT."""

import numpy as np
import pytest

from sums import complex_noise, error, matrix

sigpy = pytest.importorskip("sigpy")
from ndft.sigpy import NDFT  # noqa: E402  behind what says that there is no SigPy

RNG = np.random.default_rng(9)
SHAPE = (9, 8)
COORD = RNG.uniform(-4, 4, (5, 7, 2))
T, FIELD = np.linspace(0, 5e-3, 7), RNG.normal(0, 300, SHAPE)
TOLS = {"complex64": 1e-4, "complex128": 1e-9}


def operators(**options):
    """Of one image and of several, with and without a field."""
    for lead in ((), (3,), (2, 3)):
        for values in ({}, {"t": T, "field": FIELD}):
            yield NDFT((*lead, *SHAPE), COORD, **values, **options), dense(**values)


def dense(t=0, field=None):
    return matrix(SHAPE, COORD, np.broadcast_to(t, COORD.shape[:-1]), field) / np.sqrt(72)


@pytest.mark.parametrize("dtype", TOLS)
def test_sum(dtype):
    for a, sums in operators():
        x = complex_noise(RNG, a.ishape, dtype)
        flat = x.reshape(*x.shape[:-2], -1)
        found, right = a(x), flat @ sums.T
        assert found.dtype == dtype and error(found, right.reshape(a.oshape)) < TOLS[dtype]
        normal = (right @ sums.conj()).reshape(a.ishape)
        assert error(a.N(x), normal) < TOLS[dtype]
        assert error(a.H(found), normal) < 2 * TOLS[dtype]


def test_adjoint():
    for a, _ in operators(tol=1e-12):
        x, y = complex_noise(RNG, a.ishape), complex_noise(RNG, a.oshape)
        assert abs(np.vdot(a(x), y) - np.vdot(x, a.H(y))) < 1e-10 * np.linalg.norm(x) * np.linalg.norm(y)
        assert a.H.H is a and a.H.oshape == a.ishape


def test_linear():
    for a, _ in operators(tol=1e-12):
        x, y = complex_noise(RNG, a.ishape), complex_noise(RNG, a.ishape)
        assert error(a(2j * x - y), 2j * a(x) - a(y)) < 1e-10


def test_normal():
    for a, _ in operators(tol=1e-12):
        x = complex_noise(RNG, a.ishape)
        assert error(a.N(x), a.H(a(x))) < 1e-10
        assert error((a.N.H * a.N)(x), a.N(a.N(x))) < 1e-10


@pytest.mark.parametrize("shape", [(32, 30), (12, 10, 14)])
def test_as_nufft(shape):
    coord = RNG.uniform(-.5, .5, (200, len(shape))) * shape
    ours, theirs = NDFT((2, *shape), coord), sigpy.linop.NUFFT((2, *shape), coord, oversamp=2, width=6)
    x = complex_noise(RNG, ours.ishape)
    y = theirs(x)
    assert error(ours(x), y) < 1e-3 and error(ours.H(y), theirs.H(y)) < 1e-3
