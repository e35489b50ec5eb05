# SPDX-License-Identifier: Apache-2.0
"""Sweeps that go on in a file that is there, or are shared among several machines."""

import json
import re

import pytest

from program import PLANTED, cases, ndft, records
from analysis.records.results_validate import validate

LINE = "naive[.]cpu : forward 2d n=6x5 m={20,21,22}"


def sweep(out, line, *options, **more):
    return ndft("sweep", "--case", line, "-o", out, "--budget", "0.01", *options, **more)


def edited(out, kind, edit):
    """Rewrites a finished file without its last record, every line of a kind changed by edit."""
    kept = records(out)
    kept.remove(cases(out)[-1])
    for line in kept:
        if line["type"] == kind:
            edit(line)
    out.write_text("".join(json.dumps(line) + "\n" for line in kept))


def another_build(case):
    case["build_id"] = "0123456789abcdef"


def another_clock(run):
    run["schema"] = "ndft-results/1"
    del run["timing_version"]


@pytest.mark.parametrize("kind, edit, word", [
    ("case", another_build, "another build of naive.cpu ('0123456789abcdef'"),
    ("run", lambda run: run["devices"]["cpu"].update(slug="abacus-2c"), "another device ('abacus-2c', now '"),
    ("run", lambda run: run["devices"]["cpu"].update(driver="beads 3.1"), "another driver ('beads 3.1'"),
    ("run", lambda run: run["devices"]["cpu"].update(wait_policy="asleep"), "another OMP_WAIT_POLICY ('asleep'"),
    ("run", another_clock, "another timing version ('1', now '"),
    ("run", lambda run: run["build"].update(cc="abc 1.0"), "another compiler ('abc 1.0', now '"),
    ("run", lambda run: run["libraries"].update(libc="1.0", jansson="0.1"), "another libc ('1.0', now '"),
])
def test_records_of_another_kind_are_not_added_to(tmp_path, kind, edit, word):
    out = tmp_path / "out.jsonl"
    assert sweep(out, LINE).returncode == 0
    edited(out, kind, edit)
    before = out.read_text()
    result = sweep(out, LINE, "--resume")
    assert result.returncode == 2 and out.read_text() == before
    for said in (word, "out.jsonl", "begin a new file", "--resume-anyway"):
        assert said in result.stderr, result.stderr
    assert sweep(out, LINE, "--resume-anyway").returncode == 0
    assert len(cases(out)) > 2 and out.read_text().startswith(before)
    assert sweep(out, LINE, "--resume").returncode == 0, "the newest records are what counts"


def test_what_else_differs_does_not_matter(tmp_path):
    out = tmp_path / "out.jsonl"
    assert sweep(out, LINE).returncode == 0
    other = "tiled[.]cpu tile=64 : forward 2d n=6x5 m=20"
    assert sweep(out, other, "--resume", "--deadline", "60", "--min-samples", "5").returncode == 0
    edited(out, "case", lambda case: case["variant"].startswith("tiled") and another_build(case))
    assert sweep(out, LINE, "--resume").returncode == 0, "a variant that is not asked for"


def test_retry_runs_again_what_was_lost(tmp_path):
    out = tmp_path / "out.jsonl"
    line = "deadly[.]cpu death={abort,none} when=forward : forward 2d n=6x5 m=20"
    assert sweep(out, line, program=PLANTED).returncode == 1
    again = sweep(out, line, "--resume", program=PLANTED)
    assert again.returncode == 1 and "--retry" in again.stderr, "the file says so, not the last run"
    assert sweep(out, line.replace("abort,", ""), "--resume", program=PLANTED).returncode == 0
    assert [r["verdict"] for r in cases(out)] == ["crashed", "pass"]
    assert sweep(out, line, "--retry", program=PLANTED).returncode == 1
    assert [r["verdict"] for r in cases(out)] == ["crashed", "pass", "crashed"]
    assert cases(out)[0]["key"] == cases(out)[2]["key"]
    assert validate(out)[0] == []
    assert ndft("sweep", "--case", LINE, "--retry").returncode == 2, "of which file?"


SHARED = ".*[.]cpu : {forward,adjoint} 2d n={6x5,7x5,8x5,9x5} m={20,21,22,23}"


@pytest.mark.parametrize("count", [2, 3, 8])
def test_shards_are_disjoint_and_together_the_whole(count):
    plan = ndft("sweep", "--case", SHARED, "--plan").stdout
    whole = int(re.search(r"^(\d+) results in 32 groups$", plan, re.MULTILINE)[1])
    sizes = []
    for i in range(1, count + 1):
        plan = ndft("sweep", "--case", SHARED, "--plan", "--shard", f"{i}/{count}").stdout
        sizes.append(int(re.search(rf"^(\d+) results in \d+ groups, shard {i} of {count}$", plan,
                                   re.MULTILINE)[1]))
    assert sum(sizes) == whole >= 160 and min(sizes) > 0


def test_a_case_is_whole_in_one_shard():
    """What is compared stands in the same rounds."""
    plans = [ndft("sweep", "--case", SHARED, "--plan", "--shard", f"{i}/3").stdout for i in (1, 2, 3)]
    found = [case for plan in plans for case in re.findall(r"^(?:forward|adjoint) .*$", plan, re.MULTILINE)]
    assert len(found) == len(set(found)) == 32


def test_a_shard_is_the_same_in_any_order(tmp_path):
    def shard(line):
        out = tmp_path / "out.jsonl"
        assert sweep(out, line, "--shard", "2/3", "--force").returncode == 0
        assert records(out)[0]["plan_cases"] == len(cases(out)) > 0
        return {record["key"] for record in cases(out)}
    assert shard(SHARED) == shard(SHARED.replace("20,21", "21,20").replace("forward,adjoint",
                                                                           "adjoint,forward"))


def test_a_shard_names_its_file(tmp_path):
    for i in 1, 2, 3, 4:
        result = ndft("sweep", "--case", "naive[.]cpu : forward 2d n=4x4 m=3", "--shard", f"{i}/4",
                      "--budget", "0.01", cwd=tmp_path)
        assert result.returncode == 0, "a shard may be empty"
    files = sorted(tmp_path.glob("results/*/case-*.jsonl"), key=lambda file: file.name[-19:])
    assert len({file.parent for file in files}) == 1
    assert [file.name[-19:] for file in files] == [f"-shard-{i}-of-4.jsonl" for i in range(1, 5)]
    assert sum(len(cases(file)) for file in files) == 1


@pytest.mark.parametrize("text", ["0/4", "5/4", "4", "1/0", "-1/2", "1/2x", "a/b"])
def test_impossible_shards_are_named(text):
    result = ndft("sweep", "--case", LINE, "--plan", "--shard", text)
    assert result.returncode == 2 and f"'{text}'" in result.stderr and "1/4" in result.stderr


def test_a_shard_of_too_many_is_none(tmp_path):
    result = sweep(tmp_path / "out.jsonl", LINE, "--shard", "1/99999999999")
    assert result.returncode == 2 and "nearest: 1/100000" in result.stderr
    assert not list(tmp_path.iterdir())
