# SPDX-License-Identifier: Apache-2.0
"""ndft peak measures ceilings, keeps them, and sweeps and tables use what is kept."""

import json
import re

import pytest

from program import lines, ndft as call, records

CASE = "forward 2d n=16x16 m=256 field=random:50Hz t=5ms"
QUICK = ["--backend", "cpu", "--variant", "tiled[.]cpu", "--budget", "0.01"]


def ndft(cache, *arguments, code=0):
    result = call(*arguments, NDFT_CACHE=str(cache))
    assert result.returncode == code, result.stderr
    return result


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A cache that one run has filled, and that run's records."""
    cache = tmp_path_factory.mktemp("cache")
    return cache, lines(ndft(cache, "peak", "--backend", "cpu", "--json").stdout)


def edited(cache, tmp_path, edit):
    """A copy of the cache with every ceiling changed."""
    for path in cache.glob("ceilings-*.json"):
        kept = json.loads(path.read_text())
        for ceiling in kept["ceilings"]:
            edit(ceiling)
        (tmp_path / path.name).write_text(json.dumps(kept))
    return tmp_path


def test_every_ceiling_of_the_processor_is_measured(measured):
    values = {peak["resource"]: peak["value"] for peak in measured[1]}
    assert set(values) == {"fma", "fma_f64", "add", "add_f64", "fma_add_mix", "fma_add_mix_f64",
                           "issue_slots", "issue_slots_f64",
                           "l2_bytes", "dram_bytes"}
    assert all(value > 0 for value in values.values())
    assert all(peak["type"] == "peak" and peak["backend"] == "cpu" for peak in measured[1])


def test_what_is_kept_is_not_measured_again(measured, tmp_path):
    def double(ceiling):
        if ceiling["value"] is not None:  # of links there is none
            ceiling["value"] *= 2

    cache = edited(measured[0], tmp_path, double)
    again = lines(ndft(cache, "peak", "--backend", "cpu", "--json").stdout)
    assert [peak["value"] for peak in again] == [2 * peak["value"] for peak in measured[1]]


def test_a_file_gets_a_run_of_its_own(measured, tmp_path):
    out = tmp_path / "peak.jsonl"
    for _ in range(2):
        table = ndft(measured[0], "peak", "--backend", "cpu", "-o", out).stdout
    assert re.search(r"^link +- .*devices of a processor share its memory", table, re.MULTILINE)
    assert "issue_slots_f64" in table and "multiply-adds and additions" in table
    found = records(out)
    n = len(measured[1])
    assert [line["type"] for line in found] == 2 * (["run"] + n * ["peak"] + ["end"])
    assert found[1]["run"] == found[0]["run"]
    assert found[0]["devices"]["cpu"]["slug"]


def test_a_file_that_cannot_be_is_refused_before_anything_is_measured(measured, tmp_path):
    refused = ndft(measured[0], "peak", "--backend", "cpu", "--fresh", "-o", tmp_path, code=3)
    assert "Is a directory" in refused.stderr and "ETA" not in refused.stderr and refused.stdout == ""


def test_a_sweep_copies_ceilings_and_says_what_bounds_a_result(measured, tmp_path):
    def only_launch(ceiling):
        if ceiling["resource"] == "fma":
            ceiling.update(resource="launch", value=1e3)
        elif ceiling["resource"] != "add":
            ceiling["value"] = None

    out = tmp_path / "out.jsonl"
    cache = edited(measured[0], tmp_path, only_launch)
    ndft(cache, "sweep", "--case", f"tiled[.]cpu : {CASE}", "--budget", "0.01", "-o", out)
    run, launch, add, case, _ = records(out)
    assert (launch["resource"], add["resource"]) == ("launch", "add")
    assert launch["run"] == case["run"] == run["run"]
    assert case["bounds_s"] == {"launches": pytest.approx(1e-3 * case["cost"]["launches"]),
                                "add": pytest.approx(case["cost"]["add"] / add["value"])}
    assert case["bound"] == "launches"
    assert case["bound_fraction"] == pytest.approx(1e-3 / case["median_s"])


def test_bench_shows_the_share_of_the_bound(measured):
    result = ndft(measured[0], "bench", CASE, *QUICK)
    row = next(line for line in result.stdout.splitlines() if line.startswith("tiled.cpu"))
    assert re.search(r"  (fma|issue_slots) \d+ %", row)
    assert "ceilings" not in result.stderr


def test_without_ceilings_there_is_a_note_and_no_bound(tmp_path):
    result = ndft(tmp_path, "bench", CASE, "--json", *QUICK)
    assert result.stderr.count("no ceilings are known") == 1
    assert "ndft peak" in result.stderr
    record = json.loads(result.stdout)
    assert record["bounds_s"] is record["bound"] is record["bound_fraction"] is None


def test_a_backend_that_is_none_is_refused(tmp_path):
    assert "nearest: cpu" in ndft(tmp_path, "peak", "--backend", "cpx", code=2).stderr
