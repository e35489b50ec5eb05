# SPDX-License-Identifier: Apache-2.0
"""What a scanner measured, and what is known of it, held to agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np

from .. import _intake as intake
from .._kinds import kind_of
from ..errors import InvalidError
from ._units import Units, doubt_decay, doubt_field, doubt_positions, doubt_times

Array = np.ndarray[Any, Any]


def refuse_infinite(name: str, values: Array) -> None:
    """InvalidError with the place of the first that is not finite."""
    bad = ~np.isfinite(values)
    if bad.any():
        place = ", ".join(str(int(i)) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))
        raise InvalidError(f"{name}[{place}] is not finite, {values[tuple(np.argwhere(bad)[0])]}, one of "
                           f"{int(bad.sum())}; 0 is valid where nothing was measured")


def _transposed(found: tuple[int, ...], wanted: tuple[int, ...]) -> str:
    return "; it may be transposed" if found != wanted and sorted(found) == sorted(wanted) else ""


@dataclass(frozen=True)
class Acquisition:
    """A scan of some slices (or volumes) at some times, by some coils.

    shape   1 to 3 sizes of an image, in C order
    k       (*samples, dim) in cycles/FOV, k[..., d] along axis d of the image; or (frames, *samples, dim), a
            trajectory for each frame
    data    (frames, slices, coils, *samples) complex, of NumPy, CuPy or PyTorch
    t       s since excitation; broadcasts to samples, which all frames share
    field   off-resonance in rad/s, (*shape) or (slices, *shape); the sign of exp(-i field t) in the signal
    decay   R2* in 1/s, at least 0, (*shape) or (slices, *shape); exp(-decay t) is in the signal
    phase   (c, b), sum_l c_l b_l rad beside the field's and of its sign, of up to 16 terms, as of concomitant fields
            or a field camera (Wilm et al., MRM 65, 2011): c (terms, *samples) in rad per unit of b, or beside a
            trajectory for each frame (terms, frames, *samples); b (terms, *shape) or (terms, slices, *shape)
    maps    coil sensitivities, complex, (coils, *shape) or (slices, coils, *shape)
    fov     field of view along each axis of shape in m, or None
    units   what the caller vouches for: values of those are not doubted

    Raises InvalidError with the place of what is not finite, of another shape or hardly in the unit named, and what
    is valid.
    """

    shape: tuple[int, ...]
    k: Array
    data: Any
    t: Array | None = None
    field: Array | None = None
    decay: Array | None = None
    phase: tuple[Array, Array] | None = None
    maps: Array | None = None
    fov: tuple[float, ...] | None = None
    units: Units = Units()

    def __post_init__(self) -> None:
        self._hold_samples()
        if self.t is not None:
            self._hold_times(self.t)
        if self.field is not None:
            self._hold_timed_map("field", self.field)
            doubt_field(self.field, self.units)
        if self.decay is not None:
            self._hold_timed_map("decay", self.decay)
            doubt_decay(self.decay, self.units)
        if self.phase is not None:
            self._hold_phase(self.phase)
        if self.maps is not None:
            self._hold_map("maps", self.maps, (self.coils, *self.shape), "coils, *shape")
            if not self.maps.any():
                raise InvalidError("maps are 0 everywhere; the sensitivity of each coil is valid")
        refuse_infinite("data", kind_of(self.data).host(self.data))

    @property
    def frames(self) -> int:
        return int(self.data.shape[0])

    @property
    def slices(self) -> int:
        return int(self.data.shape[1])

    @property
    def coils(self) -> int:
        return int(self.data.shape[2])

    @property
    def samples(self) -> tuple[int, ...]:
        """The shape of a coil's samples."""
        return tuple(self.data.shape[3:])

    @property
    def own_k(self) -> bool:
        """Whether each frame has a trajectory of its own."""
        return self.k.ndim == len(self.samples) + 2

    def k_of(self, frame: int) -> Array:
        """(*samples, dim)"""
        return self.k[frame] if self.own_k else self.k

    def by_slice(self, values: Array | None) -> bool:
        """Whether each slice has a field, a decay or a term's map of its own."""
        return values is not None and values.ndim > len(self.shape)

    def field_of(self, slice_: int) -> Array | None:
        """(*shape)"""
        return self._of_slice(self.field, slice_)

    def decay_of(self, slice_: int) -> Array | None:
        """(*shape)"""
        return self._of_slice(self.decay, slice_)

    def phase_of(self, frame: int, slice_: int) -> tuple[Array, Array] | None:
        """(terms, *samples) and (terms, *shape)"""
        if self.phase is None:
            return None
        c, b = self.phase
        return c[:, frame] if c[0].ndim > len(self.samples) else c, b[:, slice_] if self.by_slice(b[0]) else b

    def _of_slice(self, values: Array | None, slice_: int) -> Array | None:
        return values[slice_] if values is not None and self.by_slice(values) else values

    def _hold_samples(self) -> None:
        dim = len(self.shape)
        if self.k.dtype.kind != "f" or self.data.ndim < 4:
            raise InvalidError(f"k is {self.k.dtype} and data have {self.data.ndim} axes; real numbers and (frames, "
                               "slices, coils, *samples) are valid")
        if self.k.shape[-1] != dim:
            raise InvalidError(f"k has positions of {self.k.shape[-1]} axes; {dim}, as the image of shape "
                               f"{self.shape} has, are valid")
        found, wanted = self.k.shape[:-1], (self.frames, *self.samples)
        if found not in (wanted, wanted[1:]):
            near = _transposed(found, wanted if len(found) == len(wanted) else wanted[1:])
            raise InvalidError(f"k is of samples {found}, data of {wanted[1:]} in {self.frames} frames; both the same "
                               f"are valid{near}")
        if 0 in self.data.shape:
            raise InvalidError(f"data have the shape {tuple(self.data.shape)}; at least one of everything is valid")
        refuse_infinite("k", self.k)
        doubt_positions(self.k, self.shape, self.units)

    def _hold_times(self, t: Array) -> None:
        try:
            np.broadcast_to(t, self.samples)
        except ValueError:
            near = _transposed(t.shape, self.samples)
            raise InvalidError(f"t has the shape {t.shape}, which does not broadcast to the samples {self.samples}"
                               f"{near}") from None
        refuse_infinite("t", t)
        doubt_times(t, self.units)

    def _hold_timed_map(self, name: str, found: Array) -> None:
        self._hold_map(name, found, self.shape, "*shape")
        if self.t is None:
            raise InvalidError(f"{name} is given without t; the time of each sample in s is valid beside it")

    def _hold_phase(self, phase: Any) -> None:
        """As a plan does, with frames as k has them."""
        c, b = intake.pair_of(phase)
        frames = np.ndim(c) > 1 + len(self.samples)
        slices = np.ndim(b) > 1 + len(self.shape)
        found = intake.phase_of(phase, self.k.dtype.name, (self.slices, *self.shape) if slices else self.shape,
                                self.k.shape[:-1] if frames else self.samples)
        refuse_infinite("phase[0]", found.c)
        refuse_infinite("phase[1]", found.b)

    def _hold_map(self, name: str, found: Array, own: tuple[int, ...], words: str) -> None:
        if found.shape not in (own, (self.slices, *own)):
            near = _transposed(found.shape[-len(own):], own)
            raise InvalidError(f"{name} has the shape {found.shape}; {own} or {(self.slices, *own)}, ({words}) or "
                               f"(slices, {words}), is valid{near}")
        refuse_infinite(name, found)


class Group:
    """Images that one operator serves at once."""

    def __init__(self, frames: list[int], slices: list[int]) -> None:
        self.frames, self.slices = frames, slices


def groups(scan: Acquisition, most: int) -> Iterator[Group]:
    """All images, at most so many at once: those with the same trajectory, field, decay and phase."""
    own_maps = any(map(scan.by_slice, (scan.field, scan.decay, None if scan.phase is None else scan.phase[1][0])))
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for slice_ in range(scan.slices):
        for frame in range(scan.frames):
            key = (frame if scan.own_k else 0, slice_ if own_maps else 0)
            found.setdefault(key, []).append((frame, slice_))
    for images in found.values():
        for first in range(0, len(images), most):
            frames, slices = zip(*images[first:first + most])
            yield Group(list(frames), list(slices))
