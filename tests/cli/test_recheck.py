# SPDX-License-Identifier: Apache-2.0
"""What the command line and its records tell of variants that are wrong in one mode alone."""

import pytest

from program import PLANTED, cases, ndft

CASE = "forward 2d n=6x5 m=20"


def sweep(out, mode, when):
    """The records of the variant that is wrong then, and of the same without a fault."""
    result = ndft("sweep", "--case", f"deadly[.]cpu death={{wrong,none}} when={when} : {CASE}", "--modes", mode,
                  "--budget", "0.02", "--min-samples", "101", "-o", out, program=PLANTED)
    return result, {record["knobs"]["death"]: record for record in cases(out)}


@pytest.mark.parametrize("mode, when", [("graph", "graph"), ("batch", "late"),
                                        ("end-to-end", "alone")])
def test_wrong_in_one_mode(tmp_path, mode, when):
    result, records = sweep(tmp_path / "out.jsonl", mode, when)
    wrong, right = records["wrong"], records["none"]
    assert result.returncode == 1, result.stderr
    assert wrong["verdict"] == "wrong" and wrong["mode"] == mode
    assert wrong["reason"].startswith(f"in mode {mode}: its error of ")
    assert wrong["rel_l2"] > wrong["claim"]
    assert wrong["median_s"] is None and wrong["samples_s"] == []
    assert right["verdict"] == "pass" and right["median_s"] > 0
    assert right["reference"] == "all" and right["reference_outputs"] == 20
    assert right["reference_note"] is None


def test_right_in_the_others(tmp_path):
    result, records = sweep(tmp_path / "out.jsonl", "warm", "graph")
    assert result.returncode == 0, result.stderr
    assert records["wrong"]["verdict"] == "pass" and records["wrong"]["median_s"] > 0
