# SPDX-License-Identifier: Apache-2.0
"""Axes of tensors that are a plan's data, ([frames], *lead, *own, [coils]): own are its voxels or its samples."""

from __future__ import annotations

import math
from typing import Any, cast

from torch import Tensor

from . import _masks as masks
from .plan import Plan


class Axes:
    """Of a plan, and of as many in lead as an image has."""

    def __init__(self, plan: Plan, image: Tensor) -> None:
        self.voxels, self.samples = plan.voxels_shape, plan.samples_shape
        self.frames = () if plan.frames is None else (plan.frames,)
        self.framed, self.interleaved = len(self.frames), int(plan.interleaved)
        self._lead = image.dim() - self.framed - len(self.voxels) - self.interleaved
        self._mask: Any = plan._mask

    def spread(self, values: Tensor, own: tuple[int, ...]) -> Tensor:
        """(*before, *own) -> (*before, 1 for each of lead, *own, [1]), which data are multiplied by."""
        before = values.shape[:values.dim() - len(own)]
        return values.reshape(*before, *self._lead * [1], *own, *self.interleaved * [1])

    def columns(self, data: Tensor, own: tuple[int, ...]) -> Tensor:
        """(frames or 1, lead times coils, elements of own)"""
        coils_first = data.movedim(-1, self.framed) if self.interleaved else data
        return coils_first.reshape(*(self.frames or (1,)), -1, math.prod(own))

    def of_grid(self, maps: Tensor) -> Tensor:
        """(*before, *shape) -> (*before, *voxels)"""
        return maps if self._mask is None else cast(Tensor, masks.of_grid(maps, self._mask))

    def on_grid(self, maps: Tensor) -> Tensor:
        """(*before, *voxels) -> (*before, *shape), 0 outside of the mask"""
        return maps if self._mask is None else cast(Tensor, masks.on_grid(maps, self._mask))
