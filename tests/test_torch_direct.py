# SPDX-License-Identifier: Apache-2.0
"""The PyTorch peer: that it computes our operator, shown with numpy in PyTorch's place."""

import builtins
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from analysis.load import RecordsError
from analysis.peers import torch_direct

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("NDFT_PROGRAM", str(ROOT / "build" / "ndft"))


def export(folder, case):
    subprocess.run([PROGRAM, "export", case, folder], check=True, env={**os.environ,
                                                                       "NDFT_CACHE": ""})
    return folder


@pytest.mark.parametrize("case", [
    "forward 1d n=7 m=11", "adjoint 2d n=8x5 m=23 coils=3 field=random:200Hz t=20ms",
    "forward 2d n=8x5 m=23 mask=disk coils=2 layout=interleaved field=smooth:90Hz t=20ms",
    "adjoint 3d n=4x3x5 m=17 mask=disk field=random:200Hz t=20ms"])
@pytest.mark.parametrize("chunk", [4, 100])
def test_it_is_our_operator(tmp_path, case, chunk):
    problem = torch_direct.read(export(tmp_path, case + " prec=f64"))
    out = np.empty(problem.reference.shape, complex)
    torch_direct.execute(np, "exp", chunk, problem, out)
    assert np.linalg.norm(out - problem.reference) < 1e-13 * np.linalg.norm(problem.reference)
    assert problem.coil_pairs == problem.samples.shape[0] * problem.voxels.shape[1] * out.shape[1]


def test_what_it_cannot_do_is_said(tmp_path):
    export(tmp_path, "forward 1d n=7 m=11 grad=random:20Hz t=5ms")
    with pytest.raises(RecordsError, match="gradients"):
        torch_direct.read(tmp_path)


def test_without_pytorch_nothing_is_measured(monkeypatch, capsys):
    def refuse(name, *rest, real=builtins.__import__):
        if name == "torch":
            raise ImportError
        return real(name, *rest)
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert torch_direct.main([]) == 3
    assert "PyTorch is not installed" in capsys.readouterr().err
