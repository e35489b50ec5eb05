# SPDX-License-Identifier: Apache-2.0
"""The operator from an image to the samples of all coils, and back."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Iterator, Sequence

import numpy as np

from .._kinds import kind_of
from .._operator import Operator, Values

Array = np.ndarray[Any, Any]


def fourier(shape: Sequence[int], k: Any, t: Any = None, field: Any = None, decay: Any = None, phase: Any = None,
            **options: Any) -> Operator:
    """Forward and adjoint by one engine, so that they are a matched pair, and normal by the engine that the planner
    takes for it, directly or by Toeplitz's structure (Fessler et al., IEEE TSP 53, 2005). Units as of ndft.Plan."""
    return Operator(shape, Values.of(k, t, field, decay, phase), one_engine=True, **options)


def _beside(values: Any, data: Any) -> Any:
    """As an array of the kind of data, where they are."""
    return None if values is None else kind_of(data).like(kind_of(values).host(values), data)


class Sense:
    """E = F C, images times coil maps and then the field-corrected transform (Pruessmann et al., MRM 46, 2001; with a
    field map Sutton, Noll and Fessler, IEEE TMI 22, 2003), both in one plan, which moves one image.

    fourier  of images without maps
    maps     (coils, *shape) complex, or (*several, coils, *shape), or None: one coil that sees everything alike
    weights  (*samples) of the samples in adjoint and normal, or None: all 1
    like     an array of the kind and place of data, where weights are put
    which    of several maps those of each image in turn; None: in their order, and again

    Images are (*lead, *shape), data (*lead, coils, *samples), of NumPy, CuPy or PyTorch; nothing leaves their device.
    """

    def __init__(self, fourier: Operator, maps: Any, weights: Any, like: Any,
                 which: Sequence[int] | None = None) -> None:
        self._shape, self._weights = fourier.shape, _beside(weights, like)
        self._maps = maps is not None
        each = [None] if maps is None else maps.reshape(-1, *maps.shape[maps.ndim - len(self._shape) - 1:])
        self._by_maps = [fourier.with_maps(one) for one in each]
        self._which = range(len(each)) if which is None or len(each) == 1 else which

    def forward(self, image: Any) -> Any:
        """(*lead, *shape) -> (*lead, coils, *samples), without weights"""
        return self._each("forward", image, len(self._shape))

    def adjoint(self, samples: Any) -> Any:
        """(*lead, coils, *samples) -> (*lead, *shape), of weighted samples"""
        own = 1 + self._by_maps[0].values.k.ndim - 1
        return self._each("adjoint", samples if self._weights is None else self._weights * samples, own)

    def normal(self, image: Any) -> Any:
        """(*lead, *shape) -> (*lead, *shape), adjoint after forward; without weights by the planner's engine"""
        if self._weights is None:
            return self._each("normal", image, len(self._shape))
        return self.adjoint(self.forward(image))

    def _each(self, name: str, data: Any, own: int) -> Any:
        """An operation of data whose last axes are an image's own: neighbours with the same maps go together."""
        lead = data.shape[:data.ndim - own]
        flat = data.reshape(-1, *data.shape[data.ndim - own:])
        found = None
        for first, past, maps in self._runs(len(flat)):
            part = self._of(name, maps, flat[first:past])
            if past - first == len(flat):
                return part.reshape(*lead, *part.shape[1:])
            if found is None:
                found = kind_of(part).empty((len(flat), *part.shape[1:]), self._by_maps[0].dtype, part)
            found[first:past] = part
        return found if found is None else found.reshape(*lead, *found.shape[1:])

    def _runs(self, count: int) -> Iterator[tuple[int, int, int]]:
        which = [self._which[index % len(self._which)] for index in range(count)]
        first = 0
        for maps, alike in groupby(which):
            past = first + len(list(alike))
            yield first, past, maps
            first = past

    def _of(self, name: str, maps: int, data: Any) -> Any:
        """Without maps data have an axis of one coil, and an image has none."""
        operation = getattr(self._by_maps[maps], name)
        if self._maps:
            return operation(data)
        if name == "forward":
            return operation(data)[:, None]
        return operation(data[:, 0] if name == "adjoint" else data)
