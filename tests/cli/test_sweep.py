# SPDX-License-Identifier: Apache-2.0
"""Sweeps: what is recorded, resumed and refused."""

import json
import os
import re
import time

import pytest

from program import ROOT, cases, listed, ndft, records, refused
from test_cli import CASE

SUITE = "set t=5ms\nnaive[.]cpu : {forward,adjoint} 2d n={4x4,6x5} m=20 field=random:50Hz\n"


def test_sweep_records_and_resumes(tmp_path):
    suite, out = tmp_path / "small.ndft", tmp_path / "new" / "out.jsonl"
    suite.write_text(SUITE)
    plan = ndft("sweep", suite, "--plan")
    assert "4 results in 4 groups" in plan.stdout and not list(tmp_path.glob("**/*.jsonl"))
    result = ndft("sweep", suite, "-o", out, "--budget", "0.01")
    assert result.returncode == 0, result.stderr
    assert "[4/4] ETA" in result.stderr and "naive.cpu" in result.stdout
    first = records(out)
    assert [r["type"] for r in first] == ["run"] + ["case"] * 4 + ["end"]
    assert first[0]["suite"] == "small" and first[0]["plan_cases"] == 4
    assert first[-1]["pass"] == 4 and first[-1]["interrupted"] is False
    assert len({r["key"] for r in first[1:-1]}) == 4

    kept = out.read_text().splitlines()[:3]
    out.write_text("\n".join(kept) + '\n{"type":"case","key":"torn')
    result = ndft("sweep", suite, "-o", out, "--resume", "--budget", "0.01")
    assert result.returncode == 0 and "[2/2] ETA" in result.stderr, result.stderr
    lines = out.read_text().splitlines()
    assert lines[:3] == kept
    again = [json.loads(line) for line in lines[4:]]
    assert [r["type"] for r in again] == ["run", "case", "case", "end"]
    done = {json.loads(line)["key"] for line in kept[1:]} | {r["key"] for r in again[1:-1]}
    assert done == {r["key"] for r in first[1:-1]}


def test_nothing_is_run_twice(tmp_path):
    line = "naive[.]cpu : forward 2d n=4x4 m={4,4} tol={1e-9,1e-4} traj={random,random:1}"
    assert "2 results in 2 groups" in ndft("sweep", "--case", line, "--plan").stdout
    out = tmp_path / "out.jsonl"
    for more in [], ["--resume"]:
        assert ndft("sweep", "--case", line, "-o", out, "--budget", "0.01", *more).returncode == 0
    verdicts = [r["verdict"] for r in cases(out)]
    assert verdicts == ["unsupported", "pass"], "what is unsupported stays so"


def test_records_hold_no_absolute_path(tmp_path):
    (tmp_path / "small.ndft").write_text(SUITE)
    out = tmp_path / "out.jsonl"
    ndft("sweep", tmp_path / "small.ndft", "-o", out, "--budget", "0.01", cwd=tmp_path)
    assert str(tmp_path) not in out.read_text() and os.uname().nodename not in out.read_text()
    assert records(out)[0]["argv"][1:] == ["sweep", "small.ndft", "-o", "out.jsonl", "--budget",
                                           "0.01"]


def test_sweep_names_its_file_after_device_and_suite(tmp_path):
    result = ndft("sweep", "--case", f"naive[.]cpu : {CASE}", "--budget", "0.01", cwd=tmp_path,
                  OMP_WAIT_POLICY="active")
    (path,) = tmp_path.glob("results/*/case-*.jsonl")
    assert result.returncode == 0 and str(path.relative_to(tmp_path)) in result.stdout
    assert path.parent.name == records(path)[0]["devices"]["cpu"]["slug"]
    assert records(path)[0]["devices"]["cpu"]["wait_policy"] == "active"


def test_sweep_fails_before_it_runs(tmp_path):
    (tmp_path / "small.ndft").write_text(SUITE)
    (tmp_path / "taken").write_text("")
    start = time.time()
    result = ndft("sweep", tmp_path / "small.ndft", "-o", tmp_path / "taken" / "out.jsonl")
    refused(result, 3, "taken")
    assert "ETA" not in result.stderr and time.time() - start < 5
    refused(ndft("sweep", tmp_path / "nosuch.ndft"), 3, "nosuch.ndft")
    for variants, word in (("naive[.]cpu tyle=3", "tyle"), ("nosuch.*", "nosuch"), ("naive[", "[")):
        (tmp_path / "bad.ndft").write_text(f"{SUITE}{variants} : forward 2d n=4x4 m=3\n")
        refused(ndft("sweep", tmp_path / "bad.ndft"), 2, "bad.ndft:3", word)


def test_a_case_that_cannot_be_made_is_passed_over(tmp_path):
    out = tmp_path / "out.jsonl"
    result = ndft("sweep", "--case", "naive[.]cpu : forward 2d n=64x64 m=64 traj={spiral,radial} "
                  "t=1us", "-o", out, "--budget", "0.01")
    refused(result, 2, "traj=spiral", "1 of 2 groups")
    assert [r["type"] for r in records(out)] == ["run", "case", "end"]


def test_a_file_that_is_not_there_costs_its_case_alone(tmp_path):
    out = tmp_path / "out.jsonl"
    result = ndft("sweep", "--case", "naive[.]cpu : forward 2d n=4x4 m=20 traj={file:gone.npy,radial:2}",
                  "-o", out, "--budget", "0.01", cwd=tmp_path)
    refused(result, 3, "gone.npy: No such file", "1 of 2 groups")
    assert [r["type"] for r in records(out)] == ["run", "case", "end"]


@pytest.mark.parametrize("suite, most", [("published", 100), ("rivals", None)])
def test_a_suite_says_how_many_results_it_has(suite, most):
    """Its comment, which says how long it takes by that; of a backend that is built, whose knobs are known."""
    text = (ROOT / f"configs/{suite}.ndft").read_text()
    said = re.search(r"(\d+) results (?:in \d+ groups )?on a\s+#?\s*GPU.*?(\d+)(?: in \d+)? on a\s+#?\s*processor", text, re.DOTALL)
    counts = dict(zip(("cuda", "cpu"), map(int, said.groups()), strict=True))
    built = {v["backend"] for v in listed() if v["built"] and not v["peer"]}
    for backend in built & set(counts):
        plan = ndft("sweep", "--plan", ROOT / f"configs/{suite}.ndft", "--backend", backend).stdout.splitlines()[-1]
        assert int(plan.split()[0]) == counts[backend], plan
    assert "cpu" in built and (most is None or sum(counts.values()) <= most)
