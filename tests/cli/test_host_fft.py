# SPDX-License-Identifier: Apache-2.0
"""The host's FFT is found by name when it is wanted: FFTW, MKL, one that makes no plans, and none."""

import ctypes
import os
import subprocess
from pathlib import Path

import pytest

from program import PROGRAM, lines, ndft

BY_FFT = "nufft_(scatter|hybrid|output_driven|line|toeplitz)|chirp_z|bluestein_.*|uniform_vendor"
FAKE = Path(PROGRAM).parent / "tests/libfake_fft.so"
CASES = ("forward 2d n=24x20 m=700 traj=golden:28 field=smooth:90Hz t=4ms",
         "normal 2d n=24x20 m=700 traj=radial:28", "adjoint 2d n=24x20 m=480 traj=epi:4",
         "uniform:scfo37x6*3", "uniform:srfo36*5", "uniform:drbi40*2")


def check(case, fft, *more, **variables):
    result = ndft("check", case, "--backend", "cpu", "--json", *more, NDFT_HOST_FFT=fft, **variables)
    assert "Traceback" not in result.stderr
    return lines(result.stdout)


def missing_mkl():
    """Why there is none: the path in NDFT_MKL, or what the loader finds."""
    path = os.environ.get("NDFT_MKL", "libmkl_rt.so.3")
    try:
        ctypes.CDLL(path)
    except OSError as error:
        return f"no MKL: {error}"
    return None


def all_pass(fft, **variables):
    for case in CASES:
        records = check(case, fft, "--variant", f"({BY_FFT})[.]cpu", **variables)
        verdicts = {record["variant"]: record["verdict"] for record in records}
        assert set(verdicts.values()) <= {"pass", "unsupported"}, verdicts
        assert "pass" in verdicts.values(), (case, records)


def test_by_fftw():
    all_pass("fftw")


@pytest.mark.parametrize("integers", ["LP64", "ILP64"])
def test_by_mkl(integers):
    """Of either size of integer, as another user of it in the process may have it."""
    why = missing_mkl()
    if why:
        pytest.skip(why)
    all_pass(os.environ.get("NDFT_MKL", "mkl"), MKL_INTERFACE_LAYER=integers)


@pytest.mark.parametrize("fft, said", [("none", "NDFT_HOST_FFT=none found none"),
                                       ("ffftw", "NDFT_HOST_FFT=ffftw found none; fftw, mkl or the path"),
                                       ("/nowhere/libmkl_rt.so", "NDFT_HOST_FFT=/nowhere/libmkl_rt.so found none")])
def test_without_any_the_others_serve(fft, said):
    for case in CASES:
        records = check(case, fft)
        by_fft = [r for r in records if r["verdict"] == "unsupported" and said in r["reason"]]
        assert by_fft or not check(case, "fftw", "--variant", f"({BY_FFT})[.]cpu")
        assert {r["verdict"] for r in records} <= {"pass", "unsupported"}
        assert any(r["verdict"] == "pass" for r in records), case


def test_a_planner_without_a_plan_is_told():
    case = "forward 1d n=24 m=700"  # lines of more axes are ours
    records = {record["variant"].split(".")[0]: record for record in check(case, str(FAKE))}
    assert records["nufft_scatter"]["verdict"] == "unsupported"
    assert "made no plan for lines of 48 cells" in records["nufft_scatter"]["reason"]
    assert records["naive"]["verdict"] == "pass"


def test_nothing_is_linked():
    needed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout
    assert "libm.so" in needed and "fftw" not in needed and "mkl" not in needed
