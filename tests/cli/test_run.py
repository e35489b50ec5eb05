# SPDX-License-Identifier: Apache-2.0
"""Results and problems as files: run and export."""

import signal
import time

import numpy as np
import pytest

from program import PLANTED, SANITIZED, begun, ndft, refused
from test_cli import CASE


def test_the_first_interrupt_ends_an_export(tmp_path):
    case = "forward 2d n=300x300 m=300000"
    process = begun("export", case, tmp_path / "case")
    while not (tmp_path / "case/kspace.npy").exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(timeout=10) == -signal.SIGINT
    finally:
        process.kill()


def test_a_sampled_export_holds_a_part_of_the_reference(tmp_path):
    case = "forward 1d n=1500 m=190000 coils=2"
    assert ndft("export", "--sampled", case, tmp_path / "some").returncode == 0
    some = np.load(tmp_path / "some/reference.npy")
    known = ~np.isnan(some)
    assert known[:, [0, -1]].all() and 1024 <= known[0].sum() < 180000 and np.array_equal(known[0], known[1])
    if SANITIZED:  # which look into the same lines again
        return
    assert ndft("export", case, tmp_path / "all").returncode == 0
    all_ = np.load(tmp_path / "all/reference.npy")
    assert not np.isnan(all_).any() and np.array_equal(some[known], all_[known])


@pytest.mark.parametrize("op", ["forward", "adjoint"])
def test_run_and_export_agree(tmp_path, op):
    case = f"{op} 2d n=6x5 m=20 field=random:50Hz t=5ms coils=3 layout=interleaved seed=5"
    assert ndft("export", case, tmp_path / "case").returncode == 0
    result = ndft("run", case, "--variant", "naive.cpu", "--out", tmp_path / "out.npy")
    assert result.returncode == 0, result.stderr
    reference, out = np.load(tmp_path / "case/reference.npy"), np.load(tmp_path / "out.npy")
    assert reference.dtype == np.complex128 and out.dtype == np.complex64
    assert reference.shape == out.shape == ((3, 20) if op == "forward" else (3, 1, 5, 6))
    assert np.linalg.norm(out - reference) < 1e-5 * np.linalg.norm(reference)
    assert (tmp_path / "case/case.txt").read_text().startswith(op)


def test_run_says_why_it_cannot(tmp_path):
    out = tmp_path / "out.npy"
    refused(ndft("run", CASE, "--variant", "naiv.cpu", "-o", out), 2, "nearest: naive.cpu")
    refused(ndft("run", CASE + " tol=1e-9", "--variant", "naive.cpu", "-o", out), 2, "above tol")
    assert not out.exists()
    nowhere = tmp_path / "no" / "out.npy"
    refused(ndft("run", CASE, "--variant", "naive.cpu", "-o", nowhere), 3, "out.npy")


def test_an_empty_name_is_refused_before_anything_is_made():
    refused(ndft("export", CASE, ""), 2, "needs a folder", "nearest: .")
    refused(ndft("run", CASE, "--variant", "naive.cpu", "-o", ""), 2, "--out needs the name of a file")
    refused(ndft("sweep", "-c", f"naive[.]cpu : {CASE}", "-o", ""), 2, "--output needs the name of a file")


def test_run_checks_first(tmp_path):
    out = tmp_path / "out.npy"
    run = ["run", CASE, "--out", out, "--variant"]
    refused(ndft(*run, "naive.cpu", "--check", program=PLANTED), 2, "naive.cpu")
    wrong = "planted.cpu:fault=one_wrong"
    refused(ndft(*run, wrong, "--check", program=PLANTED), 1, "--check: wrong", "nothing is written")
    refused(ndft("run", CASE + " tol=1e-9", "-o", out, "-v", "naive.cpu", "--check"), 1, "above tol")
    assert not out.exists()
    assert ndft(*run, wrong, program=PLANTED).returncode == 0 and out.exists()
    out.unlink()
    result = ndft(*run, "naive.cpu", "--check")
    assert result.returncode == 0 and out.exists(), result.stderr
