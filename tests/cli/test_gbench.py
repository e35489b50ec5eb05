# SPDX-License-Identifier: Apache-2.0
"""ndft-gbench, the front end of Google Benchmark: names, counters, skips and exit codes."""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from program import listed, ndft, surroundings

GBENCH = os.environ.get("NDFT_GBENCH")
pytestmark = pytest.mark.skipif(not GBENCH, reason="ndft-gbench was not built: no Google Benchmark")
# compare.py of Debian's libbenchmark-tools, or another one.
COMPARE = Path(os.environ.get("NDFT_COMPARE_PY", "/usr/share/benchmark/compare.py"))
LINE = "(naive|tiled)[.]cpu : forward 2d n={4x4,6x5} m=20 coils=3"
PAIRS = {"n=4x4": 4 * 4 * 20 * 3, "n=6x5": 6 * 5 * 20 * 3}


def run(*arguments):
    return subprocess.run([GBENCH, "--benchmark_min_time=0.002", *map(str, arguments)],
                          capture_output=True, text=True, timeout=120, env=surroundings(OMP_NUM_THREADS="1"))


def strict(text):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")
    return json.loads(text, parse_constant=refuse)


def planned(line):
    """The names that the sweep's plan leads us to expect."""
    case, names = None, []
    for text in ndft("sweep", "--plan", "--case", line).stdout.splitlines()[:-1]:
        if text.startswith(" "):
            names.append(f"{text.split()[0]} {case}/manual_time")
        else:
            case = text
    return names


def test_names_and_counters(tmp_path):
    (tmp_path / "small.ndft").write_text(LINE + "\n")
    start = time.time()
    result = run(tmp_path / "small.ndft", "--benchmark_format=json", "--benchmark_min_time=0.05")
    elapsed = time.time() - start
    assert result.returncode == 0, result.stderr
    output = strict(result.stdout)
    assert output["context"]["commit"] and output["context"]["device_cpu"]
    assert [b["name"] for b in output["benchmarks"]] == planned(LINE) and len(planned(LINE)) == 4
    for b in output["benchmarks"]:
        seconds = b["real_time"] * {"ns": 1e-9, "us": 1e-6}[b["time_unit"]]
        pairs = PAIRS[re.search(r"n=\dx\d", b["name"]).group()]
        assert b["coil_pairs_per_s"] == pytest.approx(pairs / seconds, rel=1e-3)
        assert 0 < b["rel_l2"] <= b["claim"] < 1e-4
        assert b["iterations"] * seconds >= 0.05 and b["real_time"] > 0.9 * b["cpu_time"]
        elapsed -= b["iterations"] * seconds
    assert elapsed > 0


def test_repetitions_have_names_that_compare(tmp_path):
    out = tmp_path / "out.json"
    result = run("--case", LINE, "--benchmark_filter=naive.*n=4x4", "--benchmark_repetitions=3",
                 f"--benchmark_out={out}")
    assert result.returncode == 0, result.stderr
    runs = [b for b in strict(out.read_text())["benchmarks"] if b["run_type"] == "iteration"]
    assert len(runs) == 3 and {b["run_name"] for b in runs} == {planned(LINE)[0]}


def test_list():
    result = run("--case", LINE, "--benchmark_list_tests=true")
    assert result.returncode == 0 and result.stdout.splitlines() == planned(LINE)


def test_without_a_suite_every_variant_has_benchmarks():
    result = run("--benchmark_list_tests=true")
    names = [name.split(":")[0].split()[0] for name in result.stdout.splitlines()]
    assert result.returncode == 0
    assert set(names) == {f"{v['name']}.{v['backend']}" for v in listed() if not v["by_name_only"]}


def test_without_a_suite_a_filter_is_enough(tmp_path):
    out = tmp_path / "x.json"
    result = run("--benchmark_filter=tiled.*n=32x32", f"--benchmark_out={out}")
    assert result.returncode == 0, result.stderr
    rates = [b.get("coil_pairs_per_s", 0) for b in strict(out.read_text())["benchmarks"]]
    assert len(rates) == 4 and sum(rate > 0 for rate in rates) >= 2  # forward, adjoint; cpu, cuda


@pytest.mark.skipif(not COMPARE.exists(),
                    reason=f"no {COMPARE}: apt-get install libbenchmark-tools")
def test_compare_py_reads_it(tmp_path):
    for name in "ab":
        assert run("--case", LINE, f"--benchmark_out={tmp_path / name}",
                   "--benchmark_repetitions=2").returncode == 0
    result = subprocess.run(["/usr/bin/python3", COMPARE, "--no-color", "benchmarks",
                             tmp_path / "a", tmp_path / "b"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    for name in planned(LINE):
        assert len(re.findall(f"^{re.escape(name)} +[+-]", result.stdout, re.MULTILINE)) == 2
    assert "OVERALL_GEOMEAN" in result.stdout


def test_what_does_not_pass_is_skipped():
    line = "naive[.]cpu : forward 2d n=4x4 m=20 tol={1e-4,1e-12}"
    result = run("--case", line, "--benchmark_format=json")
    assert result.returncode == 0, result.stderr
    passed, unsupported = strict(result.stdout)["benchmarks"]
    assert "error_occurred" not in passed and unsupported["error_occurred"] is True
    assert re.match(r"SKIP: unsupported its claim of .* is above tol=1e-12$", unsupported["error_message"])
    assert "coil_pairs_per_s" not in unsupported


def test_a_case_that_cannot_be_made_fails():
    line = "naive[.]cpu : forward 2d n=64x64 m=64 traj={spiral,radial} t=1us"
    result = run("--case", line, "--benchmark_format=json")
    assert result.returncode == 1, result.stderr
    spiral, radial = strict(result.stdout)["benchmarks"]
    assert spiral["error_message"].startswith("SKIP: error ") and "rel_l2" in radial


@pytest.mark.parametrize("arguments", [
    ["--case", LINE, "--benchmark_filter=nosuch"], ["--case", LINE, "--benchmark_filter=("],
    ["--case", LINE, "--benchmrk_filter=naive"], ["--case"], ["a", "b"],
    ["--benchmark_filter=nosuch"],
    ["--case", "nosuch.* : forward 2d n=4x4 m=20"], ["--case", "forward 2d n=0x4 m=20"],
])
def test_what_matches_nothing_is_an_error(arguments):
    result = run(*arguments)
    assert result.returncode == 2 and result.stderr and not result.stdout
