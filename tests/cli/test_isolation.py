# SPDX-License-Identifier: Apache-2.0
"""Variants that crash, hang and eat memory: what is recorded of them, and that nobody else suffers."""

import functools
import json
import os
import re
import resource
import signal
import time
from pathlib import Path

import pytest

import program
from program import PLANTED, SANITIZED, cases, surroundings

CASE = "forward 2d n=6x5 m=20"
QUICK = ["--budget", "0.01"]
ndft, start = (functools.partial(call, program=PLANTED) for call in (program.ndft, program.begun))


def sweep(tmp_path, *lines, options=()):
    """Runs a suite; its result and its case records, of which no two have the same key."""
    suite, out = tmp_path / "suite.ndft", tmp_path / "out.jsonl"
    suite.write_text("\n".join(lines) + "\n")
    result = ndft("sweep", suite, "-o", out, *QUICK, *options)
    records = cases(out)
    assert len({r["key"] for r in records}) == len(records)
    return result, records


def stat(pid):
    """State and parent of a process; None when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return state, int(parent)


def children(pid):
    all_pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [child for child in all_pids if (stat(child) or ("", 0))[1] == pid]


def wait_for(what, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("waited in vain")


def the_worker(process, other_than=None):
    """The only child of a sweep."""
    def look():
        found = [child for child in children(process.pid) if child != other_than]
        return found if found and stat(found[0])[0] != "Z" else None
    (worker,) = wait_for(look)
    return worker


SIGNALS = {"segfault": r"signal 11 \(.+\)", "abort": r"signal 6 \(.+\)",
           "exit": "exit with status 0", "eat": r"signal 11 \(.+\)"}


@pytest.mark.parametrize("when", ["plan", "forward", "adjoint", "time"])
@pytest.mark.parametrize("death", SIGNALS)
def test_the_lost_are_named_and_the_others_go_on(tmp_path, death, when):
    result, records = sweep(tmp_path, f"planted[.]cpu : {CASE}",
                            f"deadly[.]cpu death={{{death},none}} when={when} : {CASE}")
    assert result.returncode == 1, result.stderr
    of = {r["variant"]: r for r in records}
    lost = of.pop(f"deadly.cpu:death={death},when={when}")
    assert lost["verdict"] == "crashed" and lost["phase"] == when
    assert re.fullmatch(f"{SIGNALS[death]} in {when}", lost["reason"])
    assert lost["median_s"] is None and lost["samples_s"] == []
    assert lost["threads"] == of["planted.cpu:fault=none"]["threads"] > 0
    assert len(of) == 2
    for good in of.values():
        assert good["verdict"] == "pass" and good["median_s"] > 0 and good["phase"] is None


def test_who_dies_while_it_is_estimated_is_named(tmp_path):
    """With a limit this low the first thing that runs is the probe that estimates."""
    _, records = sweep(tmp_path, f"planted[.]cpu : {CASE}",
                       f"deadly[.]cpu death=abort when=plan : {CASE}", options=["--limit", "1e-7"])
    of = {r["variant"].partition(".")[0]: r for r in records}
    assert of["planted"]["verdict"] == "unsupported" and "estimated at" in of["planted"]["reason"]
    assert of["deadly"]["verdict"] == "crashed" and of["deadly"]["phase"] == "plan"


@pytest.mark.parametrize("when", ["plan", "forward", "time"])
def test_the_silent_are_killed(tmp_path, when):
    result, records = sweep(tmp_path, f"planted[.]cpu : {CASE}",
                            f"deadly[.]cpu death=spin when={when} : {CASE}",
                            options=["--deadline", "0.3"])
    assert result.returncode == 1
    of = {r["variant"].partition(".")[0]: r for r in records}
    assert of["planted"]["verdict"] == "pass" and of["deadly"]["verdict"] == "timeout"
    assert of["deadly"]["reason"] == f"no sign of life for 0.3 s in {when}"
    assert of["deadly"]["phase"] == when


def test_a_deadline_grows_with_the_estimate(tmp_path):
    samples = 20000 if SANITIZED else 60000  # slower, then
    _, records = sweep(tmp_path, f"planted[.]cpu : forward 2d n=64x64 m={samples}",
                       options=["--deadline", "0.1"])
    assert [r["verdict"] for r in records] == ["pass"]
    assert records[0]["median_s"] > 0.22, "long enough to be killed otherwise"


BAD_CASE = ("--variant", "planted.cpu:fault=bad_case")
BAD_CASES = ("--variant", "planted.cpu", "--knob", "fault=bad_case")


@pytest.mark.parametrize("verb", [("run", *BAD_CASE, "--out", "x.npy"), ("profile", *BAD_CASE),
                                  ("check", *BAD_CASES), ("bench", *BAD_CASES)])
def test_what_is_wrong_with_a_case_is_bad_input(verb):
    result = ndft(*verb, CASE)
    assert result.returncode == 2, result.stdout
    assert result.stderr.endswith("ndft: planted.cu(3): error: a planted word\n")


def test_in_a_sweep_it_costs_that_case_alone(tmp_path):
    result, records = sweep(tmp_path, f"planted[.]cpu fault=bad_case : {CASE}",
                            f"planted[.]cpu : {CASE} seed=2")
    assert result.returncode == 2 and [r["verdict"] for r in records] == ["pass"]
    assert "seed=1: planted.cu(3): error: a planted word\n" in result.stderr
    assert "1 of 2 groups could not be run" in result.stderr


def test_quarantine_after_two(tmp_path):
    result, records = sweep(tmp_path, "set n=6x5", "planted[.]cpu : forward 2d m={20,21,22,23}",
                            "deadly[.]cpu death=abort when={forward,plan} : "
                            "forward 2d m={20,21,22,23}")
    assert result.returncode == 1 and len(records) == 12
    lost = [r for r in records if r["variant"].startswith("deadly")]
    assert {r["verdict"] for r in lost} == {"crashed"}
    assert [r["phase"] for r in lost] == ["forward", "plan"] + [None] * 6
    first = lost[1]["reason"]
    assert {r["reason"] for r in lost[2:]} == {f"quarantined after two: {first}"}
    assert all(r["verdict"] == "pass" for r in records if r["variant"].startswith("planted"))


def test_what_a_variant_prints_is_no_result():
    result = ndft("bench", CASE, "--variant", "deadly[.]cpu", "--knob", "death=rubbish,when=forward",
                  "--json", *QUICK)
    assert json.loads(result.stdout)["verdict"] == "pass" and "rubbish" in result.stderr


def test_in_process_nobody_is_between():
    dying = ["check", CASE, "--variant", "deadly[.]cpu", "--knob", "death=segfault,when=plan"]
    assert ndft(*dying, "--in-process").returncode == -signal.SIGSEGV
    result = ndft(*dying)
    assert result.returncode == 1 and "signal 11" in result.stdout


def target_of(descriptor):
    """What it is of; empty where it was closed meanwhile, as libraries do while they start."""
    try:
        return os.readlink(descriptor)
    except FileNotFoundError:
        return ""


def test_a_parent_computes_nothing_and_keeps_its_files(tmp_path):
    out = tmp_path / "out.jsonl"
    process = start("sweep", "--case", f"deadly[.]cpu death={{segfault,spin}} when=time : {CASE}",
                    "-o", out, *QUICK, start_new_session=True)
    try:
        assert "crashed" in process.stderr.readline()
        worker = the_worker(process)
        threads = re.search(r"^Threads:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(),
                            re.MULTILINE)
        assert threads[1] == "1", "an OpenMP team would be here"
        limits = Path(f"/proc/{worker}/limits")
        wait_for(lambda: not re.search("^Max data size +unlimited", limits.read_text(), re.MULTILINE))
        assert re.search("^Max core file size +0 ", limits.read_text(), re.MULTILINE)
        assert Path(f"/proc/{worker}/oom_score_adj").read_text() == "1000\n"
        descriptors = Path(f"/proc/{worker}/fd")
        wait_for(lambda: len(list(descriptors.iterdir())) == 3)
        assert not any("out.jsonl" in target_of(fd) for fd in descriptors.iterdir())
        assert children(process.pid) == [worker], "no zombie is left"
        process.kill()
        wait_for(lambda: stat(worker) is None or stat(worker)[0] == "Z")
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_only_workers_open_devices(tmp_path):
    """A parent with a CUDA context would hold memory on the device, and could be lost with it. The
    backends of the planted program write down who opens them; none of them is a special case."""
    opened, out = tmp_path / "opened", tmp_path / "out.jsonl"
    for verb in (["sweep", "--case", f".* : {CASE}", "-o", out], ["bench", CASE], ["check", CASE]):
        opened.write_text("")
        process = start(*verb, *(QUICK if verb[0] != "check" else []),
                        env=surroundings(NDFT_PLANTED_OPENED=str(opened)))
        process.communicate(timeout=60)
        lines = [line.split() for line in opened.read_text().splitlines()]
        assert "cpu" in {name for name, _ in lines}
        assert str(process.pid) not in {pid for _, pid in lines}, verb
    result = start(*verb, "--in-process", env=surroundings(NDFT_PLANTED_OPENED=str(opened)))
    result.communicate(timeout=60)
    assert str(result.pid) in opened.read_text(), "and what it says is true"


# Each has its record as soon as it was checked.
FAULTS = ["one_wrong", "overrun", "underrun", "unwritten", "eats_input", "nan", "fails", "refuses",
          "bad_plan", "boasts", "modest", "not_adjoint"]

# Its reference takes seconds.
SLOW = ("deadly[.]cpu death=exit when=plan : "
        "forward 3d n=16x16x16 m=65000 grad=random:20Hz t=10ms prec=f64")


def test_a_worker_lost_with_nothing_in_hand_is_replaced_once(tmp_path):
    process = start("sweep", "--case", SLOW, "-o", tmp_path / "out.jsonl", *QUICK)
    first = the_worker(process)
    time.sleep(0.3)
    os.kill(first, signal.SIGKILL)
    second = the_worker(process, other_than=first)
    time.sleep(0.3)
    os.kill(second, signal.SIGKILL)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "two workers were lost before any variant ran: signal 9 (Killed) in reference" in said
    assert cases(tmp_path / "out.jsonl") == []


@pytest.mark.parametrize("killed, code", [(1, 0), (2, 3)])
def test_a_worker_lost_before_it_is_ready_is_replaced_once(tmp_path, killed, code):
    doomed, out = tmp_path / "killed", tmp_path / "out.jsonl"
    doomed.write_text("x" * killed)
    process = start("sweep", "--case", f"planted[.]cpu : {CASE}", "-o", out, *QUICK,
                    env=surroundings(NDFT_PLANTED_KILLED=str(doomed)))
    _, said = process.communicate(timeout=30)
    assert process.returncode == code, said
    assert doomed.read_text() == ""
    lost = "two workers were lost before they were ready: signal 9 (Killed)"
    assert (lost in said) == (killed == 2)
    assert out.exists() == (killed == 1), "before anything was to be kept"


def test_a_full_disk_ends_the_group_under_way(tmp_path):
    """Records that come at once fill it, while one that would take the deadline of 30 s is due."""
    def small_disk():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    suite, out = tmp_path / "suite.ndft", tmp_path / "out.jsonl"
    suite.write_text(f"planted[.]cpu fault={{{','.join(FAULTS)}}} : {CASE}\n"
                     f"deadly[.]cpu death=spin when=forward : {CASE}\n")
    begin = time.monotonic()
    result = ndft("sweep", suite, "-o", out, preexec_fn=small_disk)
    assert time.monotonic() - begin < 15
    assert result.returncode == 3 and "out.jsonl: File too large" in result.stderr
    kept = cases(out)
    assert 0 < len(kept) < len(FAULTS)
    ndft("sweep", suite, "-o", out, "--resume", "--deadline", "0.3")
    assert cases(out)[:len(kept)] == kept and len(cases(out)) == len(FAULTS) + 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_to_all_processes_are_the_parent_s(tmp_path, number):
    """As a terminal sends them: the worker goes on with what is under way, and is no crash."""
    out = tmp_path / "out.jsonl"
    line = "planted[.]cpu fault={none,slow} : forward 2d n=6x5 m={20,21}"
    options = ["-o", out, "--budget", "5", "--min-samples", "150", "--limit", "1e9"]
    process = start("sweep", "--case", line, *options, start_new_session=True)
    worker = the_worker(process)
    time.sleep(0.5)
    os.killpg(process.pid, number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 4 and "--resume" in said, said
    assert stat(worker) is None
    assert {r["verdict"] for r in cases(out)} <= {"pass"}
    result = ndft("sweep", "--case", line, "-o", out, "--resume", *QUICK, "--limit", "1e9")
    assert result.returncode == 0
    finished = [r["key"] for r in cases(out) if r["stop"] != "interrupted"]
    assert len(finished) == len(set(finished)) == 4


def test_a_second_interrupt_ends_at_once(tmp_path):
    process = start("sweep", "--case", f"deadly[.]cpu death=spin when=forward : {CASE}",
                    "-o", tmp_path / "out.jsonl")
    worker = the_worker(process)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == -signal.SIGINT
    wait_for(lambda: stat(worker) is None or stat(worker)[0] == "Z")


def test_a_worker_is_not_for_people():
    result = ndft("worker")
    assert result.returncode == 2 and "started by other verbs" in result.stderr
    assert ndft("worker", "cpu", "1").returncode != 0
    assert "worker" not in ndft("--help").stdout
