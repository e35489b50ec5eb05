# SPDX-License-Identifier: Apache-2.0
"""JAX's arrays: waited for before they are read, and handed out finished, since JAX knows no streams of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._structures import STREAM_LEGACY
from ._views import HOST, View
from .errors import InvalidError, UnsupportedError


class Jax:
    name = "jax"
    pack = "{name}.copy()"
    cast = "{name}.astype('{dtype}')"
    waits = True

    def __init__(self) -> None:
        import jax
        self._jax = jax

    def place(self, array: Any) -> int:
        self._refuse_what_has_no_memory(array)
        device, = array.devices()
        return HOST if device.platform == "cpu" else int(device.local_hardware_id)

    def view(self, array: Any) -> View:
        """Arrays cannot be changed once another has seen them: none is writable."""
        place = self.place(array)
        address = array.block_until_ready().unsafe_buffer_pointer()
        return View(address, array.shape, array.dtype.name, place, True, False)

    def _refuse_what_has_no_memory(self, array: Any) -> None:
        if isinstance(array, self._jax.core.Tracer):
            raise UnsupportedError("a tracer of JAX has no values: call outside of jit, grad and vmap, or by "
                                   "jax.pure_callback")
        if not isinstance(array, self._jax.Array):
            raise InvalidError(f"{type(array).__name__} is no array of JAX")
        if len(array.devices()) > 1:
            raise InvalidError(f"an array of JAX on {len(array.devices())} devices; those on one are served")

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        """Of memory that nobody has seen yet, which may therefore be filled."""
        device, = like.devices()
        return self._jax.device_put(self._jax.numpy.empty(shape, dtype), device)

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        self._refuse_what_has_no_memory(array)
        return np.asarray(array)

    def like(self, values: np.ndarray[Any, Any], array: Any) -> Any:
        device, = array.devices()
        return self._jax.device_put(values, device)

    def kept(self, array: Any, mask: Any) -> Any:
        return self._jax.numpy.where(mask, array, array.dtype.type(0))

    def stream(self, array: Any, place: int) -> tuple[int, object]:
        return STREAM_LEGACY, None  # nothing of JAX is on it, and results are waited for
