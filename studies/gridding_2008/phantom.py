# SPDX-License-Identifier: Apache-2.0
"""A phantom gridded and summed exactly: what windows, oversampling and single precision cost an image.

    ./ndft study gridding_2008 phantom [-o FOLDER] [--variant NAME.BACKEND] [--gpu NAME.cuda] [-n N] [DATA]

After Figs. 6 to 8 and Table V: the Shepp-Logan phantom in N x N voxels from as many samples on radial lines and on
spirals, and in N/2 x N/2 from N/2 lines of N samples, density compensated, which is no part of the operator. Errors
are |x - truth| / |truth| of the adjoint NDFT in double. --gpu: whose images the paper's GPU ones stand beside; without
it those of the same variant in double, and named so. DATA: the folder of a measured spiral (examples/python), gridded
as Fig. 7's heart is. Writes phantom.json and pictures.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Callable

import numpy as np

from analysis.records.errors import RecordsError

from . import gridding, pictures
from .scans import Scan, Setting, error, gridded, measured, scan

VARIANT = "nufft_hybrid.cpu"
FILE, PAIR, SPOKES, MEASURED = "phantom.json", "phantom.png", "spokes.png", "measured.png"
SETTINGS = [Setting(sigma, width, window) for sigma, width in
            ((125, 2), (125, 4), (125, 5), (200, 2), (200, 3), (200, 4), (200, 6), (200, 8))
            for window in ("gaussian", "kb")]
ON_CPU, ON_GPU = Setting(200, 4, "kb"), Setting(200, 4, "gaussian")  # Fig. 6
OF_FIG_7 = [Setting(200, 8, "gaussian"), Setting(200, 4, "gaussian"), Setting(125, 5, "gaussian")]
UNIT = [2, 4]  # widths at oversampling 1, which NumPy grids

Engine = Callable[[Scan, Setting], np.ndarray]


def by_numpy(of: Scan, width: int) -> np.ndarray:
    """At oversampling 1, with the Gaussian that aliases least."""
    window = gridding.gaussian(width, gridding.least_aliasing(width, 1))
    return np.stack([gridding.adjoint(of.k, values, of.n, window, 1) for values in of.values.reshape(-1, len(of.k))])


def errors_of(scans: list[Scan], engines: list[Engine]) -> list[dict]:
    """By setting and scan, of both engines; at oversampling 1 of NumPy alone."""
    unit = [{"oversampling": 1, "width": width, "window": "gaussian",
             "errors": {of.name: [error(by_numpy(of, width), of.truth)] for of in scans}} for width in UNIT]
    return unit + [{"oversampling": s.sigma / 100, "width": s.width, "window": s.window,
                    "errors": {of.name: [error(grid(of, s), of.truth) for grid in engines] for of in scans}}
                   for s in SETTINGS]


def difference(a: np.ndarray, b: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Root mean squares over the brightest: of all voxels, of those within half the radius, of those beyond it."""
    n = truth.shape[-1]
    y, x = np.meshgrid(*2 * [np.arange(n) - n // 2], indexing="ij")
    inner = np.hypot(x, y) < n / 4
    of = np.abs(a - b)[0] / np.abs(truth).max()
    def rms(part: np.ndarray) -> float:
        return float(np.sqrt((part ** 2).mean()))
    return {"all": rms(of), "inside": rms(of[inner]), "outside": rms(of[~inner]), "most": float(of.max())}


def of_pair(scans: list[Scan], engines: list[Engine], names: list[str], out: Path) -> dict[str, dict[str, float]]:
    """Draws Figs. 6 and 8; their differences by trajectory."""
    rows, found = [], {}
    for of in scans:
        alike = engines[0](of, ON_GPU), engines[1](of, ON_GPU)
        found[of.name] = difference(*alike, of.truth)
        rows.append(pictures.Row(of.name, of.truth[0], engines[0](of, ON_CPU)[0], alike[1][0],
                                 (alike[0][0], alike[1][0])))
    pictures.save(pictures.of_two(rows, f"{names[0]}, {ON_CPU.window}", f"{names[1]}, {ON_GPU.window}"), out / PAIR)
    return found


def of_fig_7(of: Scan, engine: Engine, picture: Path) -> dict[str, float]:
    """Draws what Fig. 7 shows, of all coils together; its errors by setting."""
    images = {str(s): engine(of, s) for s in OF_FIG_7}
    images[f"gaussian, {UNIT[-1]} cells, 1x"] = by_numpy(of, UNIT[-1])
    def together(image: np.ndarray) -> np.ndarray:
        return np.sqrt((np.abs(image) ** 2).sum(0))
    shown = {title: together(image) for title, image in ({"exact": of.truth} | images).items()}
    pictures.save(pictures.beside(shown), picture)
    return {title: error(image, of.truth) for title, image in images.items()}


def run(variant: str, gpu: str | None, n: int, out: Path, data: Path | None = None) -> dict:
    """Writes phantom.json and the pictures into out; returns what the file holds."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        engines: list[Engine] = [
            lambda of, s: gridded(of, variant, s, folder),
            lambda of, s: gridded(of, gpu or variant, s, folder, "f32" if gpu else "f64")]
        names = [variant, gpu or f"{variant} in double"]
        scans = [scan(trajectory, n, folder / trajectory.replace(":", "-"))
                 for trajectory in (f"radial:{n}", f"spiral:{n // 8}")]
        few = scan(f"radial:{n // 2}", n // 2, folder / "spokes", n * n // 2)
        of_gpu = engines[bool(gpu)]
        found = {"variant": names[0], "other": names[1], "gpu": bool(gpu), "n": n, "errors": errors_of(scans, engines),
                 "difference": of_pair(scans, engines, names, out), "spokes": of_fig_7(few, of_gpu, out / SPOKES)}
        if data:
            found["measured"] = of_fig_7(measured(data, folder / "measured"), of_gpu, out / MEASURED)
    (out / FILE).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="ndft study gridding_2008 phantom",
                                     description="A phantom gridded and summed exactly.")
    parser.add_argument("data", nargs="?", type=Path, metavar="DATA", help="folder of a measured spiral")
    parser.add_argument("-o", "--out", type=Path, default=Path("build/studies/gridding_2008"), metavar="FOLDER")
    parser.add_argument("--variant", default=VARIANT, metavar="NAME.BACKEND",
                        help=f"of the nufft family, default {VARIANT}")
    parser.add_argument("--gpu", metavar="NAME.cuda", help="its other half; default: the same variant in double")
    parser.add_argument("-n", type=int, default=256, help="voxels per axis, default 256")
    options = parser.parse_args(arguments)
    try:
        run(options.variant, options.gpu, options.n, options.out, options.data)
    except (RecordsError, OSError) as error_:
        print(f"ndft: {error_}", file=sys.stderr)
        return 2
    print(f"ndft: {options.out / FILE}", file=sys.stderr)
    return 0
