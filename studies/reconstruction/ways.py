# SPDX-License-Identifier: Apache-2.0
"""How a scan's image is found here: without its maps, by segments, by rank, exactly; and beside, by other software."""

from __future__ import annotations

import time
from typing import Any, Callable, NamedTuple, Sequence

from ndft import recon

from . import peers, segments
from .cases import Case, without
from .image import Image

EXACT = "coil_gemm"


class Found(NamedTuple):
    """What one way has made of a case: an image for each number of iterations, or why there is none."""

    name: str
    images: list[Image]
    why: str = ""


class Setup(NamedTuple):
    """Programs may be missing; options are those of ndft.Plan. Of each way numbers of iterations are tried, more where
    there are no density weights; few of MRI-NUFFT's, which takes its time."""

    bart: str = "bart"
    python: str = ""  # that has mri-nufft; the one that runs this
    options: dict[str, Any] = {}
    weighted: Sequence[int] = (20,)
    mri_nufft: Sequence[int] = (20,)
    unweighted: Sequence[int] = (10, 20, 40)

    @property
    def backend(self) -> str:
        return str(self.options.get("device", "cpu")).partition(":")[0]


def by_ndft(name: str, case: Case, setup: Setup, weighted: bool = True, **options: Any) -> Found:
    """Without density weights by the planner's normal operator."""
    images = []
    for count in setup.weighted if weighted else setup.unweighted:
        started = time.perf_counter()
        settings = recon.Settings(count, stop=0, density=int(weighted), options={**setup.options, **options})
        values = recon.reconstruct(case.scan, settings, [case.weights] if weighted else []).images[0, 0]
        images.append(Image(values, count, time.perf_counter() - started))
    return Found(name, images)


def by_segments(name: str, case: Case, setup: Setup, count: int, weights: segments.Weights) -> Found:
    images = []
    for iterations in setup.weighted:
        started = time.perf_counter()
        operator = segments.Segments(case.scan, count, weights, **setup.options)
        values = segments.solved(case.scan, case.weights, iterations, operator)
        images.append(Image(values, iterations, time.perf_counter() - started))
    return Found(name, images)


def by_peer(name: str, call: Callable[..., tuple[str, list[Image]]], *arguments: Any) -> Found:
    try:
        return Found(*call(*arguments))
    except peers.Missing as error:
        return Found(name, [], str(error))


def of_peers(case: Case, setup: Setup) -> list[Found]:
    backend = "cufinufft" if setup.backend == "cuda" else "finufft"
    return [by_peer("MRI-NUFFT", peers.mri_nufft, setup.python, backend, case, setup.mri_nufft),
            by_peer("BART", peers.bart, setup.bart, case, setup.unweighted)]


def of_segments(case: Case, setup: Setup, count: int) -> list[Found]:
    return [by_segments(f"{count} segments, {kind}", case, setup, count, weights)
            for kind, weights in (("Hanning", segments.hanning), ("least squares", segments.least_squares))]


def of_maps(case: Case, setup: Setup) -> list[Found]:
    """By rank and exactly."""
    return [by_ndft("by rank", case, setup),
            by_ndft("exactly", case, setup, variant=f"{EXACT}.{setup.backend}")]


def every(case: Case, setup: Setup) -> list[Found]:
    """Segments are as many as fit into the time of the map by rank; there are none of a decay."""
    if case.scan.field is None:
        return [by_ndft("ndft", case, setup), by_ndft("ndft without weights", case, setup, False),
                *of_peers(case, setup)]
    if case.scan.decay is not None:
        before = [by_ndft("without the maps", without(case, "field", "decay"), setup),
                  by_ndft("field alone", without(case, "decay"), setup)]
    else:
        before = [by_ndft("without the map", without(case, "field"), setup),
                  *(found for count in segments.as_many_as_fit(case.scan, **setup.options)
                    for found in of_segments(case, setup, count))]
    return [*before, *of_maps(case, setup), *of_peers(case, setup)]
