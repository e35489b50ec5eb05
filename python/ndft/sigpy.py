# SPDX-License-Identifier: Apache-2.0
"""An operator of SigPy: NDFT stands where sigpy.linop.NUFFT does, of the error tol, and with off-resonance.

Conventions are SigPy's (0.1): coordinates in cycles/FOV and 1 / sqrt(N) for N voxels; t and field are ndft.Plan's.
"""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np
from sigpy.linop import Linop

from ._operator import Operator, Values

_REAL = {"complex64": np.float32, "complex128": np.float64}


class NDFT(Linop):  # type: ignore[misc]
    """Image (*lead, *shape) -> samples (*lead, *samples_shape), all of lead by one execution.

    ishape   (*lead, *shape), where shape has as many axes as coord[0]
    coord    (*samples_shape, dim), position in cycles/FOV, normally in [-n / 2, n / 2]
    t        time since excitation in s; broadcasts to samples_shape
    field    off-resonance in rad/s, of the image's shape: samples are sums with exp(-i field t)
    options  of ndft.Plan: tol, device, mode and others

    Data are complex64 or complex128, of which the precision of everything follows, of NumPy or CuPy. H is the exact
    adjoint, N the library's normal operation.
    """

    def __init__(self, ishape: Sequence[int], coord: Any, t: Any = None, field: Any = None, **options: Any) -> None:
        self._values = Values.of(coord, t, field)
        dim = self._values.k.shape[-1]
        self._shape, self._options = tuple(ishape[len(ishape) - dim:]), options
        self._operators: dict[str, Operator] = {}
        super().__init__([*ishape[:len(ishape) - dim], *self._values.k.shape[:-1]], list(ishape))

    def operator(self, data: Any) -> Operator:
        """Of the precision of data."""
        name = np.result_type(data.dtype, np.complex64).name
        if name not in self._operators:
            self._operators[name] = Operator(self._shape, self._values.astype(_REAL[name]),
                                             1 / math.sqrt(math.prod(self._shape)), **self._options)
        return self._operators[name]

    def _apply(self, input: Any) -> Any:
        return self.operator(input).forward(input)

    def _adjoint_linop(self) -> Linop:
        return _Part(self, "adjoint", self.oshape, self.ishape)

    def _normal_linop(self) -> Linop:
        return _Part(self, "normal", self.ishape, self.ishape)


class _Part(Linop):  # type: ignore[misc]
    """Another operation of an NDFT: its adjoint, or normal, which is its own."""

    def __init__(self, of: NDFT, operation: str, ishape: Sequence[int], oshape: Sequence[int]) -> None:
        self._of, self._operation = of, operation
        super().__init__(oshape, ishape, f"NDFT{operation.capitalize()}")

    def _apply(self, input: Any) -> Any:
        return getattr(self._of.operator(input), self._operation)(input)

    def _adjoint_linop(self) -> Linop:
        return self._of if self._operation == "adjoint" else self
