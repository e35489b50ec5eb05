# SPDX-License-Identifier: Apache-2.0
"""Arrays of any package as memory: what each kind of them is asked."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

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


def place_name(place: int) -> str:
    return "cpu" if place == HOST else f"cuda:{place}"
