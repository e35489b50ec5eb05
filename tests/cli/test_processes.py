# SPDX-License-Identifier: Apache-2.0
"""--processes: one record of several processes, whatever becomes of one of them."""

import signal
import time

import pytest

import program
from program import PLANTED, surroundings

CASE = "forward 2d n=6x5 m=20"
QUICK = ["--budget", "0.01", "--processes", "3"]


def ndft(tmp_path, *arguments):
    return program.ndft(*arguments, program=PLANTED, NDFT_PLANTED_FIRST=str(tmp_path / "first"))


def cases(path):
    return {record["variant"]: record for record in program.cases(path)}


def sweep(tmp_path, *lines, options=QUICK):
    suite, out = tmp_path / "suite.ndft", tmp_path / "out.jsonl"
    suite.write_text("\n".join(lines) + "\n")
    result = ndft(tmp_path, "sweep", suite, "-o", out, *options)
    return result, cases(out)


def test_one_record_holds_what_three_processes_took(tmp_path):
    result, records = sweep(tmp_path, f"planted[.]cpu fault=none : {CASE}",
                            f"deadly[.]cpu death=none when=forward : {CASE}")
    assert result.returncode == 0, result.stderr
    assert len(records) == 2
    for record in records.values():
        parts = record["by_process"]
        assert record["processes"] == len(parts) == 3 and record["samples_s"] == []
        assert all(part["verdict"] == "pass" and len(part["samples_s"]) >= 3 for part in parts)
        if not record["two_modes"]:
            mean = sum(part["median_s"] for part in parts) / 3
            assert record["median_s"] == pytest.approx(mean)
        assert record["ci_lo_s"] < record["median_s"] < record["ci_hi_s"]


def test_one_process_is_as_it_was(tmp_path):
    _, records = sweep(tmp_path, f"planted[.]cpu fault=none : {CASE}", options=["--budget", "0.01"])
    (record,) = records.values()
    assert record["processes"] == 1 and "by_process" not in record and record["samples_s"]


def test_who_dies_in_the_second_loses_neither_its_first_nor_the_others(tmp_path):
    result, records = sweep(tmp_path, f"planted[.]cpu fault=none : {CASE}",
                            f"deadly[.]cpu death=abort when=second : {CASE}")
    assert result.returncode == 1
    lost, good = (records[name] for name in ("deadly.cpu:death=abort,when=second",
                                             "planted.cpu:fault=none"))
    assert lost["verdict"] == "crashed" and lost["median_s"] is None
    assert lost["reason"].startswith("in process 2 of 3: signal 6")
    assert [part["verdict"] for part in lost["by_process"]] == ["pass", "crashed"]
    assert lost["by_process"][0]["samples_s"] and lost["phase"] == "forward"
    assert good["verdict"] == "pass" and len(good["by_process"]) == 3


def test_what_does_not_fit_is_asked_once(tmp_path):
    _, records = sweep(tmp_path, f"deadly[.]cpu death=abort when=forward : {CASE}")
    (record,) = records.values()
    assert record["verdict"] == "crashed" and "in process" not in record["reason"]
    assert "by_process" not in record and record["processes"] == 3


def test_a_record_of_one_process_is_no_record_of_three(tmp_path):
    line = f"planted[.]cpu fault=none : {CASE}"
    sweep(tmp_path, line, options=["--budget", "0.01"])
    _, records = sweep(tmp_path, line, options=[*QUICK, "--resume"])
    assert [record["processes"] for record in records.values()] == [3]
    out = tmp_path / "out.jsonl"
    assert len({record["key"] for record in program.cases(out)}) == 2
    sweep(tmp_path, line, options=[*QUICK, "--resume"])
    assert len(program.cases(out)) == 2, "what is there is not measured again"


def test_an_interruption_keeps_what_was_measured_and_is_resumed(tmp_path):
    suite, out = tmp_path / "suite.ndft", tmp_path / "out.jsonl"
    suite.write_text(f"planted[.]cpu fault=none : {CASE}\n")
    process = program.begun("sweep", suite, "-o", out, "--budget", "1", "--min-samples", "200", "--processes", "50",
                            program=PLANTED, env=surroundings(NDFT_PLANTED_FIRST=str(tmp_path / "first")))
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 4
    (record,) = cases(out).values()
    assert record["stop"] == "interrupted" and 0 < len(record["by_process"]) < 50
    result = ndft(tmp_path, "sweep", suite, "-o", out, "--resume", "--processes", "50", "--budget",
                  "0.001")
    assert result.returncode == 0, result.stderr
    (record,) = cases(out).values()
    assert record["stop"] != "interrupted" and len(record["by_process"]) == 50


@pytest.mark.parametrize("verb", ["bench", "sweep"])
@pytest.mark.parametrize("arguments, said", [
    (["--processes", "0"], "--processes needs a positive whole number"),
    (["--processes", "101"], "nearest: 100"),
    (["--processes", "2", "--in-process"], "--in-process runs all in this process")])
def test_numbers_that_cannot_be_had_are_refused(tmp_path, verb, arguments, said):
    what = [CASE] if verb == "bench" else ["--case", f"planted.cpu : {CASE}", "-o",
                                           tmp_path / "x.jsonl"]
    result = ndft(tmp_path, verb, *what, *arguments)
    assert result.returncode == 2 and said in result.stderr, result.stderr
