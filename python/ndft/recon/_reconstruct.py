# SPDX-License-Identifier: Apache-2.0
"""A scan's images by conjugate gradients (CG-SENSE)."""

from __future__ import annotations

from dataclasses import dataclass, field as made_by
from typing import Any, Callable

import numpy as np

from .._kinds import kind_of
from .._operator import Operator, packed
from .._structures import MOST_COILS
from ..errors import InvalidError
from ._acquisition import Acquisition, Group, groups
from ._coil_maps import middle_window, normalised
from ._conjugate_gradients import conjugate_gradients
from ._density import density_weights
from ._sense import Sense, fourier
from ._sharpness import sharpness

Array = np.ndarray[Any, Any]
Told = Callable[[int, int, float], None]  # iterations done, of how many at most, and the residual


@dataclass(frozen=True)
class Settings:
    """How images are found.

    iterations   at most so many of each
    stop         an image is finished where the residual of its equations, over that of zeros, is at most this
    damping      Tikhonov's, added to the operator whose weighted adjoint of a flat image has the mean 1
    density      iterations of Pipe's weights; 0: none, which is the plain least squares fit, by the normal operator
                 that the planner takes
    middle       radius in cycles/FOV of k-space's part that coil maps are estimated from
    options      of ndft.Plan: tol, device, mode, threads and others
    """

    iterations: int = 10
    stop: float = 2e-3
    damping: float = 0
    density: int = 10
    middle: float = 12
    options: dict[str, Any] = made_by(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value, least in (("iterations", self.iterations, 1), ("stop", self.stop, 0),
                                   ("damping", self.damping, 0), ("density", self.density, 0)):
            if not value >= least:
                raise InvalidError(f"{name}={value}; {least} or more is valid")
        if not self.middle > 0:
            raise InvalidError(f"middle={self.middle}; above 0 is valid")


@dataclass
class Reconstruction:
    """Images as far as they are found, of the kind and place of the data.

    images      (frames, slices, *shape) complex; 0 where none was begun
    steps       of each group of images in turn, the residual after each iteration
    maps        coil maps (slices, coils, *shape), or as they were given
    finished    false where it was interrupted
    """

    images: Any
    maps: Any = None
    steps: list[list[float]] = made_by(default_factory=list)
    finished: bool = False

    @property
    def sharpness(self) -> float:
        """Of all images together."""
        images = kind_of(self.images).host(self.images)
        return float(np.mean([sharpness(image) for image in images.reshape(-1, *images.shape[2:])]))


def weights_of(scan: Acquisition, settings: Settings) -> list[Array]:
    """Density weights (*samples) of each trajectory; none where settings want none."""
    if settings.density == 0:
        return []
    return [density_weights(scan.k_of(frame), scan.shape, settings.density, **settings.options)
            for frame in range(scan.frames if scan.own_k else 1)]


def estimated_maps(scan: Acquisition, settings: Settings, weights: list[Array]) -> Array:
    """Coil maps (slices, coils, *shape) on the host, of all frames together."""
    windows = [middle_window(scan.k_of(frame), settings.middle) for frame in range(scan.frames if scan.own_k else 1)]
    weights = weights or weights_of(scan, Settings(options=settings.options))
    weights = [window * weight for window, weight in zip(windows, weights)]
    found = []
    for slice_ in range(scan.slices):
        if not scan.own_k:
            images = _low(scan, settings, 0, slice_, scan.data[:, slice_].sum(0), weights[0])
        else:
            images = np.sum([_low(scan, settings, frame, slice_, scan.data[frame, slice_], weights[frame])
                             for frame in range(scan.frames)], 0)
        found.append(normalised(images))
    return np.stack(found)


def _low(scan: Acquisition, settings: Settings, frame: int, slice_: int, data: Any, weights: Array) -> Array:
    """Images (coils, *shape) on the host, of weighted samples (coils, *samples)."""
    weighted = data * kind_of(data).like(weights.astype(scan.k.dtype), data)
    images = _operator(scan, settings, frame, slice_).adjoint(weighted)
    return kind_of(images).host(images)


def _operator(scan: Acquisition, settings: Settings, frame: int, slice_: int) -> Operator:
    """The one place where what is known of a scan becomes an operator."""
    return fourier(scan.shape, scan.k_of(frame), scan.t, scan.field_of(slice_), scan.decay_of(slice_),
                   scan.phase_of(frame, slice_), **settings.options)


def reconstruct(scan: Acquisition, settings: Settings = Settings(), weights: list[Array] | None = None,
                told: Told | None = None) -> Reconstruction:
    """Images of all frames and slices, by conjugate gradients on E^H W E x = E^H W d (Pruessmann et al., MRM 46,
    2001), E as in sense.Sense and W the density weights.

    weights  (*samples) of each trajectory, as weights_of has them, where they are known already
    told     called after each iteration

    KeyboardInterrupt ends it early: what is returned has the images of the last whole iteration.
    """
    found = Reconstruction(_zeros(scan))
    try:
        weights = weights_of(scan, settings) if weights is None else weights
        found.maps = estimated_maps(scan, settings, weights) if scan.maps is None else scan.maps
        parts = list(groups(scan, max(1, MOST_COILS // scan.coils)))
        for index, part in enumerate(parts):
            found.steps.append([])
            _solve(scan, settings, weights, part, found, _counted(told, index, len(parts), settings.iterations))
        found.finished = True
    except KeyboardInterrupt:
        pass
    return found


def _counted(told: Told | None, index: int, parts: int, iterations: int) -> Callable[[int, float], None]:
    def tell(iteration: int, residual: float) -> None:
        if told:
            told(index * iterations + iteration, parts * iterations, residual)
    return tell


def _zeros(scan: Acquisition) -> Any:
    return kind_of(scan.data).like(np.zeros((scan.frames, scan.slices, *scan.shape), _dtype(scan)), scan.data)


def _dtype(scan: Acquisition) -> str:
    return "complex128" if scan.k.dtype.name == "float64" else "complex64"


def sense_of(scan: Acquisition, settings: Settings, maps: Array, frame: int, slices: list[int],
             weights: Array | None) -> Sense:
    """The operator of images (len(slices), *shape) of a frame's trajectory, with field, decay and phase of the first
    slice and the coil maps of each."""
    values = np.ascontiguousarray(kind_of(maps).host(maps), _dtype(scan))
    return Sense(_operator(scan, settings, frame, slices[0]), values, weights, scan.data, slices)


def _solve(scan: Acquisition, settings: Settings, weights: list[Array], part: Group, found: Reconstruction,
           tell: Callable[[int, float], None]) -> None:
    """The images of a part, put where they belong after each iteration."""
    data = packed(scan.data[part.frames, part.slices], _dtype(scan))
    frame = part.frames[0] if scan.own_k else 0
    operator = sense_of(scan, settings, found.maps, frame, part.slices, weights[frame] if weights else None)
    right = operator.adjoint(data)
    scale = float(abs(right).max()) or 1  # squares of what is very large or small are no floats
    for step in conjugate_gradients(operator.normal, right / scale, len(scan.shape), settings.iterations,
                                    settings.stop, settings.damping):
        found.images[part.frames, part.slices] = scale * step.image
        found.steps[-1].append(step.residual)
        tell(step.iteration, step.residual)
    if not found.steps[-1]:
        largest = float(abs(data).max())
        raise InvalidError(f"no iteration has an image of finite numbers: samples of up to {largest:.3g} or the maps "
                           "are beyond what the precision holds; those around 1 are valid")
