# SPDX-License-Identifier: Apache-2.0
"""Problems as they come in practice, drawn at random: what the choice of engines is judged on.

Odd sizes, every trajectory, coils, tolerances of both kinds, field maps, gradients, masks, both precisions, maps and
trajectories from files, uniform transforms; forward with adjoint, or normal. Another seed draws others.
"""

from __future__ import annotations

import math
import os
import random
from pathlib import Path

import numpy as np

from .records.errors import RecordsError

MOST = {"cpu": 2e10, "cuda": 3e11}  # pairs of a voxel and a sample, all coils
LEAST = {"cpu": 1e5, "cuda": 1e7}
SIZES = {"cpu": {1: (60, 6000), 2: (24, 320), 3: (10, 48)}, "cuda": {1: (60, 6000), 2: (24, 420), 3: (10, 90)}}
# Seeds of problems that the model is fitted to: configs/drawn.ndft is of the first six, judgements came to it later.
FITTED = (1, 2, 3, 4, 5, 6, 1795498405, 1795568010, 1795730636, 1795743075, 1795756809, 1795763531, 1795766999, 1795768050,
          1795782715, 1795784348, 1795796000, 30118847, 30126144, 301146002, 301146003, 301146004, 301509013, 301509014,
          30145603, 30145604, 301145001)
SHOTS = {"spiral": (1, 3, 8, 24, 48), "vdspiral": (1, 3, 8, 24, 48), "epi": (1, 2, 5)}
TRAJECTORIES = {1: ("random", "file"), 3: ("random", "kooshball", "sos", "file"),
                2: ("random", "radial", "golden", "spiral", "vdspiral", "epi", "file")}


Problem = list[str]  # the texts of its cases, an operation each


def without_spaces(folder: Path) -> Path:
    """The folder by a path that a case can have: from here where its whole path holds spaces."""
    found = Path(os.path.relpath(folder)) if len(str(folder).split()) > 1 else folder
    if len(str(found).split()) > 1:
        raise RecordsError(f"{found}: paths in cases hold no spaces; nearest: -o {'_'.join(str(found).split())}")
    return found


class Drawer:
    """Draws for a backend; files of a problem's own go into a folder."""

    def __init__(self, backend: str, seed: int, folder: Path):
        self.backend, self.random, self.folder = backend, random.Random(seed), without_spaces(folder)
        self.numbers = np.random.default_rng(seed)
        self.files = 0

    def some(self, count: int) -> list[Problem]:
        found: list[Problem] = []
        while len(found) < count:
            drawn = self.uniform() if self.random.random() < .15 else self.nonuniform()
            found += [drawn] if drawn else []
        return found

    def one_of(self, *weighted: tuple[int, object]) -> object:
        weights, values = zip(*weighted)
        return self.random.choices(values, weights)[0]

    def uniform(self) -> Problem:
        longest = 20_000 if self.backend == "cpu" else 300_000
        dim = self.one_of((6, 1), (2, 2), (1, 3))
        n = [round(math.exp(self.random.uniform(math.log(5), math.log(longest) / dim))) for _ in range(dim)]
        batch = round(math.exp(self.random.uniform(0, math.log(max(2, 4e6 / math.prod(n))))))
        kind = self.one_of((6, "c"), (2, "r"))
        way = self.random.choice("fb") + (self.random.choice("oi") if kind == "c" else "o")
        prec = self.one_of((4, "s"), (1, "d"))
        tol = self.one_of((5, ""), (1, " tol=1e-5" if prec == "s" else " tol=1e-10"))
        return [f"uniform:{prec}{kind}{way}{'x'.join(map(str, n))}*{batch}{tol}"]

    def grid(self, dim: int) -> list[int]:
        low, high = SIZES[self.backend][dim]
        n = [self.random.randint(low, high) for _ in range(dim)]
        return [n[0], max(8, int(n[0] * self.random.uniform(.5, 1.5)))] if dim == 2 else n

    def nonuniform(self) -> Problem | None:
        """None: the draw is too large or too small."""
        dim = self.one_of((1, 1), (12, 2), (4, 3))
        n, traj = self.grid(dim), self.random.choice(TRAJECTORIES[dim])
        m = max(16, int(math.prod(n) * self.random.uniform(.2, 4)))
        m, shots, words = self.trajectory(traj, n, m)
        coils = self.one_of((5, 1), (3, self.random.randint(2, 8)), (3, self.random.randint(9, 32)),
                            (1, self.random.randint(33, 64)))
        if not LEAST[self.backend] <= math.prod(n) * m * coils <= MOST[self.backend]:
            return None
        words = [f"{dim}d", "n=" + "x".join(map(str, n)), f"m={m}", words, f"t={self.readout(traj, n, shots)}ms",
                 *self.maps(n), f"coils={coils}", *self.promise()]
        if coils > 1:
            words.append(self.one_of((5, ""), (1, "layout=interleaved")))
        rest = " ".join(filter(None, (*words, f"seed={self.random.randint(2, 9999)}")))
        ops = self.one_of((10, ("forward", "adjoint")), (1, ("normal",)))
        return [f"{op} {rest}" for op in ops]

    def trajectory(self, traj: str, n: list[int], m: int) -> tuple[int, int, str]:
        """Samples, shots and the words for them, of about m samples."""
        if traj == "file":
            return m, 1, f"traj=file:{self.positions(n, m)}"
        if traj == "random":
            return m, 1, "traj=random"
        if traj == "sos":
            planes = self.random.choice((2, 4, 8))
            arms = max(1, m // planes // 64)
            return planes * arms * 64, planes * arms, f"traj=sos:{arms}x{planes}"
        if traj == "epi":
            m = max(8, m // n[1]) * n[1]
            shots = next(s for s in sorted(SHOTS["epi"], key=lambda _: self.random.random()) if s == 1 or m % s == 0)
        elif traj in SHOTS:
            shots = self.random.choice(SHOTS[traj])
        else:
            shots = max(2, m // self.random.choice((96, 128, 192, 256, 320)))
        m = max(shots, m // shots * shots)
        return m, shots, f"traj={traj}:{shots}"

    def readout(self, traj: str, n: list[int], shots: int) -> int:
        """Of a spiral what gradients can play, in ms."""
        if traj not in ("spiral", "vdspiral"):
            return self.random.choice((1, 2, 3, 5, 8, 15, 25, 40, 80))
        return int(1.7 * 14.5 * (max(n) / 50) ** 2 / shots * (2 if traj == "vdspiral" else 1)) + 5

    def maps(self, n: list[int]) -> list[str]:
        hz = self.random.randint(20, 300)
        field = self.one_of((4, ""), (4, f"field=smooth:{hz}Hz"), (1, f"field=random:{hz}Hz"), (1, "file"))
        grad = self.one_of((10, ""), (1, "grad=field"), (1, "grad=random:12Hz")) if field else ""
        if field == "file":
            field = f"field=file:{self.field(n, hz)}"
        return [field, grad, self.one_of((5, ""), (1, "mask=disk"))]

    def promise(self) -> list[str]:
        if self.random.random() < .15:
            return ["prec=f64", self.one_of((2, "tol=1e-4"), (2, "tol=1e-6"), (1, "tol=1e-9"))]
        return [self.one_of((7, ""), (2, "tol=1e-3"), (2, "tol=1e-5"), (1, "tol=3e-6"))]

    def own(self, array: np.ndarray) -> Path:
        self.files += 1
        path = self.folder / f"{self.files}.npy"
        np.save(path, array)
        return path

    def positions(self, n: list[int], m: int) -> Path:
        """A rosette, or a cloud that is denser in the middle."""
        turn = np.arange(m) / m * 2 * np.pi
        if len(n) == 2 and self.random.random() < .5:
            petals = self.random.randint(5, 200)
            radius, angle = np.sin(petals * turn), (petals / 2 + 1) * turn
            k = .499 * np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
        else:
            k = np.clip(self.numbers.normal(0, .15, (m, len(n))), -.499, .499)
        return self.own((k * n).astype(np.float32))

    def field(self, n: list[int], hz: float) -> Path:
        """A parabola with a bump, in rad/s."""
        axes = np.meshgrid(*(np.linspace(-1, 1, size) for size in reversed(n)), indexing="ij")
        middle = self.numbers.uniform(-.5, .5, len(n))
        bump = np.exp(-8 * sum((x - c) ** 2 for x, c in zip(axes, middle)))
        shape = bump - .5 * sum(x * x for x in axes) / len(n)
        return self.own((2 * np.pi * hz * shape / np.abs(shape).max()).astype(np.float32))
