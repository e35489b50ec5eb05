# SPDX-License-Identifier: Apache-2.0
"""The spiral that cuFINUFFT was measured on, for traj=file:.

    python3 -m analysis.peers.archimedes N M FILE.npy

One Archimedean arm of N/2 turns and constant linear velocity, which no gradients could follow:
sample i of M has s = sqrt((i + 1/2)/M), radius N s/2 cycles/FOV and angle pi N s. Prints the case.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np


def spiral(n: int, m: int) -> np.ndarray:
    """(m, 2), cycles/FOV."""
    s = np.sqrt((np.arange(m) + .5) / m)
    angle, radius = np.pi * n * s, n * s / 2
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m analysis.peers.archimedes",
                                     description="The spiral that cuFINUFFT was measured on.")
    parser.add_argument("n", type=int, metavar="N", help="voxels per axis")
    parser.add_argument("m", type=int, metavar="M", help="samples")
    parser.add_argument("file", type=Path, metavar="FILE.npy")
    options = parser.parse_args(arguments)
    options.file.parent.mkdir(parents=True, exist_ok=True)
    np.save(options.file, spiral(options.n, options.m).astype(np.float32))
    print(f"2d n={options.n}x{options.n} m={options.m} traj=file:{options.file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
