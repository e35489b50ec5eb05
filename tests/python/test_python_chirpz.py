# SPDX-License-Identifier: Apache-2.0
"""Chirp z-transforms against their sums, and those of SciPy."""

import numpy as np
import pytest

import ndft
from sums import OPERATIONS, complex_noise, error, wanted

RNG = np.random.default_rng(4)


def entries(n, m, w, a):
    """(m, n) of W and A as (modulus, turns)."""
    k, i = np.mgrid[:m, :n]
    turns = np.remainder(i * k * w[1], 1) - np.remainder(i * a[1], 1)
    return np.exp(i * (k * np.log(w[0]) - np.log(a[0])) + 2j * np.pi * turns)


@pytest.mark.parametrize("dtype, tol", [("complex64", 1e-3), ("complex128", 1e-9)])
@pytest.mark.parametrize("n, m, w, a", [(60, 60, None, 1), (100, 30, (1, -1e-3), (1, .25)),
                                        (64, 80, (.998, -.01), (.95, .1)), (50, 40, 1.003 * np.exp(.3j), 1.1 - .2j)])
def test_operations(n, m, w, a, dtype, tol):
    planned = ndft.ChirpZ(n, m, w, a, batch=2, dtype=dtype, tol=tol, ops=OPERATIONS)
    assert (planned.n, planned.m, planned.dtype.name, planned.device) == (n, m, dtype, "cpu")
    polar = [z if isinstance(z, tuple) else (abs(z), np.angle(z) / (2 * np.pi)) for z in (w or (1, -1 / m), a)]
    matrix = entries(n, m, *polar)
    for operation, length in zip(OPERATIONS, (n, m, n)):
        data = complex_noise(RNG, (3, 2, length), dtype)
        found = getattr(planned, operation)(data)
        assert found.dtype == dtype and error(found, wanted(operation, matrix, data)) < tol
    out = np.empty((2, m), dtype)
    assert planned(data[0], out) is out and error(out, data[0] @ matrix.T) < tol
    assert [one["op"] for one in planned.describe()["operations"]] == list(OPERATIONS)


def test_a_long_arc_keeps_its_phase():
    """(modulus, turns) has a phase that a rounded complex number loses by the last of many samples."""
    n = 1 << 16
    signal = np.zeros(n, complex)
    signal[-1] = 1
    found = ndft.ChirpZ(n, w=(1, 1229 / 4096), tol=1e-11)(signal)
    turns = np.arange(n) * (n - 1) * 1229 % 4096 / 4096
    assert np.abs(found - np.exp(2j * np.pi * turns)).max() < 1e-9
    rounded = next(w for w in np.exp(.1j * np.arange(1, 99)) if abs(complex(w)) != 1)  # which stays on the circle
    assert np.abs(np.abs(ndft.ChirpZ(n, w=rounded, tol=1e-11)(signal)) - 1).max() < 1e-9


def test_as_scipy_has_it():
    signal = pytest.importorskip("scipy.signal")
    x = complex_noise(RNG, (3, 100))
    for given in ((), (37,), (37, np.exp(-.02j)), (37, .999 * np.exp(-.02j), 1.01 * np.exp(.3j))):
        assert error(ndft.ChirpZ(100, *given)(x), signal.CZT(100, *given)(x)) < 1e-9
    for fn, m, more in ((.3, None, {}), ((.2, .6), 50, {}), ((2, 3), 50, {"fs": 7, "endpoint": True}),
                        ((-9, 8), 20, {})):
        assert error(ndft.ChirpZ.zoom(100, fn, m, **more)(x), signal.zoom_fft(x, fn, m, **more)) < 1e-9


@pytest.mark.parametrize("wrong, message", [
    ({"n": 0}, "n=0; 1 to 67108864"), ({"m": 0}, "m=0; 1 to 67108864"), ({"m": 2.5}, "m=2.5; 1 to 67108864"),
    ({"w": 0}, "w=0; any number but 0"), ({"a": (0, .5)}, r"a=\(0, 0.5\); any number but 0"),
    ({"w": "x"}, "w='x'; a complex number, or .modulus, turns."),
    ({"w": (1, 2, 3)}, r"w=\(1, 2, 3\); a complex number"), ({"w": (1, 1.5)}, "w.turns=1.5; -1 to 1"),
    ({"a": 1e7}, r"a.modulus=10000000; 1e-06 to 1e\+06"),
    ({"w": 3}, "w.modulus=3: an entry .* reaches 1e459.*at most 1.44"), ({"w": np.nan}, "w.modulus=nan"),
    ({"batch": 257}, "batch=257; 1 to 256"),
    ({"dtype": "float32"}, "dtype='float32'; one of 'complex64', 'complex128'"),
    ({"tol_kind": "all"}, "tol_kind='all'"), ({"ops": ()}, "ops=(); ")])
def test_what_is_refused(wrong, message):
    with pytest.raises(ndft.InvalidError, match=message.replace("()", r"\(\)")):
        ndft.ChirpZ(**{"n": 32, **wrong})


def test_refusals_of_data_and_tol():
    planned = ndft.ChirpZ(8, 5, batch=2)
    with pytest.raises(ndft.InvalidError, match=r"signal has the shape \(2, 7\); \(\*lead, 8\) is wanted"):
        planned(np.zeros((2, 7), complex))
    with pytest.raises(ndft.InvalidError, match="a multiple of batch=2 is wanted"):
        planned.adjoint(np.zeros((3, 5), complex))
    with pytest.raises(ndft.InvalidError, match="'normal': the plan was made for ops="):
        planned.normal(np.zeros((2, 8), complex))
    with pytest.raises(ndft.UnsupportedError, match="chirpz_bluestein: its claim of .* is above tol=1e-08"):
        ndft.ChirpZ(8, dtype="complex64", tol=1e-8)


@pytest.mark.parametrize("given, more, message", [
    ((.5, 1), {"endpoint": True}, "fs=2, m=1; .*with endpoint m above 1"), ((.5,), {"fs": 0}, "fs=0, m=8; fs above 0"),
    ((.5,), {"fs": "2"}, "fs='2', m=8; fs above 0"), ((.5, "4"), {}, "m='4'; 1 to"),
    (((1, 2, 3),), {}, r"fn=\(1, 2, 3\); one frequency, or"), ((np.inf,), {}, "fn=inf; one frequency, or"),
    (("ab",), {}, "fn='ab'; one frequency, or")])
def test_refusals_of_frequencies(given, more, message):
    with pytest.raises(ndft.InvalidError, match=message):
        ndft.ChirpZ.zoom(8, *given, **more)
