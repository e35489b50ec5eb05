# SPDX-License-Identifier: Apache-2.0
"""A phantom gridded and summed exactly: what windows and oversampling cost an image.

    ./ndft study gridding_2008 phantom [-o FOLDER] [--variant NAME.BACKEND] [-n N]

After Table V and Figs. 6 and 8 of T. S. Sorensen, T. Schaeffter, K. O. Noe, M. S. Hansen, IEEE Trans.
Med. Imaging 27, 2008: the Shepp-Logan phantom in N x N voxels from as many samples on radial lines
and on spirals, density compensated, which is no part of the operator. The truth that errors are
measured against is the adjoint NDFT in double. Errors are |x - truth| / |truth|, root mean squares
both. Writes phantom.md and phantom.png. There are no in-vivo data here.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from analysis import program, table
from analysis.peers import exported
from analysis.plots import style
from analysis.records.errors import RecordsError

VARIANT = "nufft_hybrid.cpu"
# (oversampling in percent, width, window); printed errors of the phantom are Gaussian's on the GPU.
SETTINGS = [(sigma, width, window) for sigma, width in
            ((125, 2), (125, 4), (200, 2), (200, 3), (200, 4), (200, 6))
            for window in ("gaussian", "kb")]
PRINTED = {(200, 2): 2.99e-2, (200, 3): 8.86e-3, (200, 4): 2.91e-3}
SHOWN = (200, 4, "gaussian")
BRIGHTER = 100  # times, in the pictures of differences


@dataclass
class Scan:
    """Density-compensated samples of the phantom, and what they make exactly."""

    trajectory: str
    case: str  # with the samples as a file
    truth: np.ndarray  # (ny, nx)


def density(k: np.ndarray, shots: int) -> np.ndarray:
    """Area of k-space of each sample up to a factor that all share. The arms of a spiral lie evenly
    apart, so that a sample's is its step across the radius, |k x dk|/|k|; on lines through the
    centre it is |k|, and at the centre itself a quarter of its neighbour's."""
    lines = k.reshape(shots, -1, 2)
    step = np.gradient(lines, axis=1)
    radius = np.hypot(*np.moveaxis(lines, 2, 0))
    across = np.abs(lines[..., 0] * step[..., 1] - lines[..., 1] * step[..., 0])
    if across.max() > 1e-3 * radius.max():
        return (across / np.maximum(radius, 1e-9)).reshape(-1)
    return np.maximum(radius, radius[radius > 1e-6].min() / 4).reshape(-1)


def scan(trajectory: str, n: int, folder: Path) -> Scan:
    folder.mkdir()
    words = f"adjoint 2d n={n}x{n} m={n * n} traj={trajectory} tol=0.5"
    program.ask("export", "--sampled", f"{words} data=phantom", str(folder / "plain"))
    plain = exported.read(folder / "plain")
    weights = density(plain.k.astype(float), int(trajectory.partition(":")[2]))
    np.save(folder / "weighted.npy", (plain.kspace * weights / weights.sum()).astype(np.complex64))
    case = f"{words} data=file:{folder / 'weighted.npy'}"
    program.ask("export", case, str(folder / "exact"))
    return Scan(trajectory, case, exported.read(folder / "exact").reference[0, 0])


def gridded(of: Scan, variant: str, setting: tuple[int, int, str], folder: Path) -> np.ndarray:
    sigma, width, window = setting
    knobs = f"sigma={sigma},window={window},width={width}"
    program.ask("run", of.case, "--variant", f"{variant}:{knobs}", "--out", str(folder / "out.npy"))
    return np.load(folder / "out.npy")[0, 0]


def error(image: np.ndarray, truth: np.ndarray) -> float:
    return float(np.linalg.norm(image - truth) / np.linalg.norm(truth))


def markdown(scans: list[Scan], errors: dict[tuple, dict[str, float]], variant: str) -> str:
    head = ["oversampling", "width", "window", *(f"traj={s.trajectory}" for s in scans),
            "printed, radial"]
    rows = [[f"{sigma / 100:g}", str(width), window,
             *(table.error(found.get(s.trajectory)) for s in scans),
             table.error(PRINTED.get((sigma, width)) if window == "gaussian" else None)]
            for (sigma, width, window), found in errors.items()]
    return (f"Errors of `{variant}` (f32) against the adjoint NDFT in double:\n\n"
            + table.markdown_table(head, rows, right=(0, 1, 3, 4, 5)) + "\n")


def _show(axes: Axes, image: np.ndarray, title: str, brightest: float) -> None:
    axes.imshow(np.abs(image), cmap="gray", vmin=0, vmax=brightest, interpolation="nearest")
    axes.set_title(title, fontsize=8)
    axes.set_axis_off()


def picture(scans: list[Scan], images: list[np.ndarray], setting: str) -> Figure:
    """A row a trajectory: exact, gridded, their difference, and a profile through the middle."""
    figure = Figure(figsize=(2 * style.WIDTH, 2.7 * len(scans)), layout="constrained")
    for row, of, image in zip(figure.subplots(len(scans), 4, squeeze=False), scans, images):
        brightest = np.abs(of.truth).max()
        _show(row[0], of.truth, f"exact, {of.trajectory}", brightest)
        _show(row[1], image, setting, brightest)
        _show(row[2], image - of.truth, f"difference, {BRIGHTER}x", brightest / BRIGHTER)
        middle = len(image) // 2
        row[3].plot(np.abs(image - of.truth)[middle] / brightest, color=style.ACCENT, linewidth=1)
        row[3].set_title("of the brightest, middle row", fontsize=8)
        row[3].set_ylim(bottom=0)
    return figure


def run(variant: str, n: int, out: Path) -> str:
    """Writes phantom.md and phantom.png into out; returns the table."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scans = [scan(trajectory, n, folder / trajectory.replace(":", "-"))
                 for trajectory in (f"radial:{n}", f"spiral:{n // 8}")]
        errors: dict[tuple, dict[str, float]] = {}
        shown = []
        for setting in SETTINGS:
            for of in scans:
                image = gridded(of, variant, setting, folder)
                errors.setdefault(setting, {})[of.trajectory] = error(image, of.truth)
                shown += [image] * (setting == SHOWN)
    sigma, width, window = SHOWN
    figure = picture(scans, shown, f"{variant}: {window}, width {width}, {sigma / 100:g}x")
    FigureCanvasAgg(figure)
    figure.savefig(out / "phantom.png", dpi=80, metadata={"Software": None})
    text = markdown(scans, errors, variant)
    (out / "phantom.md").write_text(text, encoding="utf-8")
    return text


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="ndft study gridding_2008 phantom",
                                     description="A phantom gridded and summed exactly.")
    parser.add_argument("-o", "--out", type=Path, default=Path("build/phantom"), metavar="FOLDER")
    parser.add_argument("--variant", default=VARIANT, metavar="NAME.BACKEND",
                        help=f"of the nufft family, default {VARIANT}")
    parser.add_argument("-n", type=int, default=256, help="voxels per axis, default 256")
    options = parser.parse_args(arguments)
    try:
        print(run(options.variant, options.n, options.out))
    except (RecordsError, OSError) as error_:
        print(f"ndft: {error_}", file=sys.stderr)
        return 2
    return 0

