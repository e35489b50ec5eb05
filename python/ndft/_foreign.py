# SPDX-License-Identifier: Apache-2.0
"""Arrays of packages that are not known here, by what they export: CUDA's array interface, else DLPack."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from ._structures import STREAM_LEGACY
from ._views import HOST, View
from .errors import InvalidError, UnsupportedError

_CPU, _CUDA, _CUDA_HOST = 1, 2, 3  # DLDeviceType
_FLOAT, _COMPLEX = 2, 5  # DLDataTypeCode


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int),
                ("ndim", ctypes.c_int), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _is_packed(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """strides in elements; those of axes of length 1 do not matter."""
    if 0 in shape:
        return True
    wanted = [math.prod(shape[axis + 1:]) for axis in range(len(shape))]
    return all(n == 1 or stride == want for n, stride, want in zip(shape, strides, wanted))


def _by_interface(array: Any) -> View:
    said = array.__cuda_array_interface__
    shape, dtype = tuple(said["shape"]), np.dtype(said["typestr"])
    strides = said.get("strides")
    packed = strides is None or _is_packed(shape, tuple(stride // dtype.itemsize for stride in strides))
    address, read_only = said["data"]
    place = int(array.__dlpack_device__()[1]) if hasattr(array, "__dlpack_device__") else 0
    return View(address or 0, shape, dtype.name if dtype.isnative else dtype.str, place, packed, not read_only)


def _by_dlpack(array: Any) -> View:
    device, place = array.__dlpack_device__()
    if device not in (_CPU, _CUDA, _CUDA_HOST):
        raise InvalidError(f"{type(array).__name__} is on a device of DLPack's type {int(device)}; "
                           "the host (1) and CUDA (2) are served")
    on_gpu = device == _CUDA
    capsule = array.__dlpack__(stream=-1) if on_gpu else array.__dlpack__()
    address = _pointer_of(capsule, b"dltensor")
    if address is None:
        raise InvalidError(f"{type(array).__name__} gives no tensor of DLPack")
    tensor = _DLTensor.from_address(address)
    shape = tuple(tensor.shape[:tensor.ndim])
    packed = not tensor.strides or _is_packed(shape, tuple(tensor.strides[:tensor.ndim]))
    names = {(_FLOAT, 32): "float32", (_FLOAT, 64): "float64", (_COMPLEX, 64): "complex64",
             (_COMPLEX, 128): "complex128"}
    dtype = names.get((tensor.code, tensor.bits), f"of type {tensor.code} with {tensor.bits} bits")
    return View((tensor.data or 0) + tensor.byte_offset, shape, dtype, int(place) if on_gpu else HOST, packed, True)


class Foreign:
    name = "another package"
    pack = "{name} copied in C order"
    cast = "{name} as {dtype}"
    waits = False

    def place(self, array: Any) -> int:
        exports = hasattr(array, "__cuda_array_interface__") or hasattr(array, "__dlpack__")
        return self.view(array).place if exports else HOST

    def view(self, array: Any) -> View:
        if hasattr(array, "__cuda_array_interface__"):
            return _by_interface(array)
        if hasattr(array, "__dlpack__"):
            return _by_dlpack(array)
        raise InvalidError(f"{type(array).__name__} is no array: neither of NumPy, CuPy, PyTorch or JAX, nor with "
                           "__cuda_array_interface__ or __dlpack__; numpy.asarray(...) makes one")

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        raise UnsupportedError(f"arrays of {type(like).__module__} cannot be made here; out=... of shape {shape} "
                               "takes the result")

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        """Of what is on no GPU, whatever NumPy makes an array of."""
        if hasattr(array, "__cuda_array_interface__"):
            raise UnsupportedError(f"{type(array).__name__} on a GPU cannot be read here; give an array of NumPy, "
                                   "CuPy, PyTorch or JAX")
        if hasattr(array, "__dlpack__"):
            return np.from_dlpack(array)
        return np.asarray(array)

    def like(self, values: np.ndarray[Any, Any], array: Any) -> Any:
        raise UnsupportedError(f"arrays of {type(array).__module__} cannot be indexed here")

    def kept(self, array: Any, mask: Any) -> Any:
        raise AssertionError("such arrays are not indexed")

    def stream(self, array: Any, place: int) -> tuple[int, object]:
        said = getattr(array, "__cuda_array_interface__", {})
        return said.get("stream") or STREAM_LEGACY, None
