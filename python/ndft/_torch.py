# SPDX-License-Identifier: Apache-2.0
"""PyTorch's tensors, of which the values alone are seen: no graph of derivatives leads through."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._structures import STREAM_LEGACY
from ._views import HOST, View
from .errors import InvalidError


class Torch:
    name = "torch"
    pack = "{name}.resolve_conj().resolve_neg().contiguous()"
    cast = "{name}.to(torch.{dtype})"
    waits = False

    def __init__(self) -> None:
        import torch
        self._torch = torch
        # What CUDA code that PyTorch compiles asks, in a twentieth of the time of torch.cuda.current_stream.
        self._raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        self._names = {getattr(torch, name): name for name in ("float32", "float64", "complex64", "complex128")}

    def place(self, array: Any) -> int:
        return int(array.get_device()) if array.is_cuda else HOST

    def view(self, array: Any) -> View:
        if array.is_cpu:
            place = HOST
        elif array.is_cuda:
            place = array.get_device()
        else:
            raise InvalidError(f"a tensor on {array.device}; 'cpu' and 'cuda' are served")
        if array.layout is not self._torch.strided:
            raise InvalidError(f"a tensor of layout {array.layout}; torch.strided is served: to_dense()")
        dtype = array.dtype
        packed = array.is_contiguous() and not array.is_conj() and not array.is_neg()
        return View(array.data_ptr(), array.shape, self._names.get(dtype) or str(dtype), place, packed, True)

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return self._torch.empty(shape, dtype=getattr(self._torch, dtype), device=like.device)

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = array.detach().cpu().resolve_conj().resolve_neg().numpy()
        return found

    def like(self, values: np.ndarray[Any, Any], array: Any) -> Any:
        return self._torch.from_numpy(values).to(array.device)

    def kept(self, array: Any, mask: Any) -> Any:
        return array.masked_fill(~mask, 0)

    def stream(self, array: Any, place: int) -> tuple[int, object]:
        if self._raw_stream:  # its streams live as long as the process
            return self._raw_stream(place) or STREAM_LEGACY, None
        stream = self._torch.cuda.current_stream(place)
        return stream.cuda_stream or STREAM_LEGACY, stream
