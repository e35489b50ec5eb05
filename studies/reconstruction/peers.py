# SPDX-License-Identifier: Apache-2.0
"""Other software on a scan, each in processes of its own, as its authors would run it. Missing says why there is none.

BART (Uecker et al.): pics, which takes no field map and no decay; by conjugate gradients without a penalty, with its
Toeplitz embedding and without weights, both its presets. MRI-NUFFT (Comby et al.): mri_nufft_lsqr.py.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Sequence

import numpy as np

from .cases import Case
from .image import Image

SCRIPT = Path(__file__).with_name("mri_nufft_lsqr.py")
LONGEST_S = 3600


class Missing(Exception):
    """A sentence."""


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    """With what it prints; Missing where it cannot be run."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{words[0]}: {error}") from None
    if done.returncode:
        raise Missing(f"{Path(words[0]).name}: {(done.stderr.strip() or done.stdout.strip()).splitlines()[-1]}")
    return done


def _cfl(path: Path, values: np.ndarray, *dimensions: int) -> str:
    """values in C order under BART's dimensions, the first fastest."""
    path.with_suffix(".hdr").write_text("# Dimensions\n" + " ".join(map(str, dimensions)) + "\n")
    np.asarray(values, "<c8").tofile(path.with_suffix(".cfl"))
    return str(path)


class Pics:
    """BART's pics of a case, whose files are put into the folder."""

    def __init__(self, program: str, folder: Path, case: Case, *options: str) -> None:
        scan = case.scan
        shots, points = scan.samples
        self.name = "BART " + re.sub(r"^v", "", ran(program, "version").stdout.strip())
        self._case, self._image = case, folder / "image"
        traj = _cfl(folder / "traj", np.concatenate([scan.k[..., ::-1], 0 * scan.k[..., :1]], -1), 3, points, shots)
        data = _cfl(folder / "data", scan.data[0, 0], 1, points, shots, scan.coils)
        maps = _cfl(folder / "maps", scan.maps, *scan.shape[::-1], 1, scan.coils)
        self._before = [program, "pics", "-S", "-l2", "-r0", *options]
        self._behind = ["-t", traj, data, maps, str(self._image)]

    def run(self, iterations: int) -> str:
        """What it says."""
        return ran(*self._before, f"-i{iterations}", *self._behind).stderr

    def image(self) -> np.ndarray:
        """Of the last run."""
        return _scaled(np.fromfile(self._image.with_suffix(".cfl"), "<c8").reshape(self._case.scan.shape), self._case)


def bart(program: str, case: Case, iterations: Sequence[int]) -> tuple[str, list[Image]]:
    """Its name, and an image for each number of iterations; times are those of the process."""
    with tempfile.TemporaryDirectory() as folder:
        pics = Pics(program, Path(folder), case)
        found = []
        for count in iterations:
            started = time.perf_counter()
            pics.run(count)
            seconds = time.perf_counter() - started
            found.append(Image(pics.image(), count, seconds))
    return pics.name, found


def _scaled(values: np.ndarray, case: Case) -> np.ndarray:
    """By what fits the truth best: its scale is another one."""
    if case.truth is None:
        return values
    moduli = abs(values)
    return values * (moduli * abs(case.truth)).sum() / (moduli ** 2).sum()


def for_mri_nufft(case: Case) -> dict[str, np.ndarray]:
    """The scan in MRI-NUFFT's units, by the names that mri_nufft_lsqr.py has."""
    scan = case.scan
    scale = np.sqrt(np.prod(scan.shape) * 2 ** len(scan.shape))
    arrays = {"k": scan.k.reshape(-1, 2) / np.array(scan.shape, np.float32), "maps": scan.maps,
              "data": scan.data[0, 0].reshape(scan.coils, -1) / np.float32(scale)}
    if scan.field is not None:
        arrays |= {"field": -scan.field / np.float32(2 * np.pi), "t": np.broadcast_to(scan.t, scan.samples).ravel()}
    if scan.decay is not None:
        arrays["decay"] = scan.decay
    return arrays


def mri_nufft(python: str, backend: str, case: Case, iterations: Sequence[int]) -> tuple[str, list[Image]]:
    with tempfile.TemporaryDirectory() as folder:
        for name, values in for_mri_nufft(case).items():
            np.save(Path(folder) / f"{name}.npy", np.ascontiguousarray(values))
        said = ran(python or sys.executable, str(SCRIPT), folder, backend, *map(str, iterations)).stdout
        images, seconds = (np.load(Path(folder) / f"{name}.npy") for name in ("images", "seconds"))
    return said.strip().splitlines()[-1], [Image(*one) for one in zip(images, iterations, seconds)]
