# SPDX-License-Identifier: Apache-2.0
"""What shapes data have, and how they fall into executions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from ._structures import ADJOINT, FORWARD, MOST_COILS
from .errors import InvalidError


def most_coils(lead: int) -> int:
    """The most that divide lead and that one execution takes; 1 of none."""
    return next(coils for coils in range(max(min(lead, MOST_COILS), 1), 0, -1) if lead % coils == 0)


class Layout(NamedTuple):
    """How the data of a call lie: the shape of its result, executions of each frame, and bytes."""

    shape: tuple[int, ...]
    executions: int
    given: int  # of the input of one execution, and
    taken: int  # of its output
    all_given: int  # of the whole arrays
    all_taken: int


@dataclass(frozen=True)
class Shapes:
    """Data are (*lead, *voxels) and (*lead, *samples), with frames before and interleaved coils behind; with coil
    maps (*lead, *voxels) and (*lead, coils, *samples)."""

    voxels: tuple[int, ...]
    samples: tuple[int, ...]
    coils: int
    interleaved: bool
    frames: int | None
    item: int  # bytes of a complex number
    maps: bool = False  # the image is one, of all coils
    words: tuple[str, str, str] = ("image", "samples", "coils")  # by which messages name both sides, and coils

    def with_voxels(self, voxels: tuple[int, ...]) -> Shapes:
        return replace(self, voxels=voxels)

    def with_samples(self, samples: tuple[int, ...]) -> Shapes:
        return replace(self, samples=samples)

    def layout(self, operation: int, shape: tuple[int, ...]) -> Layout:
        """InvalidError where shape is none of the operation's."""
        given, taken = self._own(operation != ADJOINT), self._own(operation != FORWARD)
        lead = self._lead(self.words[operation == ADJOINT], tuple(shape), given)
        before = () if self.frames is None else (self.frames,)
        executions = math.prod(lead) // self._led()
        one, other, count = self._bytes(given), self._bytes(taken), executions * (self.frames or 1)
        return Layout((*before, *lead, *taken), executions, one, other, count * one, count * other)

    def _own(self, image: bool) -> tuple[int, ...]:
        """Axes behind lead."""
        axes = self.voxels if image else self.samples
        if image and self.maps:
            return axes
        if self.interleaved:
            return (*axes, self.coils)
        return (self.coils, *axes) if self.maps else axes

    def _led(self) -> int:
        """Coils of an execution that are of lead."""
        return 1 if self.interleaved or self.maps else self.coils

    def _bytes(self, own: tuple[int, ...]) -> int:
        return math.prod(own) * self._led() * self.item

    def _lead(self, name: str, shape: tuple[int, ...], own: tuple[int, ...]) -> tuple[int, ...]:
        before = () if self.frames is None else (self.frames,)
        first, last = len(before), len(shape) - len(own)
        if last < first or shape[:first] != before or shape[last:] != own:
            words = [str(n) for n in before] + ["*lead"] + [str(n) for n in own]
            raise InvalidError(f"{name} has the shape {shape}; ({', '.join(words)}) is wanted")
        lead = shape[first:last]
        if math.prod(lead) % self._led():
            raise InvalidError(f"{name} has the shape {shape}, with {math.prod(lead)} before the {name}'s own axes; "
                               f"a multiple of {self.words[2]}={self.coils} is wanted")
        return lead
