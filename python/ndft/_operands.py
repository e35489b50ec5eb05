# SPDX-License-Identifier: Apache-2.0
"""Arrays of an execution: never copied, so those that would have to be are refused, with what mends them."""

from __future__ import annotations

from ._shapes import Layout
from ._views import Kind, View, place_name
from .errors import InvalidError


def refuse_unfit(name: str, kind: Kind, view: View, dtype: str) -> None:
    """Raises, where a view is not packed or not of the dtype."""
    if view.dtype != dtype:
        raise InvalidError(f"{name} is {view.dtype}; {dtype} is wanted: {kind.cast.format(name=name, dtype=dtype)}")
    if not view.packed:
        raise InvalidError(f"{name} is not packed in C order: {kind.pack.format(name=name)}")


def refuse_place(name: str, view: View, place: int) -> None:
    """A plan on a GPU takes arrays there and on the host."""
    here = place_name(view.place)
    raise InvalidError(f"{name} is on {here}, the plan on {place_name(place)}; "
                       f"ndft.Plan(..., device='{here}') makes one there")


def check_out(view: View, given: View, layout: Layout) -> None:
    """out is of the result's shape, can be written, is where the other array is, and shares nothing with it."""
    if view.shape != layout.shape:
        raise InvalidError(f"out has the shape {tuple(view.shape)}; {layout.shape} is wanted")
    if not view.writable:
        raise InvalidError("out cannot be written; without out=... a new array is the result")
    if view.place != given.place:
        raise InvalidError(f"out is on {place_name(view.place)}, the input on {place_name(given.place)}; "
                           "both are in one place")
    if view.address < given.address + layout.all_given and given.address < view.address + layout.all_taken:
        raise InvalidError("out shares memory with the input; they are two arrays")
