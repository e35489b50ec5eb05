# SPDX-License-Identifier: Apache-2.0
"""ndft.deepinv: deepinv's own test of the adjoint, the sum, and derivatives."""

import numpy as np
import pytest

from sums import complex_noise, error, matrix

torch = pytest.importorskip("torch")
pytest.importorskip("deepinv")
from ndft.deepinv import NDFT  # noqa: E402  behind what says that there is no deepinv

RNG = np.random.default_rng(10)
SHAPE = (6, 5)
K, T, FIELD = RNG.uniform(-3, 3, (4, 7, 2)), np.linspace(0, 4e-3, 7), RNG.normal(0, 300, SHAPE)
MAPS = complex_noise(RNG, (3, *SHAPE))


def physics():
    return NDFT(SHAPE, K, T, FIELD, torch.from_numpy(MAPS), tol=1e-11)


def test_sum():
    x = complex_noise(RNG, (2, *SHAPE))
    found = physics().A(torch.from_numpy(np.stack([x.real, x.imag], 1))).numpy()
    a = matrix(SHAPE, K, np.broadcast_to(T, (4, 7)), FIELD) / np.sqrt(30)
    right = ((x[:, None] * MAPS).reshape(2, 3, -1) @ a.T).reshape(2, 3, 4, 7)
    assert error(found[:, 0] + 1j * found[:, 1], right) < 1e-9


def test_adjointness():
    x = torch.from_numpy(RNG.standard_normal((2, 2, *SHAPE)))
    assert abs(physics().adjointness_test(x)) < 1e-8


def test_derivatives():
    a = physics()
    x = torch.from_numpy(RNG.standard_normal((1, 2, *SHAPE))).requires_grad_()
    assert torch.autograd.gradcheck(a.A, x)
    assert torch.autograd.gradcheck(a.A_adjoint, a.A(x).detach().requires_grad_())
