# SPDX-License-Identifier: Apache-2.0
"""Exported problems as other software reads them, and the spiral that cuFINUFFT was measured on."""

import numpy as np
import pytest

from analysis.peers import archimedes, exported
from program import ndft


def read(folder, case):
    assert ndft("export", case, folder).returncode == 0
    return exported.read(folder)


def test_an_error_is_that_of_the_known_outputs_and_used_voxels(tmp_path):
    problem = read(tmp_path, "adjoint 3d n=4x3x5 m=17 mask=disk prec=f64")
    wrong = problem.reference.copy()
    wrong[:, ~problem.used] = 7
    assert problem.error(wrong) == 0
    first = tuple(np.argwhere(problem.used)[0])
    wrong[(0, *first)] = 9
    assert problem.error(wrong) > .1
    problem.reference[(0, *first)] = np.nan
    assert problem.error(wrong) == 0


def test_the_spiral_of_cufinufft(tmp_path, capsys):
    assert archimedes.main(["16", "256", str(tmp_path / "a/s.npy")]) == 0
    case = f"adjoint {capsys.readouterr().out.strip()}"
    k = read(tmp_path / "case", case).k
    radius = np.hypot(*k.T)
    assert len(k) == 256 and radius[-1] == pytest.approx(8 * np.sqrt(255.5 / 256))
    assert np.diff(np.unwrap(np.arctan2(k[:, 1], k[:, 0]))).sum() == pytest.approx(
        2 * np.pi * (radius[-1] - radius[0]), rel=1e-5)  # N/2 turns on N/2 cycles/FOV
