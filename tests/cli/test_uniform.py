# SPDX-License-Identifier: Apache-2.0
"""Uniform transforms through the program: checks, records, and what is refused."""

import re

import numpy as np
import pytest

from program import cases, listed, ndft, refused

CPU = ("--backend", "cpu")
BUILT = {v["id"].partition(":")[0] for v in listed() if v["built"]}
VENDOR = "uniform_vendor.cpu" in BUILT


@pytest.mark.parametrize("descriptor", ["scfo8.101*33", "dcbi3.12x5*2", "srfi31*4", "drbo2.16x3"])
def test_variants_that_serve_everything_pass(descriptor):
    result = ndft("check", f"uniform:{descriptor}", *CPU,
                  "--expect", f"uniform_(naive{'|vendor' * VENDOR})[.]cpu")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith(f"uniform:{descriptor} tol=1e-4 seed=1\n")


@pytest.mark.parametrize("descriptor, words", [
    ("scfo0", "at least 1"),
    ("scfo16*32i2,1,20", "s0"),
    ("scfo16*32i1,1,10", "overlap"),
    ("scfi16*32i1,1,20", "in place input and output must have the same size"),
    ("scfo1073741825", "2 N - 1 does not overflow"),
])
def test_bad_input_is_shown(descriptor, words):
    result = ndft("check", f"uniform:{descriptor}", *CPU)
    assert result.returncode == 2 and words in result.stderr
    assert f"malformed descriptor '{descriptor}' at character " in result.stderr
    assert result.stderr.count("\n") == 1


def test_kinds_do_not_mix():
    refused(ndft("check", "uniform:scfo16", "--variant", "naive.*"), 2, "serves uniform cases")
    refused(ndft("check", "forward 2d n=4x4 m=9", "--variant", "uniform_naive.*"), 2, "serves nonuniform cases")
    result = ndft("check", "uniform:scfo16", *CPU, "--variant", ".*")
    ids = [line.split(".")[0] for line in result.stdout.splitlines()[2:]]
    assert result.returncode == 0 and ids
    assert all(name.startswith(("uniform_", "bluestein_")) for name in ids)


def test_a_line_for_the_other_kind_is_not_dropped(tmp_path):
    suite = tmp_path / "suite.ndft"
    suite.write_text("naive.* : uniform:scfo16\ntiled[.]cpu : forward 1d n=8 m=9\n")
    refused(ndft("sweep", suite, "--plan"), 2, "suite.ndft:1: no variant of 'naive.*'")


@pytest.mark.parametrize("arguments", [
    ("best", "uniform:scfo16"), ("check", "uniform:scfo16", "--variant", "best", *CPU),
    ("run", "uniform:scfo16", "--variant", "best", "--out", "x.npy"),
])
def test_the_best_is_one_of_its_kind(arguments, tmp_path):
    result = ndft(*arguments, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert re.search(r": (uniform|bluestein)_\w+[.]c.*, fastest by estimate: ", result.stdout), result.stdout


def numpys(descriptor, x, shape):
    """The same transform of (K,ND..N1,M), over all but its first and last axis, in double."""
    axes = tuple(range(1, x.ndim - 1))
    x = x.astype(np.result_type(x, np.float64))  # from NumPy 2 on its FFT keeps single precision
    if descriptor[1:3] == "rb":
        return np.fft.irfftn(x, shape[1:-1], axes) * np.prod(shape[1:-1])
    if descriptor[1] == "r":
        return np.fft.rfftn(x, axes=axes)
    return np.fft.fftn(x, axes=axes) if descriptor[2] == "f" else np.fft.ifftn(
        x, axes=axes, norm="forward")


@pytest.mark.parametrize("descriptor", ["scfo6x5*2", "dcbi2.12x5x3*2", "srfo9x4*3i1,1,10,50",
                                        "drbo12x5", "srbi7*4", "scfo2.9x5 load=zero_pad:6x4",
                                        "drbi8 load=zero_pad:3"])
def test_inputs_and_outputs_are_files(descriptor, tmp_path):
    case, out = f"uniform:{descriptor}", tmp_path / "out.npy"
    assert ndft("export", case, tmp_path).returncode == 0
    x, wanted = (np.load(tmp_path / f"{name}.npy") for name in ("input", "reference"))
    assert (tmp_path / "case.txt").read_text() == f"{case} tol=1e-4 seed=1\n"
    assert np.allclose(wanted, numpys(descriptor, x, wanted.shape), rtol=0, atol=1e-12)
    result = ndft("run", f"{case} data=file:{tmp_path}/input.npy seed=9", "--variant",
                  "uniform_naive.cpu", "--out", out)
    assert result.returncode == 0, result.stderr
    y, single = np.load(out), descriptor[0] == "s"
    assert y.shape == wanted.shape and y.itemsize * (1 + single) == wanted.itemsize
    assert np.allclose(y, wanted, rtol=0, atol=1e-4 if single else 1e-12)


@pytest.mark.parametrize("words, reason", [
    ("uniform:scfo7 data=file:x.npy", "wanted shape (K,n3,n2,n1,M) = (1,1,1,7,1), found (2,3)"),
    ("uniform:srfo3*2 data=file:x.npy", "the type is complex128; wanted is float32, float64"),
    ("uniform:scfo3*2 data=file:x.npy", "1e+300 is beyond float; double precision holds it"),
    ("uniform:scfo3*2 data=file:gone.npy", "gone.npy"),
    ("uniform:scfo3*2 data=phantom", "data=phantom: of uniform cases it is random or file:PATH"),
])
def test_files_that_do_not_fit_are_named(words, reason, tmp_path):
    np.save(tmp_path / "x.npy", np.full((2, 3), 1e300 + 0j))
    result = ndft("check", words, *CPU, cwd=tmp_path)
    assert result.returncode in (2, 3) and reason in result.stderr, result.stderr


@pytest.mark.parametrize("verb", [("run", "--out", "x.npy"), ("profile", "--model")])
def test_a_variant_of_the_other_kind_is_not_run(verb):
    refused(ndft(*verb, "uniform:scfo16", "--variant", "naive.cpu"), 2, "naive.cpu serves nonuniform cases")


def test_records_hold_it(tmp_path):
    out = tmp_path / "out.jsonl"
    built = "|".join(name.partition(".")[0] for name in BUILT if re.match("uniform_.*cpu", name))
    result = ndft("sweep", "--case", f"({built})[.]cpu : uniform:scfo{{8,3.31*5}}", *CPU,
                  "--budget", "0.05", "-o", out)
    assert result.returncode == 0, result.stderr
    assert {r["case"] for r in cases(out)} == {f"uniform:scfo{d} tol=1e-4 seed=1" for d in ("8", "3.31*5")}
    for r in cases(out):
        assert r["verdict"] == "pass" and r["rel_l2"] <= r["claim"] and r["median_s"] > 0
        pairs = 64 if "scfo8" in r["case"] else 31 * 31 * 15
        assert r["coil_pairs_per_s"] * r["median_s"] == pytest.approx(pairs)
        assert "structure" not in r, "there are no samples that could have any"
