# SPDX-License-Identifier: Apache-2.0
"""Images on the whole grid, and the vectors of their voxels in a mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._kinds import kind_of
from .errors import InvalidError

Mask = np.ndarray[Any, Any]


def _hold_array(name: str, values: Any) -> None:
    if not hasattr(values, "shape"):
        raise InvalidError(f"{name} is {type(values).__name__}; an array is wanted")


def of_grid(image: Any, mask: Mask) -> Any:
    """(*lead, *shape) -> (*lead, n_voxels)"""
    _hold_array("image", image)
    lead = len(image.shape) - mask.ndim
    if lead < 0 or tuple(image.shape[lead:]) != mask.shape:
        raise InvalidError(f"image has the shape {tuple(image.shape)}; (*lead, {', '.join(map(str, mask.shape))})")
    flat = image.reshape((*image.shape[:lead], mask.size))
    return flat[..., kind_of(image).like(np.flatnonzero(mask), image)]


def on_grid(voxels: Any, mask: Mask) -> Any:
    """(*lead, n_voxels) -> (*lead, *shape), 0 outside of the mask"""
    _hold_array("voxels", voxels)
    count = int(np.count_nonzero(mask))
    if not voxels.shape or voxels.shape[-1] != count:
        raise InvalidError(f"voxels has the shape {tuple(voxels.shape)}; (*lead, {count})")
    kind = kind_of(voxels)
    places = np.zeros(mask.size, np.int64)  # outside of the mask any voxel, which is not kept
    places[np.flatnonzero(mask)] = np.arange(count)
    flat = kind.kept(voxels[..., kind.like(places, voxels)], kind.like(mask.ravel(), voxels))
    return flat.reshape((*voxels.shape[:-1], *mask.shape))
