# SPDX-License-Identifier: Apache-2.0
"""Pictures and figures of a scan that is made up, without and with its field map."""

from __future__ import annotations

import os
import textwrap
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, NamedTuple

import numpy as np

from ..errors import InvalidError
from ._acquisition import Acquisition
from ._phantom import COILS, FINE, MOST_HZ, N, NOISE, POINTS, READOUT_S, SHOTS, phantom
from ._quality import nrmse, ssim
from ._reconstruct import Settings, reconstruct, weights_of
from ._sharpness import sharpness, signs
from .files.nifti import written as nifti
from .files.png import written as png
from .files.save import put

Array = np.ndarray[Any, Any]

_ABOUT = textwrap.fill(
    f"A phantom of ellipses, {N} x {N}, in a field of up to {MOST_HZ} Hz, {COILS} coils, {SHOTS} spirals of "
    f"{POINTS} samples in {1e3 * READOUT_S:g} ms. Samples are exact sums over a grid {FINE} times as fine, with field "
    "and coils "
    f"on that grid: they are not made by the operator that finds the image. Noise is added, {100 * NOISE:g} % of the "
    "skull's value in each voxel of a coil's image. Coil maps are estimated from the samples. The truth is the mean "
    "of the fine object over each voxel. The scan of the last line was in a homogeneous field: its error is "
    "resolution, noise and coil maps.", 110)


class _Found(NamedTuple):
    image: Array
    iterations: int
    residual: float
    seconds: float


def _found(scan: Acquisition, settings: Settings, weights: list[Array]) -> _Found:
    started = time.monotonic()
    found = reconstruct(scan, settings, weights)
    if not found.finished:
        raise KeyboardInterrupt
    return _Found(found.images[0, 0], len(found.steps[0]), found.steps[0][-1], time.monotonic() - started)


def _table(found: dict[str, _Found], truth: Array) -> str:
    lines = [f"{'':26}{'NRMSE':>8}{'SSIM':>8}{'sharpness':>11}{'iterations':>12}{'residual':>10}{'s':>7}"]
    for name, one in found.items():
        lines.append(f"{name:26}{nrmse(one.image, truth):8.3f}{ssim(one.image, truth):8.3f}"
                     f"{sharpness(one.image):11.4f}{one.iterations:12d}{one.residual:10.1e}{one.seconds:7.1f}")
    return "\n".join(lines) + "\n"


def _pictures(folder: Path, found: dict[str, _Found], truth: Array) -> None:
    """Images as bright as the truth; errors 3 times as bright."""
    white = float(truth.max())
    without, with_map = (abs(one.image) for one in list(found.values())[:2])
    errors = [3 * abs(image - truth) for image in (without, with_map)]
    for name, picture in (("truth", truth), ("without_map", without), ("with_map", with_map),
                          ("error_without_map", errors[0]), ("error_with_map", errors[1])):
        put(folder / f"{name}.png", png(picture, white))
    put(folder / "all.png", png(np.stack([without, with_map, *errors]), white))


def demo(folder: str, settings: Settings, say: Callable[[str], None]) -> int:
    """Leaves pictures, the image as .nii and report.txt in the folder, and prints the report; the exit status.
    InvalidError where it is no folder, FileError."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise InvalidError(f"{folder} is there and is no folder; the name of a new one is valid")
    started = time.monotonic()
    say("making the samples of a phantom, by exact sums on a fine grid")
    scan, homogeneous, truth = phantom()
    made = time.monotonic() - started
    weights = weights_of(scan, settings)
    found = {name: _found(one, settings, weights) for name, one in (
        ("without the field map", replace(scan, field=None)), ("with the field map", scan),
        ("homogeneous field", homogeneous))}
    report = _ABOUT + "\n\n" + _table(found, truth)
    if scan.field is not None and scan.t is not None:
        both = signs(scan.shape, scan.k, scan.t, scan.field, scan.data[0, 0], weights[0] if weights else None,
                     **settings.options)
        report += f"\n{both}\n"
    report += f"\nsamples were made in {made:.1f} s, all of it took {time.monotonic() - started:.1f} s\n"
    _pictures(Path(folder), found, truth)
    put(Path(folder) / "with_map.nii", nifti(found["with the field map"].image[None, None], scan.fov))
    put(Path(folder) / "report.txt", report.encode())
    print(report, end="")
    say(f"{folder}: report.txt, all.png and the pictures that it shows, with_map.nii")
    return 0
