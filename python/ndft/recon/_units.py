# SPDX-License-Identifier: Apache-2.0
"""Units, which arrays do not carry: values hardly in theirs are refused, with the unit that they seem to have."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

import numpy as np

from ..errors import InvalidError

Array = np.ndarray[Any, Any]

K_UNITS = ("cycles/FOV", "1/m", "rad/m", "cycles/voxel", "rad/voxel")
T_UNITS = {"s": 1., "ms": 1e-3, "us": 1e-6}
FIELD_UNITS = {"rad/s": 1., "Hz": 2 * math.pi}
DECAY_UNITS = {"1/s": 1., "1/ms": 1e3}
_LARGE = 16  # on smaller grids a few cycles/FOV are all there is
_BEYOND = 1.1  # the edge of k-space, as trajectories that are measured may be
_LONGEST_S = 1  # no signal lasts longer
_SLOWEST = 1  # of decays, in 1/s: water's own is hardly below


class Units(NamedTuple):
    """As words where the caller vouches for them; None: the first of each, and doubted."""

    k: str | None = None
    t: str | None = None
    field: str | None = None
    decay: str | None = None


def cycles_of(k: Array, unit: str | None, shape: Sequence[int], fov: Sequence[float] | None) -> Array:
    """Positions in a unit as cycles/FOV; fov in m, along the axes of shape."""
    if unit in (None, "cycles/FOV"):
        return k
    if unit in ("1/m", "rad/m") and fov is None:
        raise InvalidError(f"k is in {unit}, and the field of view is not known; it is valid beside it (--fov, in mm)")
    per = np.asarray(shape if unit in ("cycles/voxel", "rad/voxel") else fov, float)
    return (k * (per / (2 * math.pi if unit in ("rad/m", "rad/voxel") else 1))).astype(k.dtype)


class Doubt(InvalidError):
    """Values that hardly are in their unit, in the words of who calls from Python."""

    def __init__(self, name: str, place: Sequence[int], seen: str, python: str, command: str) -> None:
        super().__init__(f"{name}[{', '.join(map(str, place))}] is {seen}{python}")
        self._name, self._place, self._said = name, list(place), f"{seen}{command}"

    def of_command(self, dim: int) -> InvalidError:
        """In the words of ndft recon, whose files have their own names, and axes x, y, z."""
        if self._name == "k":
            self._place[-1] = dim - 1 - self._place[-1]
        name = {"k": "traj", "t": "times"}.get(self._name, self._name)
        return InvalidError(f"{name}[{', '.join(map(str, self._place))}] is {self._said}")


def _place(values: Array, flat: int) -> list[int]:
    return [int(i) for i in np.unravel_index(flat, values.shape)]


def doubt_positions(k: Array, shape: Sequence[int], units: Units) -> None:
    """Refuses k that hardly is in cycles/FOV, by how far it reaches."""
    large = [axis for axis, n in enumerate(shape) if n > _LARGE]
    reach = np.abs(k).reshape(-1, len(shape)).max(0)
    if units.k is not None or not large:
        return
    widest = max(large, key=lambda axis: float(reach[axis] / shape[axis]))
    most, far, half = float(reach[large].max()), float(reach[widest]), shape[widest] / 2
    place = [*_place(k[..., widest], int(abs(k[..., widest]).argmax())), widest]
    python = "; in cycles/FOV it reaches about N/2 (units=Units(k='cycles/FOV') if it is so)"
    command = "; in cycles/FOV it reaches about N/2 (--k-unit cycles/FOV if it is so)"
    if 0 < most <= math.pi * _BEYOND:
        unit, times = ("cycles/voxel", "N") if most <= .5 * _BEYOND else ("rad/voxel", "N / (2 pi)")
        raise Doubt("k", place, f"{far:.4g}, as far from 0 as any: {unit}? ", f"{times} times that is valid{python}",
                    f"--k-unit {unit} is valid{command}")
    if 0 < far < half / 20:
        raise Doubt("k", place, f"{far:.4g}, as far from 0 as any, of N/2 = {half:g}: ",
                    f"a smaller shape, or another unit, is valid{python}",
                    f"a smaller --shape, or another --k-unit, is valid{command}")
    if far > 1.5 * half:
        raise Doubt("k", place, f"{far:.4g}, beyond N/2 = {half:g}: 1/m or rad/m? ",
                    f"the field of view in m times it, or a larger shape, is valid{python}",
                    f"--k-unit 1/m with --fov, or a larger --shape, is valid{command}")


def doubt_times(t: Array, units: Units) -> None:
    """Refuses times below 0, and those after which there is no signal."""
    if float(t.min()) < 0:
        raise InvalidError(f"t has {float(t.min()):g}; seconds since excitation, 0 or more, are valid")
    if units.t is None and float(t.max()) > _LONGEST_S:
        unit = "ms" if float(t.max()) <= 1e3 * _LONGEST_S else "us"
        raise Doubt("t", _place(t, int(t.argmax())), f"{float(t.max()):g}, longer than a signal lasts in s: {unit}? ",
                    f"{T_UNITS[unit]:g} times it is valid; units=Units(t='s') if it is so",
                    f"--t-unit {unit} is valid; --t-unit s if it is so")


def doubt_field(field: Array, units: Units) -> None:
    """Refuses maps of whole numbers only, which scanners write for Hz and no product with 2 pi is."""
    if units.field is None and field.any() and (field == np.rint(field)).all():
        at = int(abs(field).argmax())
        raise Doubt("field", _place(field, at), f"{field.flat[at]:g} and all of the map are whole numbers: Hz? ",
                    "2 pi times it is valid; units=Units(field='rad/s') if it is so",
                    "--field-unit Hz is valid; --field-unit rad/s if it is so")


def doubt_decay(decay: Array, units: Units) -> None:
    """Refuses rates below 0, and maps that stay below those of any tissue, as in 1/ms or of times in s."""
    low, high = int(decay.argmin()), int(decay.argmax())
    if decay.flat[low] < 0:
        raise InvalidError(f"decay[{', '.join(map(str, _place(decay, low)))}] is {decay.flat[low]:g}; R2* in 1/s, 0 or "
                           "more, is valid")
    if units.decay is None and 0 < decay.flat[high] < _SLOWEST:
        raise Doubt("decay", _place(decay, high), f"{decay.flat[high]:g}, the fastest of all: 1/ms, or T2* in s? ",
                    "1000 times it, or 1 / T2*, is valid; units=Units(decay='1/s') if it is so",
                    "--decay-unit 1/ms, or 1 / T2*, is valid; --decay-unit 1/s if it is so")
