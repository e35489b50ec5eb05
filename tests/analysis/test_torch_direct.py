# SPDX-License-Identifier: Apache-2.0
"""The PyTorch peer: that it computes our operator, shown with numpy in PyTorch's place."""

import builtins
import time
from types import SimpleNamespace

import numpy as np
import pytest

from program import PROGRAM, ndft, records
from synthetic import run_line

from analysis.peers import exported, torch_direct
from analysis.records import results_validate
from analysis.records.errors import RecordsError


def export(folder, case):
    assert ndft("export", case, folder).returncode == 0
    return exported.read(folder)


@pytest.mark.parametrize("case", [
    "forward 1d n=7 m=11", "adjoint 2d n=8x5 m=23 coils=3 field=random:200Hz t=20ms",
    "forward 2d n=8x5 m=23 mask=disk coils=2 layout=interleaved field=smooth:90Hz t=20ms",
    "adjoint 3d n=4x3x5 m=17 mask=disk field=random:200Hz t=20ms"])
@pytest.mark.parametrize("chunk", [4, 100])
def test_it_is_our_operator(tmp_path, case, chunk):
    problem = export(tmp_path, case + " prec=f64")
    matrix = torch_direct.matrix(problem)
    length = len(matrix.samples) if matrix.forward else matrix.voxels.shape[1]
    out = np.empty((length, problem.coils), complex)
    torch_direct.execute(np, "exp", chunk, matrix, out)
    assert problem.error(torch_direct.vector(problem, out)) < 1e-13
    assert problem.coil_pairs == matrix.samples.shape[0] * matrix.voxels.shape[1] * problem.coils


class Tensor(np.ndarray):
    """What the peer asks of a tensor, from numpy."""

    cuda = cpu = numpy = lambda self: self


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = time.perf_counter()

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        return (end.at - self.at) * 1e3


STAND_IN = SimpleNamespace(
    __version__="0.0", cuda=SimpleNamespace(Event=Event), exp=np.exp, ones_like=np.ones_like,
    polar=lambda radius, phi: radius * np.exp(1j * phi),
    from_numpy=lambda array: array.view(Tensor),
    empty=lambda shape, dtype, device: np.empty(shape, dtype).view(Tensor))


@pytest.mark.parametrize("op", ["forward", "adjoint"])
def test_records_are_valid(tmp_path, monkeypatch, op):
    case = f"{op} 2d n=8x5 m=70 coils=2 field=random:200Hz t=20ms"
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    monkeypatch.setattr(exported, "header", lambda *_: (
        run_line(), {"type": "end", "run": "r1"}))
    exported.campaign("torch", "cuda", [case], 2, tmp_path / "new/peers.jsonl",
                      lambda c: torch_direct.measure(STAND_IN, c))
    assert results_validate.validate(tmp_path / "new/peers.jsonl") == ([], [])
    _, *lines, _ = records(tmp_path / "new/peers.jsonl")
    assert [line["how"].partition(",")[0] for line in lines] == ["exp", "polar"]
    for line in lines:
        assert len(line["samples_s"]) == torch_direct.SAMPLES and line["rel_l2"] < 1e-5
        assert line["coil_pairs_per_s"] * line["median_s"] == pytest.approx(8 * 5 * 70 * 2)


def test_what_it_cannot_do_is_said(tmp_path):
    problem = export(tmp_path, "forward 1d n=7 m=11 grad=random:20Hz t=5ms")
    with pytest.raises(RecordsError, match="gradients"):
        torch_direct.matrix(problem)


def test_without_pytorch_nothing_is_measured(monkeypatch, capsys):
    def refuse(name, *rest, real=builtins.__import__):
        if name == "torch":
            raise ImportError
        return real(name, *rest)
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert torch_direct.main([]) == 3
    assert "PyTorch is not installed" in capsys.readouterr().err
