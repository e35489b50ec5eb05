# SPDX-License-Identifier: Apache-2.0
"""A slice of Colin27 (Holmes et al., J. Comput. Assist. Tomogr. 22, 1998) with the field and the decay of its tissues.

The volume is ch2.nii.gz of mricron (Debian: mricron-data), T1-weighted, 1 mm. What is dark and thicker than bone is
air; all else has the susceptibility of water. The field is theirs in 3 T, scaled to a magnet in which it reaches as
far as is asked for in the slice. Where voxels meet air it has steps of their edges, which no body has: there it is
continued from further inside. Decay is by brightness: CSF, grey matter, white matter, fat.
"""

from __future__ import annotations

from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np

from ndft.recon import extended

from . import dipole, nifti

SHIM_MM = -40  # from there on upwards
EDGE = 2  # voxels from air on that have steps in their field
FOV_MM = 240
DARK, THICK = 14, 2  # brightness of air and bone at most; voxels around one of air that are dark
AIR, WATER = .36e-6, -9.05e-6  # susceptibilities
TESLA = 3
NECK_MM = 70  # goes on below the volume
BRIGHTNESS, DECAY = (20, 45, 75, 110, 160, 220), (0, 4, 16, 21, 30, 40)  # 1/s
WHITE = 110  # brightness that the image's 1 stands for


class Place(NamedTuple):
    """A slice, and whether its field is without what is linear over the volume, which a shim takes away."""

    mm: float
    shim: bool


HIGH, LOW = Place(40, False), Place(-16, True)  # where the field is smooth; just above the cavities of nose and ears


class Head(NamedTuple):
    """On a fine grid, (n fine, n fine)."""

    object: np.ndarray
    field: np.ndarray  # rad/s
    decay: np.ndarray  # 1/s
    tesla: float  # of the magnet


def _around(mask: np.ndarray, reach: int, combined: Callable[..., np.ndarray]) -> np.ndarray:
    """Of the neighbours as far as that along all axes, all or any."""
    for axis in range(mask.ndim):
        wide = np.pad(mask, [(reach, reach) if a == axis else (0, 0) for a in range(mask.ndim)], mode="edge")
        mask = combined(np.lib.stride_tricks.sliding_window_view(wide, 2 * reach + 1, axis), axis=-1)
    return mask


def air(brightness: np.ndarray) -> np.ndarray:
    """Where it is in the volume (nz, ny, nx): what is dark, without what is thinner than 2 THICK + 1 voxels."""
    return _around(_around(brightness < DARK, THICK, np.all), THICK, np.any)


def _index(volume: nifti.Volume, mm: float) -> int:
    """Of the slice at this height."""
    return round((mm - volume.first_mm[0]) / volume.voxel_mm[0])


def _shimmed(field: np.ndarray, volume: nifti.Volume) -> np.ndarray:
    """Without what is linear in what has signal."""
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, size) for size in field.shape), indexing="ij", sparse=True)
    over = (volume.values >= DARK) & (np.arange(field.shape[0])[:, None, None] >= _index(volume, SHIM_MM))
    flat = [np.broadcast_to(one, field.shape)[over] for one in (np.ones((1, 1, 1)), x, y, z)]
    found = np.linalg.lstsq(np.stack(flat, -1), field[over], rcond=None)[0]
    return field - sum(share * one for share, one in zip(found, (1, x, y, z)))


def field_hz(volume: nifti.Volume, shim: bool) -> np.ndarray:
    """Of the volume, around which is air, and below it more neck; 0 in air and beside it."""
    empty = air(volume.values)
    chi = np.where(empty, 0, WATER - AIR)  # against that of air
    neck = int(NECK_MM / volume.voxel_mm[0])
    wide = np.pad(chi, ((neck, 0), (0, 0), (0, 0)), mode="edge")
    pads = [(n // 4, n // 4 + n % 2) for n in wide.shape]
    whole = dipole.field_hz(np.pad(wide, pads), volume.voxel_mm, TESLA)
    inner = whole[tuple(slice(low, -high) for low, high in pads)]
    field = _shimmed(inner[neck:], volume) if shim else inner[neck:]
    return np.where(_around(empty, EDGE, np.any), 0, field)


def _onto(values: np.ndarray, volume: nifti.Volume, n: int, fine: int) -> np.ndarray:
    """A slice (ny, nx) on the fine grid, linearly, 0 beyond it; its middle is the image's."""
    along = FOV_MM * ((np.arange(n * fine) - (fine - 1) / 2) / (n * fine) - (n // 2) / n)
    for size, voxel in zip(values.shape, volume.voxel_mm[1:]):
        place = along / voxel + (size - 1) / 2
        low = np.clip(np.floor(place).astype(int), 0, size - 2)
        share = np.where((place < 0) | (place > size - 1), np.nan, place - low)
        rows = (1 - share)[:, None] * values[low] + share[:, None] * values[low + 1]
        values = np.nan_to_num(rows).T
    return values


def head(path: Path, place: Place, n: int, fine: int, most_hz: float) -> Head:
    """Of n x n voxels with fine x fine places in each; the field is as far above 0 as below."""
    volume = nifti.read(path)
    at = _index(volume, place.mm)
    brightness = _onto(volume.values[at], volume, n, fine)
    object_ = np.where(brightness < DARK, 0, brightness / WHITE)
    hz = _onto(extended(field_hz(volume, place.shim)[at]), volume, n, fine)
    low, high = (float(limit(hz[object_ > 0])) for limit in (np.min, np.max))
    scale = 2 * most_hz / (high - low)
    field = 2 * np.pi * np.clip(scale * (hz - (low + high) / 2), -most_hz, most_hz)  # outside it may reach further
    return Head(object_, field, np.interp(brightness, BRIGHTNESS, DECAY), scale * TESLA)
