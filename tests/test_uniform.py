# SPDX-License-Identifier: Apache-2.0
"""Uniform transforms through the program: checks, records, and what is refused."""

import json
import os
import subprocess

import pytest

PROGRAM = os.environ["NDFT_PROGRAM"]
CPU = ("--backend", "cpu")


def ndft(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("descriptor", ["scfo8.101*33", "dcbi3.12x5*2", "srfi31*4", "drbo2.16x3"])
def test_variants_that_serve_everything_pass(descriptor):
    result = ndft("check", f"uniform:{descriptor}", *CPU,
                  "--expect", "uniform_(naive|vendor)[.]cpu")
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
    line, caret = result.stderr.splitlines()[-2:]
    assert line.strip() == descriptor and caret.strip() == "^" and len(caret) <= len(line) + 1


def test_kinds_do_not_mix():
    result = ndft("check", "uniform:scfo16", "--variant", "naive.*")
    assert result.returncode == 2 and "serves uniform cases" in result.stderr
    result = ndft("check", "forward 2d n=4x4 m=9", "--variant", "uniform_naive.*")
    assert result.returncode == 2 and "serves nonuniform cases" in result.stderr
    result = ndft("check", "uniform:scfo16", *CPU, "--variant", ".*")
    ids = [line.split(".")[0] for line in result.stdout.splitlines()[2:]]
    assert result.returncode == 0 and ids and all(name.startswith("uniform_") for name in ids)


def test_a_line_for_the_other_kind_is_not_dropped(tmp_path):
    suite = tmp_path / "suite.ndft"
    suite.write_text("naive.* : uniform:scfo16\ntiled[.]cpu : forward 1d n=8 m=9\n")
    result = ndft("sweep", suite, "--plan")
    assert result.returncode == 2 and "suite.ndft:1: no variant of 'naive.*'" in result.stderr


@pytest.mark.parametrize("arguments", [
    ("run", "uniform:scfo16", "--variant", "uniform_naive.cpu", "--out", "x.npy"),
    ("export", "uniform:scfo16", "x"), ("best", "uniform:scfo16"),
    ("check", "uniform:scfo16", "--variant", "best"),
])
def test_what_is_for_nonuniform_cases_says_so(arguments, tmp_path):
    result = subprocess.run([os.path.abspath(PROGRAM), *arguments], capture_output=True, text=True,
                            cwd=tmp_path, timeout=60)
    assert result.returncode == 2 and "nonuniform cases only" in result.stderr, result.stderr


def test_records_hold_it(tmp_path):
    out = tmp_path / "out.jsonl"
    result = ndft("sweep", "--case", "uniform_.* : uniform:scfo{8,3.31*5}", *CPU,
                  "--budget", "0.05", "-o", str(out))
    assert result.returncode == 0, result.stderr
    records = [r for r in map(json.loads, out.read_text().splitlines()) if r["type"] == "case"]
    assert {r["case"] for r in records} == {f"uniform:scfo{d} tol=1e-4 seed=1"
                                            for d in ("8", "3.31*5")}
    for r in records:
        assert r["verdict"] == "pass" and r["rel_l2"] <= r["claim"] and r["median_s"] > 0
        pairs = 64 if "scfo8" in r["case"] else 31 * 31 * 15
        assert r["coil_pairs_per_s"] * r["median_s"] == pytest.approx(pairs)
        assert "structure" not in r, "there are no samples that could have any"
