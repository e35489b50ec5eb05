# SPDX-License-Identifier: Apache-2.0
"""sweep --shard auto: a process for each device at once, one file of all that they found."""

import os
import signal
import subprocess
import time

import pytest

from analysis.records import results_validate
from program import PROGRAM, lines, ndft, refused

SUITE = "(tiled|naive|fast_math)[.]cpu : {forward,adjoint} 2d n={24x24,32x32,40x40} m={900,1000}\n"


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "s.ndft").write_text(SUITE)
    return tmp_path / "s.ndft"


def cases(path):
    return [line for line in lines(path.read_text()) if line["type"] == "case"]


def test_all_of_it_is_in_one_file(suite, tmp_path):
    out = tmp_path / "all.jsonl"
    result = ndft("sweep", suite, "--shard", "auto:2", "--backend", "cpu", "--budget", "0.01", "-o", out)
    assert result.returncode == 0 and result.stdout == f"2 workers, records in {out}\n", result.stderr
    assert len({record["key"] for record in cases(out)}) == len(cases(out)) == 36
    assert {record["verdict"] for record in cases(out)} == {"pass"}
    assert sum(line["type"] == "run" for line in lines(out.read_text())) == 2
    assert results_validate.validate(out) == ([], [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.jsonl", "s.ndft"]
    again = ndft("sweep", suite, "--shard", "auto:2", "--backend", "cpu", "-o", out)
    refused(again, 2, "all.jsonl holds records already")


def test_one_that_dies_leaves_the_others_and_its_own(suite, tmp_path):
    out = tmp_path / "all.jsonl"
    command = [PROGRAM, "sweep", suite, "--shard", "auto:2", "--backend", "cpu", "--budget", "0.1", "-o", out]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as parent:
        shard = tmp_path / "all-shard-2-of-2.jsonl"
        while not (shard.exists() and cases(shard)):
            time.sleep(0.02)
        workers = subprocess.run(["pgrep", "-P", str(parent.pid), "-f", "shard 2/2"], capture_output=True, text=True)
        os.kill(int(workers.stdout.split()[0]), signal.SIGKILL)
        _, said = parent.communicate(timeout=60)
    assert parent.returncode == 1 and "worker 2 of 2 ended with signal 9" in said
    runs = [line["run"] for line in lines(out.read_text()) if line["type"] == "run"]
    ended = [line["run"] for line in lines(out.read_text()) if line["type"] == "end"]
    assert len(runs) == 2 and ended == runs[:1] and {record["run"] for record in cases(out)} == set(runs)


@pytest.mark.parametrize("options,words", [
    (("--shard", "auto", "-o", "x.jsonl"), ["--shard auto is of GPUs", "nearest: --shard auto:2"]),
    (("--shard", "auto:0", "-o", "x.jsonl"), ["1 to 64 workers of cpu, nearest: auto:1"]),
    (("--shard", "auto:99", "-o", "x.jsonl"), ["nearest: auto:64"]),
    (("--shard", "autos", "-o", "x.jsonl"), ["'autos'; I/N, auto or auto:N"]),
    (("--shard", "auto:2"), ["--shard auto needs -o FILE"]),
    (("--shard", "auto:2", "-o", "x.jsonl", "--processes", "2"), ["goes without --resume, --processes"])])
def test_what_is_refused(suite, options, words):
    refused(ndft("sweep", suite, "--backend", "cpu", *options), 2, *words)


def test_groups_have_several_devices(tmp_path):
    refused(ndft("sweep", "--case", ".*[.]cpu gpus=2 : forward 2d n=8x8 m=90", "--shard", "auto:2", "-o", tmp_path / "x.jsonl"),
            2, "gpus= has several")
