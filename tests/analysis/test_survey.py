# SPDX-License-Identifier: Apache-2.0
"""survey: where a machine stands, by a faked program with planted times; its end in time; and, by the true one,
that what it finds is what `best` takes."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from program import PROGRAM, ROOT, ndft
from synthetic import case_line, case_text, run2_line, write

from analysis.survey import measure
from analysis.__main__ import main

FAKE = ROOT / "tests" / "support" / "fake_survey.py"
QUICK, LONG, OTHER = (case_text(nx=nx) for nx in (64, 256, 128))
TILED, NAIVE = "tiled.cpu:tile=256", "naive.cpu"
NO_CUDA = {"state": "absent", "found": "no NVIDIA driver is loaded; 33 of 33 variants built"}


def timed(case, variant, seconds, **fields):
    n = int(dict(w.split("=") for w in case.split()[2:])["m"])
    return case_line(variant, float(n) ** 2 / seconds, .001, case=case, regime="steady", **fields)


THERE = [timed(LONG, TILED, 4.0), timed(LONG, NAIVE, 8.0), timed(QUICK, TILED, .010), timed(QUICK, NAIVE, .020),
         timed(OTHER, TILED, 1.0), timed(OTHER, NAIVE, 2.0), timed(OTHER, "elsewhere.cpu", .1),
         timed(OTHER, NAIVE, .001, mode="cold")]
HERE = [timed(LONG, TILED, 6.0), timed(LONG, NAIVE, 9.0), timed(QUICK, TILED, .030), timed(QUICK, NAIVE, .020),
        timed(OTHER, TILED, 3.0), timed(OTHER, NAIVE, 1.0, verdict="unsupported", reason="too small")]


@pytest.fixture
def survey(tmp_path, monkeypatch):
    """Arguments of a survey by a faked program, beside planted records."""
    def prepare(records=HERE, slow=0.0, cuda=NO_CUDA, why=measure.WISE):
        beside = write(tmp_path / "there.jsonl", run2_line(backends=("cpu",)), *THERE)
        run = run2_line("r2", backends=("cpu",))
        run["devices"]["cpu"] = run["devices"]["cpu"] | {"slug": "slow-2c", "name": "Slowpoke"}
        planted = {"plan": [(r["case"], r["variant"]) for r in HERE], "slow": slow, "cuda": cuda, "why": why, "run": run,
                   "records": [r | {"run": "r2"} for r in records], "log": str(tmp_path / "log")}
        (tmp_path / "fake.json").write_text(json.dumps(planted))
        (tmp_path / "ndft").write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} "$@"\n')
        (tmp_path / "ndft").chmod(0o755)
        for name, value in (("FAKE", tmp_path / "fake.json"), ("TRUE_NDFT", PROGRAM), ("NDFT_PROGRAM", tmp_path / "ndft")):
            monkeypatch.setenv(name, str(value))
        return ["survey", "--backend", "cpu", "--beside", str(beside), "-o", str(tmp_path / "my records" / "records.jsonl")]
    return prepare


def log(tmp_path, word):
    return [line for line in (tmp_path / "log").read_text().splitlines() if line.startswith(word)]


def test_each_problem_stands_beside_the_other_machines(survey, capsys):
    assert main([*survey(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    by_case = {problem["case"]: problem for problem in found["problems"]}
    assert {case: problem["ratio"] for case, problem in by_case.items()} == pytest.approx({LONG: 1.5, QUICK: 2, OTHER: 3})
    assert found["ratio"] == pytest.approx(2) and (found["same_engine"], found["of"]) == (2, 3)
    assert by_case[QUICK]["here"]["variant"] == NAIVE and by_case[QUICK]["there"]["variant"] == TILED
    assert by_case[OTHER]["there"]["variant"] == TILED  # neither of another mode nor what was not tried here
    assert found["device"] == "slow-2c" and found["beside"] == "xeon-2c-avx512"


def test_its_table_says_who_wins_what_failed_and_what_best_takes(survey, capsys):
    assert main(survey()) == 0
    said = capsys.readouterr().out
    quick = next(line for line in said.splitlines() if "n=64x64" in line)
    assert quick.split()[:8] == ["20.0", "ms", "10.0", "ms", "2.00x", "naive.cpu", "tiled.cpu", "winner.cpu"]
    assert "unsupported  naive.cpu  1         too small" in said
    assert "Slowpoke (slow-2c) takes 2.00 times as long as xeon-2c-avx512 by the median of 3 problems, 1.50 to 3.00" in said
    assert "the same engine is the fastest in 2 of 3" in said
    assert "wisdom: /cache/wisdom has the fastest engine of 3 problems, which `best` takes" in said


def test_what_was_quick_elsewhere_is_measured_first(survey, tmp_path):
    assert main(survey()) == 0
    order = list(dict.fromkeys(line.removeprefix("measured ") for line in log(tmp_path, "measured")))
    assert order == [QUICK, OTHER, LONG]


def test_a_file_that_is_there_is_no_suite_of_ours(survey, tmp_path, capsys):
    write(tmp_path / "my records" / "records.ndft", "precious\n")
    assert main(survey()) == 2
    assert "records.ndft: is there already" in capsys.readouterr().err
    assert (tmp_path / "my records" / "records.ndft").read_text() == "precious\n"


@pytest.mark.parametrize("backend", ["cpu", "cuda"])
def test_what_is_measured_is_what_is_published(tmp_path, backend):
    plan = measure.planned(ROOT / "configs" / "published.ndft", backend)
    written = measure.write(plan, {}, tmp_path / "suite.ndft")
    again = measure.planned(written, backend)
    assert len(plan) >= 20 and {(p.case, p.id) for p in again} == {(p.case, p.id) for p in plan}


def test_the_fastest_of_each_problem_is_asked_for_by_measuring(survey, tmp_path):
    assert main(survey()) == 0
    asked = log(tmp_path, "best")
    assert len(asked) == 3 and all("--backend cpu --mode measure --time 2" in line for line in asked)


def test_a_choice_by_estimate_is_no_wisdom(survey, capsys):
    assert main([*survey(why="fastest by estimate"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wisdom"] is None and not any(problem["best"] for problem in found["problems"])


def test_nothing_is_chosen_when_the_time_is_over(survey, tmp_path):
    survey()
    measure.choose([LONG], "cpu", time.monotonic() + measure.LEAST_S / 2, answers := {})
    assert not answers and not (tmp_path / "log").exists()


def test_a_tie_is_won_by_both(survey, capsys):
    near = [timed(QUICK, TILED, .030), timed(QUICK, NAIVE, .02995, plan_bytes=0)]
    assert main([*survey(near), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["same_engine"] == 1


@pytest.mark.parametrize("seconds, results, backend, how", [
    (225, 48, "cuda", ["--min-time", "0.5"]), (80, 20, "cuda", ["--min-time", "0.5"]),
    (79, 20, "cuda", ["--budget", "0.988"]), (225, 20, "cpu", ["--min-time", "0.5"]), (45, 20, "cpu", ["--budget", "0.562"])])
def test_there_is_time_for_what_is_steady_or_there_are_bursts(seconds, results, backend, how):
    assert measure.timing(seconds, results, backend) == how


def test_bursts_beside_steady_times_are_said(survey, tmp_path, capsys):
    burst = [record | {"regime": "burst"} for record in HERE]
    assert main([*survey(burst), "--minutes", "0.2"]) == 0
    assert "measured here in bursts, there steadily" in capsys.readouterr().out
    assert log(tmp_path, "sweep") == ["sweep --backend cpu --modes batch --budget 0.375"]


def test_it_ends_in_time_and_says_what_it_left_out(survey, tmp_path, capsys):
    start = time.monotonic()
    assert main([*survey(slow=1.7), "--minutes", "0.1"]) == 0
    assert time.monotonic() - start < 7
    said = capsys.readouterr().out
    again = shlex.split(said.partition("not measured: 3 of 6 results; to go on: ")[2].splitlines()[0])
    assert again[:2] == ["./ndft", "sweep"] and "--resume" in again
    assert str(tmp_path / "my records" / "records.jsonl") in again
    assert len(log(tmp_path, "best")) == 2  # of two problems there are records


def test_an_interrupted_one_keeps_and_shows_what_is_there(survey, tmp_path):
    command = [sys.executable, "-m", "analysis", *survey(slow=1.0)]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        while not (tmp_path / "log").exists() or len(log(tmp_path, "measured")) < 2:
            time.sleep(.02)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=20)[0]
    assert child.returncode == 4 and "n=64x64" in said and "n=256x256" not in said
    assert "no wisdom was written" in said and not log(tmp_path, "best")


def test_a_failed_check_is_exit_status_1(survey, capsys):
    wrong = [*HERE[:-1], timed(OTHER, NAIVE, 1.0, verdict="wrong", reason="far off")]
    assert main(survey(wrong)) == 1
    assert "wrong    naive.cpu  1         far off" in capsys.readouterr().out


def test_without_a_gpu_it_names_what_is_there(survey, capsys):
    arguments = survey()
    arguments[2] = "cuda"
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "no device of backend 'cuda' is here: no NVIDIA driver is loaded; here is Slowpoke (slow-2c), 2 units" in said
    assert "./ndft survey --backend cpu" in said and "variants built" not in said


@pytest.mark.parametrize("minutes, nearest", [("0", "0.1"), ("-1", "0.1"), ("nan", "5"), ("inf", "600"), ("x", "5"),
                                              ("1e9", "600"), ("", "5")])
def test_a_time_that_is_none_is_named_with_the_nearest(capsys, minutes, nearest):
    with pytest.raises(SystemExit) as end:
        main(["survey", f"--minutes={minutes}"])
    said = capsys.readouterr().err
    assert end.value.code == 2 and minutes in said and said.endswith(f"nearest: {nearest}\n")


def test_what_it_finds_is_what_best_takes(tmp_path, monkeypatch, capsys):
    case = "forward 2d n=9x10 m=60"
    monkeypatch.setenv("NDFT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "suite.ndft").write_text(f"(naive|tiled)[.]cpu : {case}\n")
    before = ndft("best", "--backend", "cpu", case, NDFT_CACHE=str(tmp_path / "cache")).stdout
    assert main(["survey", "--backend", "cpu", "--suite", str(tmp_path / "suite.ndft"), "--minutes", "0.2", "-o",
                 str(tmp_path / "records.jsonl"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    after = ndft("best", "--json", "--backend", "cpu", case, NDFT_CACHE=str(tmp_path / "cache")).stdout
    assert "as measured before" not in before and json.loads(after)["why"] == measure.WISE
    assert found["problems"][0]["best"]["variant"] == json.loads(after)["variant"]
    assert found["wisdom"] == str(tmp_path / "cache" / "wisdom") and Path(found["wisdom"]).is_file()
    assert os.path.exists(found["records"]) and found["ratio"] is None
