# SPDX-License-Identifier: Apache-2.0
"""What could have made the errors printed in Table V: phantoms, samples, weights, norms and windows, tried.

    ./ndft study gridding_2008 errors [-o FOLDER]

Which phantom, norm and window widths belong to Table V is not said in the paper. Every combination of those here is
gridded in double (gridding.py), and its errors are held against the five printed. Writes errors.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import product
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np

from . import gridding
from .ellipses import PHANTOMS, SHAPES, Ellipse, inside, samples
from .printed import ERRORS

N = 256
FILE = "errors.json"
SPOKES = ((256, 256), (128, 512))  # lines, samples of each
WEIGHTS = ("ramp", "none")
NORMS = ("complex", "magnitudes")
SUPPORTS = ("the whole image", "the disc", "the object")
SIGMAS = np.arange(.36, .9, .04)  # of the Gaussian, in cells

# By name what a window is cut at, and what its parameter is chosen for: widths in cells, by oversampling and W.
WINDOWS: dict[str, tuple[Callable[[int, int], int], Callable[[int, int], int]]] = {
    "W cells, its parameter for W": (lambda a, w: w, lambda a, w: w),
    "αW cells, its parameter for αW": (lambda a, w: a * w, lambda a, w: a * w),
    "αW cells, its parameter for W": (lambda a, w: a * w, lambda a, w: w),
}
FIELDS = ("window", "phantom", "spokes", "weights", "norm", "support")


class Scan(NamedTuple):
    k: np.ndarray
    values: np.ndarray  # times their weights
    truth: np.ndarray


def scan(phantom: str, spokes: tuple[int, int], weights: str) -> Scan:
    """Radial lines through the centre, over half a turn."""
    lines, along = spokes
    radius = (np.arange(along) - along // 2) * (N / along)
    angle = np.pi * np.arange(lines)[:, None] / lines
    k = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 2).reshape(-1, 2)
    ramp = np.maximum(np.hypot(k[:, 0], k[:, 1]), N / along / 4) if weights == "ramp" else np.ones(len(k))
    values = samples(PHANTOMS[phantom], k) * ramp / ramp.sum()
    return Scan(k, values, gridding.adjoint(k, values, N, gridding.kaiser_bessel(10, 2), 2))


def supports() -> dict[str, np.ndarray]:
    masks = np.ones((N, N), bool), inside(Ellipse(1, 1, 1), N), inside(Ellipse(1, *SHAPES[0]), N)
    return dict(zip(SUPPORTS, masks))


def error(image: np.ndarray, truth: np.ndarray, norm: str, where: np.ndarray) -> float:
    """Root mean square of the error over that of the truth."""
    image, truth = image[where], truth[where]
    difference = np.abs(image - truth) if norm == "complex" else np.abs(np.abs(image) - np.abs(truth))
    return float(np.linalg.norm(difference) / np.linalg.norm(truth))


def kept(values: list[float]) -> list[float]:
    """In four figures."""
    return [float(f"{value:.4g}") for value in values]


def of_window(of: Scan, name: str) -> list[np.ndarray]:
    """Images in the order of ERRORS."""
    cut, chosen = WINDOWS[name]
    return [gridding.adjoint(of.k, of.values, N,
                             gridding.gaussian(cut(a, w), gridding.least_aliasing(chosen(a, w), a)), a)
            for a, w in ERRORS]


def tried() -> list[dict]:
    """Every combination, with its errors in the order of ERRORS."""
    found, masks = [], supports()
    for phantom, spokes, weights in product(PHANTOMS, SPOKES, WEIGHTS):
        of = scan(phantom, spokes, weights)
        for window in WINDOWS:
            images = of_window(of, window)
            for norm, support in product(NORMS, SUPPORTS):
                values = window, phantom, f"{spokes[0]} of {spokes[1]}", weights, norm, support
                errors = [error(image, of.truth, norm, masks[support]) for image in images]
                found.append(dict(zip(FIELDS, values)) | {"errors": kept(errors)})
        print(f"ndft: errors: {phantom}, {spokes[0]} spokes, weights: {weights}", file=sys.stderr)
    return found


def parameters() -> list[dict]:
    """With oversampling 2 the errors of a Gaussian of any parameter, cut at W and at 2 W cells."""
    of = scan(next(iter(PHANTOMS)), SPOKES[0], WEIGHTS[0])
    everywhere = supports()[SUPPORTS[0]]
    def errors(width: int) -> list[float]:
        return [error(gridding.adjoint(of.k, of.values, N, gridding.gaussian(width, s), 2), of.truth, NORMS[0],
                      everywhere) for s in SIGMAS]
    return [{"w": w, "width": width, "sigmas": [round(float(s), 3) for s in SIGMAS], "errors": kept(errors(width)),
             "least_aliasing": round(gridding.least_aliasing(w, 2), 3)}
            for w in (2, 3, 4) for width in (w, 2 * w)]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="ndft study gridding_2008 errors",
                                     description="What could have made the errors printed in Table V.")
    parser.add_argument("-o", "--out", type=Path, default=Path("build/studies/gridding_2008"), metavar="FOLDER")
    out = parser.parse_args(arguments).out
    try:
        out.mkdir(parents=True, exist_ok=True)
        found = {"tried": tried(), "parameters": parameters()}
        text = ",\n".join(f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in found.items())
        (out / FILE).write_text(f"{{{text}}}\n", encoding="utf-8")
    except OSError as error_:
        print(f"ndft: {error_}", file=sys.stderr)
        return 2
    print(f"ndft: {out / FILE}", file=sys.stderr)
    return 0
