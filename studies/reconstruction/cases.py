# SPDX-License-Identifier: Apache-2.0
"""Scans of an object: samples by exact sums on its fine grid, with noise, and what their images should be; those of
the head."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Iterator, NamedTuple

import numpy as np

from ndft import recon
from ndft.recon._simulation import coils_on, means, measured, places, with_noise

from . import trajectories
from .head import FOV_MM, Head

N, FINE, COILS, READOUT_S, MOST_HZ = 192, 3, 8, 40e-3, 200
SHOTS = {"spiral": 8, "EPI": 4}
POINTS = 8000  # of a spiral's shot
NOISE = .005  # of white matter, in a voxel of a coil's image


@dataclass(frozen=True)
class Case:
    """maps are in the scan; truth is None where nobody knows it."""

    name: str
    scan: recon.Acquisition
    weights: np.ndarray  # (*samples), Pipe's
    truth: np.ndarray | None = None


class Way(NamedTuple):
    """How it is scanned."""

    k: np.ndarray
    t: np.ndarray
    coils: int
    round_: bool  # whether k reaches as far in all directions


def _limited(image: np.ndarray, n: int, round_: bool) -> np.ndarray:
    """The image (n fine, n fine) with the frequencies that n x n voxels have, all or those of the disc."""
    along = np.arange(n) - n // 2
    def waves(at: np.ndarray) -> np.ndarray:
        return np.exp(-2j * np.pi * np.outer(along, at))
    fine, coarse = (waves(places(n, width)[0][:, 0]) for width in (image.shape[0] // n, 1))
    spectrum = fine @ image @ fine.T * (n / image.shape[0]) ** 2
    if round_:
        spectrum[np.hypot(*np.meshgrid(along, along)) > n / 2] = 0
    return (coarse.conj().T @ spectrum @ coarse.conj()).real / n ** 2


def _trajectory(name: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    if name == "EPI":
        return trajectories.epi(n, SHOTS[name], READOUT_S)
    return trajectories.spiral(n, SHOTS[name], POINTS * n * n // N ** 2, READOUT_S)


def _mean_of(values: np.ndarray, object_: np.ndarray, fine: int) -> np.ndarray:
    """Of each voxel, weighed by what it holds, as a map that is measured is."""
    weight = object_ + 1e-6
    return (means(weight * values, fine) / means(weight, fine)).astype(np.float32)


def scanned(name: str, object_: np.ndarray, timed: dict[str, np.ndarray], way: Way, n: int, **options: Any) -> Case:
    """Of an object (n fine, n fine) with field and decay on the same grid, where timed has them; options of ndft.Plan,
    for samples and weights."""
    rng = np.random.default_rng(0)
    fine = object_.shape[0] // n
    seen = coils_on(*places(n, fine), way.coils) * object_
    exact = {**options, "variant": f"coil_gemm.{options.get('device', 'cpu').partition(':')[0]}"}
    data = with_noise(measured(seen, n, way.k, way.t, **timed, **exact), n, NOISE, rng)[None, None]
    maps = coils_on(*places(n), way.coils).astype(np.complex64)
    scan = recon.Acquisition((n, n), way.k, data, t=way.t, maps=maps, fov=(1e-3 * FOV_MM,) * 2,
                             **{name: _mean_of(values, object_, fine) for name, values in timed.items()})
    return Case(name, scan, recon.density_weights(way.k, (n, n), **options), _limited(object_, n, way.round_))


def of(head: Head, trajectory: str, field: bool, decay: bool, n: int, **options: Any) -> Case:
    timed = {name: values for name, values, on in (("field", head.field, field), ("decay", head.decay, decay)) if on}
    way = Way(*_trajectory(trajectory, n), COILS, trajectory != "EPI")
    return scanned(f"{trajectory}, {' and '.join(timed) or 'homogeneous field'}", head.object, timed, way, n, **options)


def of_high(head: Head, n: int, **options: Any) -> Iterator[Case]:
    """Where the field is smooth."""
    for trajectory in SHOTS:
        for field, decay in ((False, False), (True, False), (True, True)):
            yield of(head, trajectory, field, decay, n, **options)


def of_low(head: Head, n: int, **options: Any) -> Iterator[Case]:
    """Where it is not."""
    yield replace(of(head, "spiral", True, False, n, **options), name="spiral, field above the cavities")


def without(case: Case, *names: str) -> Case:
    """As if nobody knew these maps."""
    return replace(case, scan=replace(case.scan, **{name: None for name in names}))
