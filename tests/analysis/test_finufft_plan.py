# SPDX-License-Identifier: Apache-2.0
"""The FINUFFT peer: that it computes our operator and meets the error, shown with a stand-in of a
known error in FINUFFT's place, and with FINUFFT itself where it is installed."""

import builtins
import json
import os
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

from program import PROGRAM
from analysis.records import results_validate
from analysis.records.load import RecordsError, load
from analysis.peers import archimedes, exported, finufft_plan

from synthetic import case_line, run_line, write

CASES = ["forward 1d n=7 m=11", "adjoint 2d n=8x5 m=23 coils=3",
         "forward 2d n=8x5 m=23 mask=disk coils=2 layout=interleaved",
         "adjoint 3d n=4x3x5 m=17 mask=disk"]


def read(folder, case):
    subprocess.run([PROGRAM, "export", case, folder], check=True, env={**os.environ,
                                                                       "NDFT_CACHE": ""})
    return exported.read(folder)


class Plan:
    """What FINUFFT computes, by its definition: C order, the first axis of points the slowest of
    modes, modes from -floor(N/2) on; and wrong by a relative eps/2."""

    def __init__(self, kind, shape, n_trans, eps, isign, dtype, upsampfac, nthreads):
        assert kind in (1, 2) and upsampfac in (1.25, 2) and nthreads > 0
        self.kind, self.shape, self.eps, self.isign = kind, shape, eps, isign

    def setpts(self, *points):
        modes = np.meshgrid(*((np.arange(n) - n // 2) for n in self.shape), indexing="ij")
        turns = sum(np.multiply.outer(x, mode.ravel()) for x, mode in zip(points, modes))
        self.matrix = (1 + self.eps / 2) * np.exp(1j * self.isign * turns)

    def execute(self, data, out):
        rows = data.reshape(len(data), -1)
        out[:] = (rows @ (self.matrix if self.kind == 1 else self.matrix.T)).reshape(out.shape)


STAND_IN = SimpleNamespace(__version__="0.0", Plan=Plan)


@pytest.mark.parametrize("case", CASES)
def test_it_is_our_operator(tmp_path, case):
    problem = read(tmp_path, case + " prec=f64")
    transform = finufft_plan.Transform(STAND_IN, problem, 1e-14, 2.0, 1)
    assert problem.error(transform.result()) < 2e-14


def test_the_loosest_tolerance_that_is_accurate_enough(tmp_path):
    problem = read(tmp_path, CASES[0] + " prec=f64")
    _, tolerance, error = finufft_plan.loosest(
        lambda eps: finufft_plan.Transform(STAND_IN, problem, eps, 2.0, 1), problem, 1e-5)
    assert tolerance == pytest.approx(1e-5) and error == pytest.approx(5e-6)
    with pytest.raises(RecordsError, match="reaches no error of 1e-16"):
        finufft_plan.measure(STAND_IN, problem, 1e-16, 1)


def test_an_error_is_that_of_the_known_outputs_and_used_voxels(tmp_path):
    problem = read(tmp_path, CASES[3] + " prec=f64")
    wrong = problem.reference.copy()
    wrong[:, ~problem.used] = 7
    assert problem.error(wrong) == 0
    first = tuple(np.argwhere(problem.used)[0])
    wrong[(0, *first)] = 9
    assert problem.error(wrong) > .1
    problem.reference[(0, *first)] = np.nan
    assert problem.error(wrong) == 0


@pytest.mark.parametrize("op", ["forward", "adjoint"])
def test_records_are_valid_and_loaded(tmp_path, monkeypatch, op):
    case = f"{op} 2d n=8x5 m=70 coils=2"
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    monkeypatch.setattr(finufft_plan, "SHORTEST", 1e-5)
    monkeypatch.setattr(exported, "header", lambda *_: (
        run_line(backends=("cpu",)), {"type": "end", "run": "r1"}))
    file = tmp_path / "new/peers.jsonl"
    exported.campaign("finufft", "cpu", [case], 2, file,
                      lambda c: finufft_plan.measure(STAND_IN, c, None, 2))
    assert results_validate.validate(file) == ([], [])
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["how"].split(", ")[:2] for line in lines[1:-1]] == [
        ["eps=1.0e-04", "oversampling 2"], ["eps=1.0e-04", "oversampling 1.25"]]
    for line in lines[1:-1]:
        assert line["rel_l2"] <= 1e-4 and line["plan_s"] > 0
        assert line["coil_pairs_per_s"] * line["median_s"] == pytest.approx(8 * 5 * 70 * 2)
    write(tmp_path / "case.jsonl", run_line(backends=("cpu",)), case_line("tiled.cpu"))
    peers = load([tmp_path]).peers
    assert [(p.case.coils, p.variant_name) for p in peers] == [(2, "finufft 0.0")] * 2


@pytest.mark.parametrize("keys, said", [("field=random:9Hz t=5ms", "a field map"),
                                        ("grad=random:20Hz t=5ms", "gradients")])
def test_what_it_cannot_do_is_said(tmp_path, keys, said):
    with pytest.raises(RecordsError, match=said):
        finufft_plan.measure(STAND_IN, read(tmp_path, f"forward 1d n=7 m=11 {keys}"), None, 1)


def test_without_finufft_nothing_is_measured(monkeypatch, capsys):
    def refuse(name, *rest, real=builtins.__import__):
        if name == "finufft":
            raise ImportError
        return real(name, *rest)
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert finufft_plan.main([]) == 3
    assert "finufft is not installed" in capsys.readouterr().err


@pytest.mark.parametrize("case", CASES)
def test_finufft_itself(tmp_path, case):
    finufft = pytest.importorskip("finufft")
    transform = finufft_plan.Transform(finufft, read(tmp_path, case), 1e-5, 2.0, 1)
    assert read(tmp_path, case).error(transform.result()) < 1e-5


def test_the_spiral_of_cufinufft(tmp_path, capsys):
    assert archimedes.main(["16", "256", str(tmp_path / "a/s.npy")]) == 0
    case = f"adjoint {capsys.readouterr().out.strip()}"
    k = read(tmp_path / "case", case).k
    radius = np.hypot(*k.T)
    assert len(k) == 256 and radius[-1] == pytest.approx(8 * np.sqrt(255.5 / 256))
    assert np.diff(np.unwrap(np.arctan2(k[:, 1], k[:, 0]))).sum() == pytest.approx(
        2 * np.pi * (radius[-1] - radius[0]), rel=1e-5)  # N/2 turns on N/2 cycles/FOV
