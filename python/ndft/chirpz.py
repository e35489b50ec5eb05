# SPDX-License-Identifier: Apache-2.0
"""Chirp z-transforms with any ratio and start."""

from __future__ import annotations

import cmath
import ctypes
import math
from typing import Any, Sequence, Union

import numpy as np

from ._execution import execute
from ._library import library
from ._make import Choice, count, is_number, make_engine_of, names_of_operations, one_of, positive
from ._shapes import Shapes
from ._views import place_name
from ._structures import (ADJOINT, COMPLEX, FORWARD, MOST_BYTES, MOST_COILS, MOST_THREADS, NORMAL, PRECISIONS,
                          TOL_KINDS, ChirpzDesc, Polar, sized)
from .errors import InvalidError

Number = Union[complex, tuple[float, float]]
_LONGEST = 1 << 26


def _polar(name: str, value: Number | None) -> Polar:
    """All 0, which leaves it to the library, where it is None. A modulus that is 1 but for rounding is 1."""
    if value is None:
        return Polar()
    try:
        if isinstance(value, tuple):
            modulus, turns = map(float, value)
        else:
            modulus, turns = abs(complex(value)), cmath.phase(value) / (2 * math.pi)
    except (TypeError, ValueError):
        raise InvalidError(f"{name}={value!r}; a complex number, or (modulus, turns)") from None
    if modulus == 0:
        raise InvalidError(f"{name}={value!r}; any number but 0")
    return Polar(1 if abs(modulus - 1) <= 1e-15 else modulus, turns)


def _real(dtype: Any) -> str:
    found = {COMPLEX[real]: real for real in COMPLEX}
    try:
        return found[np.dtype(dtype).name]
    except (TypeError, KeyError):
        raise InvalidError(f"dtype={dtype!r}; one of {', '.join(map(repr, found))}") from None


class ChirpZ:
    """The chirp z-transform of n numbers, m samples of their z-transform at A W^-k (Rabiner, Schafer, Rader 1969):

        forward   X[k] = sum_n x[n] A^-n W^(n k)            signal -> spectrum
        adjoint   x[n] = sum_k X[k] conj(A^-n W^(n k))      spectrum -> signal
        normal    forward and then adjoint                  signal -> signal

    Nothing is scaled: adjoint is not inverse. n, m, w and a are those of scipy.signal.CZT, and ChirpZ.zoom has the
    arguments of scipy.signal.ZoomFFT, with the same results along the last axis:

        spectrum = ndft.ChirpZ(1000, 200, w=(1, -1e-5), a=(1, .25))(signal)    # 200 samples from a quarter turn on
        spectrum = ndft.ChirpZ.zoom(1000, (.5, .504), 200)(signal)             # the same, by frequencies

    n, m           lengths of signal and spectrum, 1 to 2^26; m None: n
    w, a           W and A, complex numbers or (modulus, turns), which is modulus exp(2 pi i turns) with a phase that
                   many samples do not make wrong; moduli are 1e-6 to 1e6, turns -1 to 1. w None: exp(-2 pi i / m)
    batch          1 to 256 signals that one execution takes
    dtype          of data: "complex64" or "complex128"
    tol, tol_kind  error that is allowed, as of ndft.Plan: "typical" over the root of the sum of all |A^-n W^(n k)|^2,
                   "any" of each output over the largest of them and the sum of the inputs' moduli. Off the unit circle
                   fast engines err by more; UnsupportedError names what each promises where none promises tol
    device         "cpu", "cuda", "cuda:N" or "auto"
    ops and others as of ndft.Plan

    Data are (*lead, n) and (*lead, m) in C order, of the kinds that ndft.Plan takes; the product of lead is a multiple
    of batch, and each batch of them is one execution.
    """

    def __init__(self, n: int, m: int | None = None, w: Number | None = None, a: Number = 1, *, batch: int = 1,
                 dtype: Any = "complex128", tol: float | None = None, tol_kind: str = "typical",
                 ops: Sequence[str] = ("forward", "adjoint"), device: Any = "cpu", mode: str = "estimate",
                 time_limit: float | None = None, memory_limit: int | None = None, deterministic: bool = False,
                 one_engine: bool = False, variant: str | None = None, threads: int | None = None) -> None:
        real = _real(dtype)
        lengths = count("n", n, _LONGEST), count("m", m, _LONGEST) or count("n", n, _LONGEST)
        batch = count("batch", batch, MOST_COILS) or 1
        described = sized(ChirpzDesc, n=lengths[0], outputs=lengths[1], w=_polar("w", w), a=_polar("a", a),
                          prec=PRECISIONS[real], batch=batch, tol=positive("tol", tol),
                          tol_kind=TOL_KINDS[one_of("tol_kind", tol_kind, TOL_KINDS)])
        choice = Choice(names_of_operations(ops), str(device), mode,
                        positive("time_limit", time_limit), count("memory_limit", memory_limit, MOST_BYTES),
                        deterministic, one_engine, variant, count("threads", threads, MOST_THREADS))
        self._engine = make_engine_of(choice, library.ndft_chirpz_create, ctypes.byref(described))
        self._dtype = COMPLEX[real]
        self._shapes = Shapes(lengths[:1], lengths[1:], batch, False, None, np.dtype(self._dtype).itemsize,
                              words=("signal", "spectrum", "batch"))

    @classmethod
    def zoom(cls, n: int, fn: float | Sequence[float], m: int | None = None, *, fs: float = 2, endpoint: bool = False,
             **options: Any) -> ChirpZ:
        """m samples of the spectrum at frequencies fn, (first, last) or those below one, of a signal of n that is
        sampled at fs; endpoint: the last is one of them."""
        ends = [0.0, *np.ravel(fn).tolist()]
        if len(ends) not in (2, 3) or not all(is_number(end) and math.isfinite(end) for end in ends):
            raise InvalidError(f"fn={fn!r}; one frequency, or the first and the last")
        first, last = ends[-2:]
        points = count("m", m, _LONGEST) or count("n", n, _LONGEST)
        steps = points - 1 if endpoint else points
        if not (is_number(fs) and 0 < fs < math.inf) or steps < 1:
            raise InvalidError(f"fs={fs!r}, m={points!r}; fs above 0, and with endpoint m above 1")
        turns = [math.remainder(at / fs, 1) for at in ((first - last) / steps, first)]
        return cls(n, m, (1, turns[0]), (1, turns[1]), **options)

    def __call__(self, signal: Any, out: Any = None) -> Any:
        """As forward."""
        return self.forward(signal, out)

    def forward(self, signal: Any, out: Any = None) -> Any:
        """Spectra (*lead, m) of signals (*lead, n); out takes them and is returned."""
        return execute(self._engine, self._shapes.layout, self._dtype, FORWARD, "signal", signal, out)

    def adjoint(self, spectrum: Any, out: Any = None) -> Any:
        """Signals (*lead, n) of spectra (*lead, m); out takes them and is returned."""
        return execute(self._engine, self._shapes.layout, self._dtype, ADJOINT, "spectrum", spectrum, out)

    def normal(self, signal: Any, out: Any = None) -> Any:
        """Signals (*lead, n) of signals, adjoint after forward; ops had "normal"."""
        return execute(self._engine, self._shapes.layout, self._dtype, NORMAL, "signal", signal, out)

    def describe(self) -> dict[str, Any]:
        """What ndft_plan_describe has."""
        return self._engine.describe()[0]

    @property
    def n(self) -> int:
        return self._shapes.voxels[0]

    @property
    def m(self) -> int:
        return self._shapes.samples[0]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of data: complex64 or complex128."""
        return np.dtype(self._dtype)

    @property
    def device(self) -> str:
        """ "cpu" or "cuda:N" """
        return place_name(self._engine.place)
