# SPDX-License-Identifier: Apache-2.0
"""CuPy's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._structures import STREAM_LEGACY
from ._views import View
from .errors import InvalidError


class Cupy:
    name = "cupy"
    pack = "cupy.ascontiguousarray({name})"
    cast = "{name}.astype('{dtype}')"
    waits = False

    def __init__(self) -> None:
        import cupy
        self._cupy = cupy

    def place(self, array: Any) -> int:
        return int(array.device.id)

    def view(self, array: Any) -> View:
        if not isinstance(array, self._cupy.ndarray):
            raise InvalidError(f"{type(array).__name__} is no array of CuPy")
        return View(array.data.ptr, array.shape, array.dtype.name, array.device.id, array.flags.c_contiguous, True)

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        with like.device:
            return self._cupy.empty(shape, dtype)

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        return np.asarray(self._cupy.asnumpy(array))

    def like(self, values: np.ndarray[Any, Any], array: Any) -> Any:
        with array.device:
            return self._cupy.asarray(values)

    def kept(self, array: Any, mask: Any) -> Any:
        with array.device:
            return self._cupy.where(mask, array, array.dtype.type(0))

    def stream(self, array: Any, place: int) -> tuple[int, object]:
        stream = self._cupy.cuda.get_current_stream(place)
        return stream.ptr or STREAM_LEGACY, stream
