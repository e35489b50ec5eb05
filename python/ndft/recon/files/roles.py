# SPDX-License-Identifier: Apache-2.0
"""What an array of a file is for, and how its axes become ours: of .npy as they are, of .cfl from BART's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidError
from . import cfl, npy

Array = np.ndarray[Any, Any]


class Role(NamedTuple):
    """bart: its dimensions in the order of our axes; those of spare are left out where they are 1."""

    axes: str  # of .npy, for messages
    kind: str  # of numbers: "real" or "complex"
    bart: tuple[int, ...]
    spare: tuple[int, ...] = ()


ROLES = {
    "data": Role("(coils, *samples), (slices, coils, *samples) or (frames, slices, coils, *samples)", "complex",
                 (cfl.TIME, cfl.SLICE, cfl.COIL, 2, 1)),
    "traj": Role("(*samples, d) or (frames, *samples, d), columns x, y, z", "real", (cfl.TIME, 2, 1, 0),
                 (cfl.TIME,)),
    "times": Role("what broadcasts to samples, s", "real", (2, 1)),
    "field": Role("(*shape) or (slices, *shape), rad/s", "real", (cfl.SLICE, 2, 1, 0), (cfl.SLICE,)),
    "decay": Role("(*shape) or (slices, *shape), 1/s, R2*", "real", (cfl.SLICE, 2, 1, 0), (cfl.SLICE,)),
    "phase_c": Role("(terms, *samples) or (terms, frames, *samples), rad per unit of phase_b", "real",
                    (cfl.COEFFICIENT, cfl.TIME, 2, 1), (cfl.TIME,)),
    "phase_b": Role("(terms, *shape) or (terms, slices, *shape)", "real", (cfl.COEFFICIENT, cfl.SLICE, 2, 1, 0),
                    (cfl.SLICE,)),
    "maps": Role("(coils, *shape) or (slices, coils, *shape)", "complex", (cfl.SLICE, cfl.COIL, 2, 1, 0),
                 (cfl.SLICE,)),
    "weights": Role("(*samples)", "real", (2, 1)),
}


def _real(path: str, found: Array) -> Array:
    """Of the numbers of a .cfl, or of a .npy that is real or complex without imaginary parts."""
    if found.dtype.kind == "c":
        wrong = found.imag != 0
        if wrong.any():
            place = ", ".join(str(int(i)) for i in np.unravel_index(int(wrong.argmax()), wrong.shape))
            raise InvalidError(f"{path}[{place}] has the imaginary part {found.imag[tuple(np.argwhere(wrong)[0])]:g}; "
                               "real numbers are valid")
        return found.real.astype(np.float32)
    return found.astype(np.float32)


def read(role_name: str, path: str) -> Array:
    """With our axes, real ones as float32, complex ones as complex64; of .cfl a field map has its sign turned, since
    BART 1.0 has exp(+i field t). FileError, InvalidError."""
    role = ROLES[role_name]
    if path.endswith((".cfl", ".hdr")):
        found = _of_bart(role, path)
        return -_real(path, found) if role_name == "field" else found if role.kind == "complex" else _real(path, found)
    if not path.endswith(".npy"):
        raise InvalidError(f"{role_name}={path}: .npy, .cfl and .hdr are read, by the end of the name")
    found = npy.read(path)
    if found.dtype.kind not in ("fciu" if role.kind == "real" else "c"):
        raise InvalidError(f"{path} is {found.dtype}; {role_name} of {role.kind} numbers is valid, {role.axes}")
    return _real(path, found) if role.kind == "real" else found.astype(np.complex64)


def _of_bart(role: Role, path: str) -> Array:
    found = cfl.read(path)
    sets = found.shape[cfl.DIMS - 1 - cfl.SETS]
    if sets > 1:
        raise InvalidError(f"{path} has {sets} sets of maps; one is valid: bart slice {cfl.SETS} 0 makes it")
    try:
        found = cfl.ordered(found, role.bart + ((0,) if role.bart[-1] == 1 else ()))
    except InvalidError as error:
        raise InvalidError(f"{path}: {error}") from None
    if role.bart[-1] == 1:  # of samples BART's first dimension is 1
        if found.shape[-1] != 1:
            raise InvalidError(f"{path} has {found.shape[-1]} along BART's first dimension; [1, samples, shots, ...] "
                               "is valid")
        found = found[..., 0]
    left_out = (axis for axis, d in enumerate(role.bart) if d in role.spare and found.shape[axis] == 1)
    return np.ascontiguousarray(found.squeeze(tuple(left_out)))
