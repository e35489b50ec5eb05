# SPDX-License-Identifier: Apache-2.0
"""The C reference against BART's exact nonuniform DFT, `bart nufft -s` (Uecker et al.).

BART's trajectory and our k have the same unit and its images and samples the same order; for even
sizes the centre is the same. 0.8 does not scale; 1.0 divides by sqrt(N coils) and knows a field map,
exp(+i w t), so that it is given -dw. It sums in float, hence the tolerance.
"""

import math
import re
import shutil
import subprocess

import numpy as np
import pytest

from program import ndft

TOLERANCE = 1e-5

CASES = """
forward 2d n=48x32 m=700 traj=radial:10 coils=2
adjoint 2d n=32x48 m=700 traj=golden:10 coils=2
forward 2d n=32x32 m=600 traj=spiral:4 coils=2 t=20ms
forward 3d n=16x18x12 m=500 traj=kooshball coils=2
adjoint 3d n=12x16x18 m=500 traj=random coils=2
""".strip().splitlines()
FIELD_CASES = [f"{case.replace(' t=20ms', '')} t=20ms field=smooth:200Hz" for case in CASES]


def bart_version():
    if not shutil.which("bart"):
        return None
    text = subprocess.run(["bart", "version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


VERSION = bart_version()
pytestmark = pytest.mark.skipif(VERSION is None, reason="bart is not installed")


def write_cfl(path, array, dims):
    """array in C order becomes BART's dims, the first one fastest."""
    dims = list(dims) + [1] * (16 - len(dims))
    path.with_suffix(".hdr").write_text("# Dimensions\n" + " ".join(map(str, dims)) + "\n")
    array.astype("<c8").tofile(path.with_suffix(".cfl"))
    return str(path)


def read_cfl(path, shape):
    return np.fromfile(path.with_suffix(".cfl"), "<c8").reshape(shape)


def bart_nufft(folder, op, image_shape, way=("-s",)):
    """What bart makes of the exported case, its scale undone; exactly unless told otherwise."""
    k, kspace = np.load(folder / "k.npy"), np.load(folder / "kspace.npy")
    coils, nz, ny, nx = image_shape
    m = len(k)
    three = np.zeros((m, 3))
    three[:, : k.shape[1]] = k
    command = ["bart", "nufft", *way]
    if (folder / "dw.npy").exists():
        command += ["-F", write_cfl(folder / "field", -np.load(folder / "dw.npy"), (nx, ny, nz))]
        command += ["-T", write_cfl(folder / "times", np.load(folder / "t.npy"), (1, m, 1))]
    if op == "adjoint":
        command += ["-a", "-x" if VERSION >= (1, 0) else "-d", f"{nx}:{ny}:{nz}"]
        data, shape = write_cfl(folder / "in", kspace, (1, m, 1, coils)), image_shape
    else:
        image = np.load(folder / "image.npy")
        data, shape = write_cfl(folder / "in", image, (nx, ny, nz, coils)), kspace.shape
    command += [write_cfl(folder / "traj", three, (3, m, 1)), data, str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    scale = math.sqrt(nx * ny * nz * coils) if VERSION >= (1, 0) else 1
    return scale * read_cfl(folder / "out", shape)


def assert_agrees(case, folder):
    assert ndft("export", case, folder).returncode == 0
    reference = np.load(folder / "reference.npy")
    ours = bart_nufft(folder, case.split()[0], np.load(folder / "image.npy").shape)
    assert np.linalg.norm(ours - reference) <= TOLERANCE * np.linalg.norm(reference)


@pytest.mark.parametrize("case", CASES)
def test_bart_agrees(case, tmp_path):
    assert_agrees(case, tmp_path)


def test_odd_sizes_are_half_a_voxel_apart(tmp_path):
    """And half a sample by BART's grid (docs/python.md)."""
    nx, ny = 33, 35
    assert ndft("export", f"forward 2d n={nx}x{ny} m=400 traj=radial:10 data=phantom", tmp_path).returncode == 0
    image, k = np.load(tmp_path / "image.npy"), np.load(tmp_path / "k.npy")
    ours, phase = np.load(tmp_path / "reference.npy")[0], np.exp(1j * math.pi * (k / (nx, ny)).sum(1))
    exact = bart_nufft(tmp_path, "forward", image.shape)[0]
    assert np.linalg.norm(exact - ours * phase) <= TOLERANCE * np.linalg.norm(ours)
    if VERSION >= (1, 0):
        return
    x, y = (np.exp(-2j * math.pi * np.outer(k[:, d] + .5, np.arange(n) - n // 2) / n) for d, n in enumerate((nx, ny)))
    moved = np.einsum("jy,jx,yx->j", y, x, image[0, 0])
    gridded = bart_nufft(tmp_path, "forward", image.shape, way=())[0] * math.sqrt(nx * ny)
    assert np.linalg.norm(gridded - moved) < .1 * np.linalg.norm(moved)
    assert np.linalg.norm(gridded - ours) > .4 * np.linalg.norm(moved)


@pytest.mark.parametrize("case", FIELD_CASES)
def test_bart_agrees_with_a_field_map(case, tmp_path):
    if VERSION < (1, 0):
        pytest.skip(f"bart {VERSION[0]}.{VERSION[1]} has no field map; 1.0 has")
    assert_agrees(case, tmp_path)
