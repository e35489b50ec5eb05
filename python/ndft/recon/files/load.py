# SPDX-License-Identifier: Apache-2.0
"""A scan from files of arrays, or from ISMRMRD's with arrays beside it."""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np

from ...errors import InvalidError
from .._acquisition import Acquisition, refuse_infinite
from .._units import DECAY_UNITS, FIELD_UNITS, T_UNITS, Doubt, Units, cycles_of
from . import ismrmrd, roles

Array = np.ndarray[Any, Any]


class Asked(NamedTuple):
    """Files by their role, of roles.ROLES or "scan", and what else was said of them."""

    files: dict[str, str]
    shape: tuple[int, ...] | None = None  # in C order
    fov: tuple[float, ...] | None = None  # m, in the order of shape; one for all axes is enough
    units: Units = Units()


class Loaded(NamedTuple):
    scan: Acquisition
    weights: Array | None


class _Raw(NamedTuple):
    """Axes x, y, z in columns of traj, as files have them."""

    data: Array
    traj: Array
    times: Array | None
    shape: tuple[int, ...] | None
    fov: tuple[float, ...] | None


def _of_ismrmrd(asked: Asked, tell: Callable[[str], None]) -> tuple[_Raw, Units]:
    found = ismrmrd.read(asked.files["scan"])
    dim = 3 if found.matrix[2] > 1 else 2
    tell(f"{asked.files['scan']}: {'x'.join(map(str, found.matrix[:dim][::-1]))} over "
         f"{' x '.join(f'{1e3 * mm:g}' for mm in found.fov[:dim][::-1])} mm; its trajectory reaches as one in "
         f"{found.unit} does")
    times = found.times[0] if found.times is not None and found.times.ndim == 3 else found.times  # of all frames
    raw = _Raw(found.data, found.traj, times, found.matrix[:dim][::-1], found.fov[:dim][::-1])
    return raw, asked.units._replace(k="cycles/FOV")


def _of_arrays(files: dict[str, Array]) -> _Raw:
    for name in ("data", "traj"):
        if name not in files:
            raise InvalidError(f"no {name}: {name}=PATH of {roles.ROLES[name].axes} is wanted, or one .h5 of ISMRMRD")
    return _Raw(files["data"], files["traj"], files.get("times"), None, None)


def _leads(data: Array, traj: Array) -> Array:
    """data as (frames, slices, coils, *samples), by the samples that traj has; a trajectory for each frame where there
    are all axes and it can be that."""
    if traj.ndim > 2 and data.ndim == traj.ndim + 1 and data.shape[:1] + data.shape[3:] == traj.shape[:-1]:
        return data
    lead = data.ndim - (traj.ndim - 1)
    if traj.ndim > 1 and 0 <= lead <= 3 and data.shape[lead:] == traj.shape[:-1]:
        return data.reshape((3 - lead) * (1,) + data.shape)
    raise InvalidError(f"data have the shape {data.shape}, traj has {traj.shape}; {roles.ROLES['data'].axes} is valid "
                       f"beside (*samples, d)")


def _positions(traj: Array, dim: int | None) -> Array:
    """k with the last axis first, of as many axes as are used, or dim."""
    if not traj.ndim or traj.shape[-1] > 3:
        raise InvalidError(f"traj has the shape {traj.shape}; (*samples, 2 or 3) is valid")
    columns = traj.shape[-1]
    wanted = dim if dim is not None else columns - (columns == 3 and not traj[..., 2].any())
    if wanted > columns or traj[..., wanted:].any():
        raise InvalidError(f"traj has {columns} columns, of an image of {wanted} axes; "
                           f"{'no more' if wanted > columns else 'the others 0'} is valid")
    return np.ascontiguousarray(traj[..., :wanted][..., ::-1])


def _map_of(name: str, files: dict[str, Array], asked: Asked, dim: int) -> Array | None:
    """Without BART's axis z where an image has none."""
    found = files.get(name)
    if found is not None and dim == 2 and not asked.files[name].endswith(".npy") and found.shape[-3] == 1:
        return found.reshape(*found.shape[:-3], *found.shape[-2:])
    return found


def _pair(c: Array | None, b: Array | None) -> tuple[Array, Array] | None:
    """A phase of higher order, which neither half is."""
    if c is not None and b is not None:
        return c, b
    if c is not None or b is not None:
        there, missing = ("phase_c", "phase_b") if b is None else ("phase_b", "phase_c")
        raise InvalidError(f"{there} is given without {missing}; {missing}=PATH of {roles.ROLES[missing].axes} is "
                           "wanted beside it")
    return None


def _shape_of(asked: Asked, raw: _Raw, k: Array, maps: Sequence[Array | None]) -> tuple[int, ...]:
    for found in (asked.shape, raw.shape, *(None if one is None else one.shape[-k.shape[-1]:] for one in maps)):
        if found is not None:
            return found
    near = [max(1, 2 * math.ceil(float(n))) for n in np.abs(k).reshape(-1, k.shape[-1]).max(0)]
    raise InvalidError("neither a shape nor a map tells how large the image is; k reaches as that of "
                       f"--shape {'x'.join(map(str, near))} does, if it is in cycles/FOV")


def _fov_of(asked: Asked, raw: _Raw, dim: int) -> tuple[float, ...] | None:
    found = asked.fov or raw.fov
    if found is not None and len(found) not in (1, dim):
        raise InvalidError(f"--fov has {len(found)} lengths; 1 or {dim}, as the image has axes, are valid")
    return None if found is None else found if len(found) == dim else dim * found


def _si(values: Array | None, unit: float) -> Array | None:
    return None if values is None else values * np.float32(unit)


def load(asked: Asked, tell: Callable[[str], None]) -> Loaded:
    """Raises FileError and InvalidError; tell is told what was taken for what."""
    files = {name: roles.read(name, path) for name, path in asked.files.items() if name != "scan"}
    units = asked.units
    if "scan" in asked.files:
        raw, units = _of_ismrmrd(asked, tell)
        if {"data", "traj"} & set(files):
            beside = ", ".join(f"{name}=" for name in roles.ROLES if name not in ("data", "traj"))
            raise InvalidError(f"data and traj are in the .h5; {beside} are valid beside it")
        raw = raw._replace(times=files.get("times", raw.times))
    else:
        raw = _of_arrays(files)
    for name, values in (("traj", raw.traj), ("times", raw.times)):
        if values is not None:
            refuse_infinite(name, values)
    given = asked.shape or raw.shape
    k = _positions(raw.traj, len(given) if given else None)
    dim = k.shape[-1]
    field, decay, b, maps = (_map_of(name, files, asked, dim) for name in ("field", "decay", "phase_b", "maps"))
    shape, fov = _shape_of(asked, raw, k, (field, decay, maps, b)), _fov_of(asked, raw, dim)
    try:
        scan = Acquisition(shape, cycles_of(k, units.k, shape, fov), _leads(raw.data, raw.traj),
                           t=_si(raw.times, T_UNITS[units.t or "s"]),
                           field=_si(field, FIELD_UNITS[units.field or "rad/s"]),
                           decay=_si(decay, DECAY_UNITS[units.decay or "1/s"]), phase=_pair(files.get("phase_c"), b),
                           maps=maps, fov=fov, units=units)
    except Doubt as error:
        raise error.of_command(dim) from None
    weights = files.get("weights")
    if weights is not None:
        _hold_weights(weights, scan)
    return Loaded(scan, weights)


def _hold_weights(weights: Array, scan: Acquisition) -> None:
    if weights.shape != scan.samples:
        raise InvalidError(f"weights have the shape {weights.shape}; {scan.samples}, that of samples, is valid")
    refuse_infinite("weights", weights)
    if not (weights >= 0).all() or not weights.any():
        raise InvalidError(f"weights are {weights.min():g} to {weights.max():g}; 0 and more, not all 0, are valid")
