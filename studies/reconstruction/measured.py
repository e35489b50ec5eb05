# SPDX-License-Identifier: Apache-2.0
"""The measured spiral of OCTOPUS, which nobody knows the truth of: how sharp its images are, and what they explain.

examples/python/measured_spiral.py reads it. The map is 0 where it was not measured, and continued there; coil maps
are estimated without a map from the middle of k-space, once for all ways.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np

from examples.python import measured_spiral
from ndft import recon
from ndft.recon._quality import nrmse
from ndft.recon._reconstruct import estimated_maps

from . import segments
from .cases import Case, without
from .ways import Found, Setup, by_ndft, of_maps, of_peers, of_segments

SEGMENTS, ITERATIONS = 6, 10
EARLY = 3  # iterations, after which misfits are compared, as recon.misfit does


class Result(NamedTuple):
    adjoint: recon.Signs  # of the weights that came with the data, the map as it is
    continued: recon.Signs  # of the map beyond the object
    found: list[Found]
    misfits: dict[str, float]  # of ways that have one


def case_of(folder: Path, setup: Setup) -> tuple[Case, recon.Signs]:
    """With its map continued, and what the map as it is does to the weighted adjoint."""
    scan, given = measured_spiral.read(folder)
    weights = recon.density_weights(scan.k, scan.shape, **setup.options)
    maps = estimated_maps(replace(scan, field=None), recon.Settings(options=setup.options), [weights])
    case = Case("measured spiral", replace(scan, field=recon.extended(scan.field), maps=maps[0]), weights)
    return case, measured_spiral.adjoints(scan, given)


def turned(case: Case) -> Case:
    """With the map's negative."""
    return replace(case, scan=replace(case.scan, field=-case.scan.field))


def _of_segments(case: Case, setup: Setup, weights: segments.Weights) -> float:
    """Their misfit, as recon.misfit has it of the others."""
    operator = segments.Segments(case.scan, SEGMENTS, weights, **setup.options)
    image = segments.solved(case.scan, case.weights, EARLY, operator)
    root, data = np.sqrt(case.weights), case.scan.data[0, 0]
    return float(np.linalg.norm(root * (operator.forward(image) - data)) / np.linalg.norm(root * data))


def _misfits(case: Case, setup: Setup) -> list[Callable[[], float]]:
    """In the order of what is found here."""
    def of(one: Case, **options: str) -> Callable[[], float]:
        settings = recon.Settings(options={**setup.options, **options})
        return lambda: recon.misfit(one.scan, settings, one.weights)
    return [of(without(case, "field")), lambda: _of_segments(case, setup, segments.hanning),
            lambda: _of_segments(case, setup, segments.least_squares), of(case),
            of(case, variant=f"coil_gemm.{setup.backend}"), of(turned(case))]


def run(folder: Path, setup: Setup) -> Result:
    setup = setup._replace(weighted=(ITERATIONS,), unweighted=(ITERATIONS,), mri_nufft=(ITERATIONS,))
    case, adjoint = case_of(folder, setup)
    found = [by_ndft("without the map", without(case, "field"), setup), *of_segments(case, setup, SEGMENTS),
             *of_maps(case, setup), by_ndft("by rank, the map's negative", turned(case), setup)]
    misfits = {one.name: misfit() for one, misfit in zip(found, _misfits(case, setup))}
    continued = measured_spiral.adjoints(case.scan, measured_spiral.read(folder)[1])
    return Result(adjoint, continued, [*found, *of_peers(case, setup)], misfits)


def exact_of(result: Result) -> np.ndarray:
    return next(found.images[-1].values for found in result.found if found.name == "exactly")


def distance(found: Found, exact: np.ndarray) -> float:
    """Of the image from the exact one, moduli scaled to fit: BART's have another scale."""
    image = abs(found.images[-1].values)
    return nrmse(image * (image * abs(exact)).sum() / (image ** 2).sum(), exact)
