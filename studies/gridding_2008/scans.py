# SPDX-License-Identifier: Apache-2.0
"""Density-compensated samples, what they make exactly, and what a variant grids of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis import program
from analysis.peers import exported


class Setting(NamedTuple):
    """Oversampling in percent, width in cells of the oversampled grid."""

    sigma: int
    width: int
    window: str

    @property
    def knobs(self) -> str:
        return f"sigma={self.sigma},window={self.window},width={self.width}"

    def __str__(self) -> str:
        return f"{self.window}, {self.width} cells, {self.sigma / 100:g}x"


@dataclass
class Scan:
    name: str
    n: int
    k: np.ndarray  # (m, 2), cycles per field of view
    values: np.ndarray  # (coils, m), times their weights
    case: str  # with the samples as files
    truth: np.ndarray  # (coils, n, n), the adjoint NDFT in double


def density(k: np.ndarray, shots: int) -> np.ndarray:
    """Area of k-space of each sample up to a factor that all share. The arms of a spiral lie evenly apart, so that a
    sample's is its step across the radius, |k x dk|/|k|; on lines through the centre it is |k|, and at the centre
    itself a quarter of its neighbour's."""
    lines = k.reshape(shots, -1, 2)
    step = np.gradient(lines, axis=1)
    radius = np.hypot(*np.moveaxis(lines, 2, 0))
    across = np.abs(lines[..., 0] * step[..., 1] - lines[..., 1] * step[..., 0])
    if across.max() > 1e-3 * radius.max():
        return (across / np.maximum(radius, 1e-9)).reshape(-1)
    return np.maximum(radius, radius[radius > 1e-6].min() / 4).reshape(-1)


def scan(trajectory: str, n: int, folder: Path, m: int | None = None) -> Scan:
    """Of the Shepp-Logan phantom in n x n voxels, from as many samples or m."""
    folder.mkdir()
    words = f"adjoint 2d n={n}x{n} m={m or n * n} traj={trajectory} tol=0.5"
    program.ask("export", "--sampled", f"{words} data=phantom", str(folder / "plain"))
    plain = exported.read(folder / "plain")
    weights = density(plain.k.astype(float), int(trajectory.partition(":")[2]))
    return _weighted(trajectory, n, words, plain.k, plain.kspace * weights / weights.sum(), folder)


def measured(data: Path, folder: Path) -> Scan:
    """Of the spiral in the folder of OCTOPUS's sample data, without its field map (examples/python)."""
    from examples.python import measured_spiral  # takes SciPy
    folder.mkdir()
    acquisition, weights = measured_spiral.read(data)
    k = acquisition.k.reshape(-1, 2)
    values = (weights * acquisition.data[0, 0] / weights.sum()).reshape(-1, len(k))
    np.save(folder / "k.npy", k)
    n = acquisition.shape[0]
    words = f"adjoint 2d n={n}x{n} m={len(k)} traj=file:{folder / 'k.npy'} coils={len(values)} tol=0.5"
    return _weighted("measured spiral", n, words, k, values, folder)


def _weighted(name: str, n: int, words: str, k: np.ndarray, values: np.ndarray, folder: Path) -> Scan:
    np.save(folder / "weighted.npy", values.astype(np.complex64))
    case = f"{words} data=file:{folder / 'weighted.npy'}"
    program.ask("export", case, str(folder / "exact"))
    return Scan(name, n, k.astype(float), values, case, exported.read(folder / "exact").reference[:, 0])


def gridded(of: Scan, variant: str, setting: Setting, folder: Path, prec: str = "f32") -> np.ndarray:
    """(coils, n, n)."""
    out = folder / "out.npy"
    program.ask("run", f"{of.case} prec={prec}", "--variant", f"{variant}:{setting.knobs}", "--out", str(out))
    return np.load(out)[:, 0]


def error(image: np.ndarray, truth: np.ndarray) -> float:
    return float(np.linalg.norm(image - truth) / np.linalg.norm(truth))
