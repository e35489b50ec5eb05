# SPDX-License-Identifier: Apache-2.0
"""docs/python.md: its program, and the lines that come from other packages, each against the sum that the other
package documents."""

import re
from pathlib import Path

import numpy as np
import pytest

import ndft
from sums import complex_noise, error

PAGE = (Path(__file__).resolve().parents[2] / "docs/python.md").read_text()
RNG = np.random.default_rng(6)
PI = np.pi


def block(heading):
    """The code below a heading."""
    text = re.search(rf"^##+ {heading}\n\n((?:    .*\n|\n)+)", PAGE, re.MULTILINE)[1]
    return re.sub(r"^    ", "", text, flags=re.MULTILINE)


def lines(package, **given):
    """What the page's lines make of the package's arrays."""
    names = {"np": np, "ndft": ndft, **given}
    exec(block(package), names)
    return names


def voxels(n):
    return np.arange(n) - n // 2


def summed(x, phases):
    """sum over voxels of x exp(i phase), of each sample; the phase's axes are the image's."""
    return np.array([np.sum(x * np.exp(1j * phase)) for phase in phases])


def grid(shape):
    return np.meshgrid(*map(voxels, shape), indexing="ij")


def image(*shape):
    return complex_noise(RNG, shape)


def field(*shape):
    return RNG.normal(0, 100, shape)


def dot(coordinates, places):
    return sum(c * r for c, r in zip(coordinates, places))


def test_program(capsys):
    exec(block("A program"), {})
    found = capsys.readouterr().out
    assert re.sub(r"np[.]int64\((\d+)\)", r"\1", found).startswith("(40, 20) 1228")  # 96 * 128 = 12288


def test_mrinufft():
    """samples in [-0.5, 0.5]; exp(-2 pi i samples . voxel) and exp(+2 pi i field t)"""
    x, b0 = image(6, 5), field(6, 5)
    samples, t = RNG.uniform(-.5, .5, (20, 2)), RNG.uniform(0, 5e-3, 20)
    right = summed(x, [-2 * PI * dot(s, grid(x.shape)) + 2 * PI * b0 * now for s, now in zip(samples, t)])
    found = lines("MRI-NUFFT", x=x, samples=samples, readout_s=t, field_hz=b0)["y"]
    assert error(found, right / np.sqrt(30 * 4)) < 1e-9


def test_sigpy():
    """coord in [-n/2, n/2]; exp(-2 pi i coord . voxel / n), exp(-2 pi i b0 t), unitary on the grid"""
    x, b0 = image(6, 5), field(6, 5)
    coord, t = RNG.uniform(-2.5, 2.5, (20, 2)), RNG.uniform(0, 5, 20)
    r = [places / n for places, n in zip(grid(x.shape), x.shape)]
    right = summed(x, [-2 * PI * dot(c, r) - 2 * PI * b0 * now / 1000 for c, now in zip(coord, t)]) / np.sqrt(30)
    assert error(lines("SigPy", x=x, coord=coord, t_ms=t, b0_hz=b0)["y"], right) < 1e-9


def test_torchkbnufft():
    """omega (d, K) in rad/voxel; exp(-i omega . voxel)"""
    x, omega = image(6, 5), RNG.uniform(-PI, PI, (2, 20))
    right = summed(x, [-dot(w, grid(x.shape)) for w in omega.T])
    assert error(lines("torchkbnufft", x=x, omega=omega)["y"], right) < 1e-9


def test_mirtorch():
    x, omega, b0, t = image(6, 5), RNG.uniform(-PI, PI, (2, 20)), field(6, 5), RNG.uniform(0, 5, 20)
    right = summed(x, [-dot(w, grid(x.shape)) - 2 * PI * b0 * now / 1000 for w, now in zip(omega.T, t)])
    assert error(lines("MIRTorch", x=x, omega=omega, t_ms=t, b0_hz=b0)["y"], right) < 1e-9


def test_finufft():
    """type 2: c_j = sum_k f_k exp(isign i k . x_j), type 1: f_k = sum_j c_j exp(isign i k . x_j), k = -n//2..."""
    x, points = image(6, 5), RNG.uniform(-PI, PI, (2, 20))
    names = lines("FINUFFT", x=x, points=tuple(points))
    right = summed(x, [-dot(p, grid(x.shape)) for p in points.T])
    back = sum(c * np.exp(1j * dot(p, grid(x.shape))) for c, p in zip(right, points.T))
    assert error(names["y"], right) < 1e-9 and error(names["image"], back) < 1e-9


def test_pytorch_finufft():
    """FFT order: frequency 0 first; the exponent is negative both ways"""
    x, points = image(6, 5), RNG.uniform(-PI, PI, (2, 20))
    frequencies = np.meshgrid(*(np.fft.fftfreq(n, 1 / n) for n in x.shape), indexing="ij")
    names = lines("pytorch-finufft", x=x, points=points)
    right = summed(x, [-dot(p, frequencies) for p in points.T])
    back = sum(c * np.exp(-1j * dot(p, frequencies)) for c, p in zip(right, points.T))
    assert error(names["y"], right) < 1e-9 and error(names["image"], back) < 1e-9


def test_bart():
    """Arrays [x, y, z] in Fortran's order, trajectory (3, samples, spokes); exp(+i field t)"""
    x, b0 = np.asfortranarray(image(6, 5, 4)), field(6, 5, 4)
    trajectory, t = RNG.uniform(-2, 2, (3, 7, 3)), RNG.uniform(0, 5e-3, (7, 3))
    r = [places / n for places, n in zip(grid(x.shape), x.shape)]
    right = np.array([[np.sum(x * np.exp(-2j * PI * dot(trajectory[:, i, j], r) + 1j * b0 * t[i, j]))
                       for j in range(3)] for i in range(7)]) / np.sqrt(120)
    assert error(lines("BART", x=x, trajectory=trajectory, t_s=t, field=b0)["y"], right) < 1e-9


def test_mrpro():
    """Images (z, y, x); ortho; exp(-2 pi i b0 t)"""
    x, b0, t = image(4, 5, 6), field(4, 5, 6), RNG.uniform(0, 5e-3, 20)
    kz, ky, kx = RNG.uniform(-2, 2, (3, 20))
    z, y, across = (places / n for places, n in zip(grid(x.shape), x.shape))
    right = summed(x, [-2 * PI * (c * z + b * y + a * across + b0 * now)
                       for c, b, a, now in zip(kz, ky, kx, t)]) / np.sqrt(120)
    assert error(lines("MRpro", x=x, kz=kz, ky=ky, kx=kx, t_s=t, b0_hz=b0)["y"], right) < 1e-9


@pytest.mark.parametrize("package,first", [("PowerGrid", True), ("libndft in C", False)])
def test_rad_per_second(package, first):
    """x is the first axis of PowerGrid's array, whose y is the fastest, and the last of libndft's."""
    x, b0, t = image(6, 5), field(6, 5), RNG.uniform(0, 5e-3, 20)
    kx, ky = RNG.uniform(-2, 2, (2, 20))
    r = [places / n for places, n in zip(grid(x.shape), x.shape)]
    along_x, along_y = r if first else r[::-1]
    right = summed(x, [-2 * PI * (a * along_x + b * along_y) - b0 * now for a, b, now in zip(kx, ky, t)])
    assert error(lines(package, x=x, kx=kx, ky=ky, t_s=t, field=b0)["y"], right) < 1e-9


def test_every_package_is_tested():
    rows = re.findall(r"^\| ([A-Z\w][\w -]*?)(?: [\d.]+)? \|", PAGE.split("## Coming from")[1], re.MULTILINE)
    assert set(rows) - {"package"} == set(re.findall(r"^### (.*)$", PAGE, re.MULTILINE))
