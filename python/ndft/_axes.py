# SPDX-License-Identifier: Apache-2.0
"""Axes of tensors that are a plan's data, ([frames], *lead, *own, [coils]): own are its voxels or its samples."""

from __future__ import annotations

import math
from typing import Any, cast

from torch import Tensor

from . import _masks as masks
from .plan import Plan


class Axes:
    """Of a plan, with coil maps or without: then an image has no axis of coils."""

    def __init__(self, plan: Plan) -> None:
        self.voxels, self.samples = plan.voxels_shape, plan.samples_shape
        self.frames = () if plan.frames is None else (plan.frames,)
        self.framed = len(self.frames)
        self._interleaved, self._with_maps = plan.interleaved, "maps" in plan.maps
        self._mask: Any = plan._mask

    def spread(self, times: Tensor, samples: Tensor) -> Tensor:
        """([frames], *own) -> ([frames], 1 for each of lead, *own, [1]), which samples are multiplied by."""
        behind = int(self._interleaved)
        lead = samples.dim() - self.framed - len(self.samples) - behind
        return times.reshape(*self.frames, *lead * [1], *self.samples, *behind * [1])

    def images(self, data: Tensor) -> Tensor:
        """(frames or 1, lead times coils, voxels)"""
        return self._columns(data, self.voxels, self._interleaved and not self._with_maps)

    def rows(self, data: Tensor) -> Tensor:
        """(frames or 1, lead times coils, samples)"""
        return self._columns(data, self.samples, self._interleaved)

    def _columns(self, data: Tensor, own: tuple[int, ...], interleaved: bool) -> Tensor:
        coils_first = data.movedim(-1, self.framed) if interleaved else data
        return coils_first.reshape(*(self.frames or (1,)), -1, math.prod(own))

    def of_grid(self, maps: Tensor) -> Tensor:
        """(*before, *shape) -> (*before, *voxels)"""
        return maps if self._mask is None else cast(Tensor, masks.of_grid(maps, self._mask))

    def on_grid(self, maps: Tensor) -> Tensor:
        """(*before, *voxels) -> (*before, *shape), 0 outside of the mask"""
        return maps if self._mask is None else cast(Tensor, masks.on_grid(maps, self._mask))
