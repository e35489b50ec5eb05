# SPDX-License-Identifier: Apache-2.0
"""The operator once more, in numpy's longdouble, to catch a mistake that the C reference makes.

    forward   s_j = sum_k m_k B_jk exp(-i phi_jk)
    adjoint   m_k = sum_j d_j B_jk exp(+i phi_jk)
    phi_jk  = 2 pi (k_j . r_k) + dw_k t_j + sum_l c_lj b_lk
    B_jk    = exp(-R_k t_j), 1 without decay, with gradient maps times prod_d sinc(k_dj/N_d + G_dk t_j)
    normal    A^H A

With coil maps there is one image: forward is A (s_c m) of every coil, adjoint sum_c conj(s_c) A^H d_c.

Written from this definition alone; it shares no code, no order of evaluation and no arithmetic with
the reference. It reads a folder of `ndft export CASE DIR`, recomputes the case's operation and
compares:

    python3 tests/conformance/oracle.py DIR...        prints the relative l2 difference from reference.npy
"""

import pathlib
import sys

import numpy as np

import oracle_kinds

REAL, COMPLEX = np.longdouble, np.clongdouble
PI = REAL("3.14159265358979323846264338327950288")
BLOCK_PAIRS = 1 << 19  # 16 bytes a number: keeps the temporary matrices within the cache's reach
TOLERANCE = 2e-15


def load(folder, name):
    """An array of the export, or None where the case has none."""
    path = pathlib.Path(folder) / f"{name}.npy"
    return np.load(path) if path.exists() else None


def positions(shape):
    """r = (n - floor(N/2))/N of every voxel as integers and their N: x, y, z, the x axis fastest."""
    nz, ny, nx = shape
    z, y, x = np.meshgrid(*(np.arange(n) - n // 2 for n in (nz, ny, nx)), indexing="ij")
    return [axis.reshape(-1).astype(REAL) for axis in (x, y, z)], (nx, ny, nz)


def sinc(x):
    """sin(pi x)/(pi x), 1 at 0."""
    safe = np.where(x == 0, REAL(1), x)
    return np.where(x == 0, REAL(1), np.sin(PI * safe) / (PI * safe))


class Operator:
    """A of one exported problem, restricted to the voxels of its mask."""

    def __init__(self, folder):
        self.k = load(folder, "k").astype(REAL)
        self.t = load(folder, "t").astype(REAL)
        self.shape = load(folder, "image").shape[1:]
        self.r, self.n = positions(self.shape)
        if (grid := load(folder, "grid")) is not None:
            self.r = list(grid.reshape(-1, self.k.shape[1]).T.astype(REAL))
        mask = load(folder, "mask")
        self.used = np.ones(np.prod(self.shape), bool) if mask is None else mask.reshape(-1) != 0
        dw, grad = load(folder, "dw"), load(folder, "grad")
        self.dw = None if dw is None else dw.reshape(-1).astype(REAL)[self.used]
        decay = load(folder, "decay")
        self.decay = None if decay is None else decay.reshape(-1).astype(REAL)[self.used]
        self.c, self.b = load(folder, "phase_c"), load(folder, "phase_b")
        if self.c is not None:
            self.c = self.c.astype(REAL)
            self.b = self.b.reshape(len(self.b), -1).astype(REAL)[:, self.used]
        self.grad = None
        if grad is not None:
            self.grad = grad.reshape(len(grad), -1).astype(REAL)[:, self.used]
        self.r = [axis[self.used] for axis in self.r]
        maps = load(folder, "maps")
        self.maps = None if maps is None else maps.reshape(len(maps), -1).astype(COMPLEX)[:, self.used]

    def rows(self):
        """(slice of samples, A of these samples), as many at a time as fit."""
        step = max(1, BLOCK_PAIRS // max(1, self.used.sum()))
        for first in range(0, len(self.k), step):
            rows = slice(first, first + step)
            yield rows, self.matrix(rows)

    def matrix(self, rows):
        k, t = self.k[rows], self.t[rows, None]
        turns = np.zeros((len(k), self.used.sum()), REAL)
        factor = REAL(1)
        for d in range(k.shape[1]):
            turns += np.fmod(np.outer(k[:, d], self.r[d]) / self.n[d], REAL(1))
            if self.grad is not None:
                factor = factor * sinc(k[:, d, None] / self.n[d] + self.grad[d] * t)
        if self.decay is not None:
            factor = factor * np.exp(-self.decay * t)
        phase = 2 * PI * turns
        if self.dw is not None:
            phase = phase + self.dw * t
        if self.c is not None:
            for c, b in zip(self.c, self.b):
                phase = phase + np.outer(c[rows], b)
        return factor * (np.cos(phase) - COMPLEX(1j) * np.sin(phase))

    def forward(self, image):
        x = image.reshape(len(image), -1)[:, self.used].astype(COMPLEX)
        if self.maps is not None:
            x = self.maps * x
        return np.concatenate([x @ a.T for _, a in self.rows()], axis=1)

    def adjoint(self, kspace):
        y = kspace.astype(COMPLEX)
        seen = np.zeros((len(y), self.used.sum()), COMPLEX)
        for rows, a in self.rows():
            seen += y[:, rows] @ a.conj()
        if self.maps is not None:
            seen = (self.maps.conj() * seen).sum(0, keepdims=True)
        image = np.zeros((len(seen), self.used.size), COMPLEX)
        image[:, self.used] = seen
        return image.reshape(len(seen), *self.shape)


def recompute(folder):
    """The output of the exported case's operation."""
    case = (pathlib.Path(folder) / "case.txt").read_text()
    op = case.split()[0]
    if op.startswith("convolve:"):
        return oracle_kinds.convolution(case, load(folder, "kernel"), load(folder, "input"))
    if op.startswith("chirpz:"):
        return oracle_kinds.chirpz(case, load(folder, "input"))
    a = Operator(folder)
    if op == "forward":
        return a.forward(load(folder, "image"))
    if op == "adjoint":
        return a.adjoint(load(folder, "kspace"))
    if op == "normal":
        return a.adjoint(a.forward(load(folder, "image")))
    raise ValueError(f"{folder}/case.txt: unknown operation '{op}'")


def difference(folder):
    """|reference - oracle| / |oracle|; infinite where shapes differ or the reference is not finite."""
    ours, theirs = recompute(folder), load(folder, "reference")
    if theirs is None or ours.shape != theirs.shape or not np.isfinite(theirs).all():
        return float("inf")
    size = np.sqrt((np.abs(ours) ** 2).sum())
    return float(np.sqrt((np.abs(theirs - ours) ** 2).sum()) / size)


def main(folders):
    worst = 0.0
    for folder in folders:
        found = difference(folder)
        worst = max(worst, found)
        print(f"{found:9.2e}  {folder}")
    return 0 if folders and worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
