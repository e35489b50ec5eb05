# SPDX-License-Identifier: Apache-2.0
"""Arrays of any package as memory: which kind an array is of, and what each kind can say of its arrays."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Protocol

import numpy as np

from .errors import InvalidError

HOST = -1  # the place of an array that is not on a GPU; a GPU's is its number


class View(NamedTuple):
    """An array's memory."""

    address: int
    shape: tuple[int, ...]
    dtype: str  # its name in NumPy
    place: int
    packed: bool  # in C order, without gaps
    writable: bool


class Kind(Protocol):
    """What a package's arrays are asked. Texts with {name} say how an array of it is mended."""

    name: str
    pack: str
    cast: str
    waits: bool  # whether results must be finished when they are handed out

    def place(self, array: Any) -> int:
        """HOST, or the number of its GPU."""

    def view(self, array: Any) -> View:
        """Its memory, of any type and layout."""

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        """A new array where like is."""

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        """Its values in host memory, whatever wrote them having finished; a view where that is possible."""

    def stream(self, array: Any, place: int) -> tuple[int, object]:
        """The caller's current stream on a GPU, and what keeps it alive."""

    def like(self, values: np.ndarray[Any, Any], array: Any) -> Any:
        """Values of the host as an array of this kind where another is."""

    def kept(self, array: Any, mask: Any) -> Any:
        """The array where a mask of this kind is true, and 0 elsewhere, whatever it has there."""


_kinds: dict[type, Kind] = {}


def _makers() -> dict[str, Callable[[], Kind]]:
    from . import _cupy, _jax, _numpy, _torch  # they import their packages when made, of which an array is here
    return {"numpy": _numpy.Numpy, "torch": _torch.Torch, "cupy": _cupy.Cupy, "jax": _jax.Jax, "jaxlib": _jax.Jax}


def _kind_of_type(kind: type) -> Kind:
    from ._foreign import Foreign
    makers = _makers()
    if issubclass(kind, np.ma.MaskedArray):
        raise InvalidError("a masked array: x.filled(0) has all of its values, without a mask")
    for base in kind.__mro__:
        package = base.__module__.partition(".")[0]
        if package in makers:
            return makers[package]()
    return Foreign()


def kind_of(array: Any) -> Kind:
    """By its type; of a package that is not known, by what it exports."""
    kind = _kinds.get(type(array))
    if kind is None:
        kind = _kinds[type(array)] = _kind_of_type(type(array))
    return kind


def place_name(place: int) -> str:
    return "cpu" if place == HOST else f"cuda:{place}"
