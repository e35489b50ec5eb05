# SPDX-License-Identifier: Apache-2.0
"""Which kind an array is of. Kinds import their packages when made, of which an array is there then."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._cupy import Cupy
from ._foreign import Foreign
from ._jax import Jax
from ._numpy import Numpy
from ._torch import Torch
from ._views import Kind
from .errors import InvalidError

_MAKERS: dict[str, Callable[[], Kind]] = {"numpy": Numpy, "torch": Torch, "cupy": Cupy, "jax": Jax, "jaxlib": Jax}
_kinds: dict[type, Kind] = {}


def _kind_of_type(kind: type) -> Kind:
    if issubclass(kind, np.ma.MaskedArray):
        raise InvalidError("a masked array: x.filled(0) has all of its values, without a mask")
    for base in kind.__mro__:
        package = base.__module__.partition(".")[0]
        if package in _MAKERS:
            return _MAKERS[package]()
    return Foreign()


def kind_of(array: Any) -> Kind:
    """By its type; of a package that is not known, by what it exports."""
    kind = _kinds.get(type(array))
    if kind is None:
        kind = _kinds[type(array)] = _kind_of_type(type(array))
    return kind
