# SPDX-License-Identifier: Apache-2.0
"""Steady timings as their users ask for them."""

import json
import os
import re

import pytest

from program import ndft, refused

CASE = "forward 2d n=6x5 m=20"


def bench(*arguments, **environment):
    return ndft("bench", CASE, "--variant", "naive[.]cpu", "--budget", "0.01", *arguments, **environment)


def record_of(*arguments, **environment):
    return json.loads(bench("--json", *arguments, **environment).stdout)


def test_a_burst_is_the_default():
    for arguments in ([], ["--min-time", "0"]):
        burst = record_of(*arguments)
        assert (burst["regime"], burst["blocks"], burst["warm_up_s"]) == ("burst", None, None)


def test_a_steady_timing_takes_its_time():
    # A machine three times as fast as it was while warming up fills the room for samples first.
    several = (record_of("--min-time", "0.1") for _ in range(3))
    steady = next((record for record in several if record["stop"] != "samples"), None)
    assert steady, "three times more samples than there is room for"
    assert (steady["regime"], steady["stop"], steady["order"]) == ("steady", "time", "abba")
    assert min(steady["blocks"]) > 0 and sum(steady["blocks"]) == len(steady["samples_s"])
    assert sum(steady["samples_s"]) * steady["repetitions"] >= 0.1
    assert 0.5 <= steady["warm_up_s"] < 10 and steady["working_set_bytes"] > 0
    assert record_of("--min-time", "0.1", "--modes", "warm")["regime"] == "burst"


@pytest.mark.parametrize("verb", ["bench", "sweep", "tune"])
def test_no_time_is_less_than_none(verb):
    refused(ndft(verb, CASE, "--min-time", "-1"), 2, "--min-time needs a positive number or 0, not '-1'")


def test_a_record_is_repeated_as_it_was_taken(tmp_path):
    steady = bench("--json", "--min-time", "0.1").stdout
    (tmp_path / "a.jsonl").write_text(steady)
    again = ndft("repro", json.loads(steady)["key"], tmp_path / "a.jsonl")
    assert re.search(r"naive[.]cpu +pass .* (steady|two modes) ", again.stdout), again.stdout + again.stderr
    assert re.search(r"naive[.]cpu +pass .* (burst|two modes) ", bench().stdout)


def test_threads_are_pinned_unless_the_user_says():
    cores = len(os.sched_getaffinity(0))
    assert record_of(OMP_NUM_THREADS=str(cores))["pinned"] is (cores > 1)
    assert record_of(OMP_NUM_THREADS=str(cores + 1))["pinned"] is False
    assert record_of(OMP_PROC_BIND="false")["pinned"] is False
    assert record_of(OMP_PROC_BIND="true")["pinned"] is True
