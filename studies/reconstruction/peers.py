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


def _ran(*words: str) -> str:
    """What it prints; Missing where it cannot be run."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{words[0]}: {error}") from None
    if done.returncode:
        raise Missing(f"{Path(words[0]).name}: {(done.stderr.strip() or done.stdout.strip()).splitlines()[-1]}")
    return done.stdout


def _cfl(path: Path, values: np.ndarray, *dimensions: int) -> str:
    """values in C order under BART's dimensions, the first fastest."""
    path.with_suffix(".hdr").write_text("# Dimensions\n" + " ".join(map(str, dimensions)) + "\n")
    np.asarray(values, "<c8").tofile(path.with_suffix(".cfl"))
    return str(path)


def bart(program: str, case: Case, iterations: Sequence[int]) -> tuple[str, list[Image]]:
    """Its name, and an image for each number of iterations; times are those of the process."""
    scan = case.scan
    name = "BART " + re.sub(r"^v", "", _ran(program, "version").strip())
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        shots, points = scan.samples
        traj = _cfl(at / "traj", np.concatenate([scan.k[..., ::-1], 0 * scan.k[..., :1]], -1), 3, points, shots)
        data = _cfl(at / "data", scan.data[0, 0], 1, points, shots, scan.coils)
        maps = _cfl(at / "maps", scan.maps, *scan.shape[::-1], 1, scan.coils)
        found = []
        for count in iterations:
            started = time.perf_counter()
            _ran(program, "pics", "-S", "-l2", "-r0", f"-i{count}", "-t", traj, data, maps, str(at / "image"))
            seconds = time.perf_counter() - started
            values = np.fromfile(at / "image.cfl", "<c8").reshape(scan.shape)
            found.append(Image(_scaled(values, case), count, seconds))
    return name, found


def _scaled(values: np.ndarray, case: Case) -> np.ndarray:
    """By what fits the truth best: its scale is another one."""
    if case.truth is None:
        return values
    moduli = abs(values)
    return values * (moduli * abs(case.truth)).sum() / (moduli ** 2).sum()


def mri_nufft(python: str, backend: str, case: Case, iterations: Sequence[int]) -> tuple[str, list[Image]]:
    scan = case.scan
    scale = np.sqrt(np.prod(scan.shape) * 2 ** len(scan.shape))
    arrays = {"k": scan.k.reshape(-1, 2) / np.array(scan.shape, np.float32), "maps": scan.maps,
              "data": scan.data[0, 0].reshape(scan.coils, -1) / np.float32(scale)}
    if scan.field is not None:
        arrays |= {"field": -scan.field / np.float32(2 * np.pi), "t": np.broadcast_to(scan.t, scan.samples).ravel()}
    if scan.decay is not None:
        arrays["decay"] = scan.decay
    with tempfile.TemporaryDirectory() as folder:
        for name, values in arrays.items():
            np.save(Path(folder) / f"{name}.npy", np.ascontiguousarray(values))
        name = _ran(python or sys.executable, str(SCRIPT), folder, backend, *map(str, iterations))
        images, seconds = (np.load(Path(folder) / f"{name}.npy") for name in ("images", "seconds"))
    return name.strip().splitlines()[-1], [Image(*one) for one in zip(images, iterations, seconds)]
