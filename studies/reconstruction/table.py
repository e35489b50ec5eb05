# SPDX-License-Identifier: Apache-2.0
"""Tables in markdown: a row for each way, of its best number of iterations."""

from __future__ import annotations

from typing import Sequence

from analysis import table
from ndft import recon
from ndft.recon._quality import nrmse, ssim

from .cases import Case
from .image import Image
from .measured import Result, distance, exact_of
from .ways import Found


def best(case: Case, found: Found) -> Image:
    """The nearest to the truth."""
    return min(found.images, key=lambda image: nrmse(image.values, case.truth))


def of_truth(case: Case, every: Sequence[Found]) -> str:
    """Against what is known, and against the image that exact sums lead to in as many iterations."""
    exact = {image.iterations: image.values for found in every if found.name == "exactly" for image in found.images}
    rows = []
    for found in every:
        if found.why:
            rows.append([found.name, *5 * ["-"], found.why])
            continue
        image = best(case, found)
        like = exact.get(image.iterations)
        rows.append([found.name, f"{nrmse(image.values, case.truth):.4f}", f"{ssim(image.values, case.truth):.4f}",
                     "-" if like is None else f"{nrmse(image.values, like):.1e}", str(image.iterations),
                     f"{image.seconds:.2f}", ""])
    return _shown(["way", "NRMSE", "SSIM", "from exact", "iterations", "s", ""], rows)


def of_scan(result: Result) -> str:
    """Against no map and what is exact."""
    blurred, exact = recon.sharpness(result.found[0].images[-1].values), exact_of(result)
    rows = []
    for found in result.found:
        if found.why:
            rows.append([found.name, *4 * ["-"], found.why])
            continue
        image = found.images[-1]
        misfit = result.misfits.get(found.name)
        rows.append([found.name, f"{100 * (recon.sharpness(image.values) / blurred - 1):+.1f} %",
                     "-" if misfit is None else f"{misfit:.4f}", f"{distance(found, exact):.1e}",
                     f"{image.seconds:.2f}", ""])
    return _shown(["way", "sharpness against no map", "misfit", "from exact", "s", ""], rows)


def _shown(head: list[str], rows: list[list[str]]) -> str:
    """Without the last column where nothing stands there."""
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return table.markdown_table(head, rows, right=range(1, 6))
