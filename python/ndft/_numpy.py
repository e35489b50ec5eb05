# SPDX-License-Identifier: Apache-2.0
"""NumPy's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._views import HOST, View
from .errors import InvalidError

_NAMES = {np.dtype(name): name for name in ("float32", "float64", "complex64", "complex128")}


def _other(dtype: np.dtype[Any]) -> str:
    return dtype.name if dtype.isnative else dtype.str


class Numpy:
    name = "numpy"
    pack = "numpy.ascontiguousarray({name})"
    cast = "{name}.astype('{dtype}')"
    waits = False

    def place(self, array: Any) -> int:
        return HOST

    def view(self, array: Any) -> View:
        try:
            address, read_only = array.__array_interface__["data"]
        except AttributeError:
            raise InvalidError(f"{type(array).__name__} is no array of NumPy") from None
        dtype = array.dtype
        return View(address, array.shape, _NAMES.get(dtype) or _other(dtype), HOST, array.flags.c_contiguous,
                    not read_only)

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return np.empty(shape, dtype)

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        return np.asarray(array)

    def like(self, values: np.ndarray[Any, Any], array: Any) -> Any:
        return values

    def kept(self, array: Any, mask: Any) -> Any:
        return np.where(mask, array, array.dtype.type(0))

    def stream(self, array: Any, place: int) -> tuple[int, object]:
        raise AssertionError("NumPy's arrays are on the host")
