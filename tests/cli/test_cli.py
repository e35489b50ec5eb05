# SPDX-License-Identifier: Apache-2.0
"""The program as its users see it: output, messages and exit codes of every verb."""

import json
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("NDFT_PROGRAM", str(ROOT / "build" / "ndft"))
PLANTED = os.environ.get("NDFT_PLANTED", str(ROOT / "build" / "tests" / "ndft-planted"))
CASE = "forward 2d n=6x5 m=20 field=random:50Hz t=5ms coils=2"
VERBS = ["list", "check", "bench", "sweep", "run", "export", "repro", "doctor", "peak", "profile",
         "best", "tune"]


def ndft(*arguments, cwd=None, program=PROGRAM, **environment):
    return subprocess.run([program, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          env={**os.environ, "NDFT_CACHE": "", **environment}, timeout=120)


def refused(result, code, *words):
    """The program exits with code and says why, in one line on stderr that begins with its name."""
    assert result.returncode == code, result.stdout + result.stderr
    assert re.search(r"^ndft: ", result.stderr, re.MULTILINE), result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


def records(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb):
    result = ndft(verb, "--help")
    assert result.returncode == 0 and result.stdout.startswith(f"usage: ndft {verb} ")
    assert verb in ndft("--help").stdout


def test_typos_have_neighbours():
    refused(ndft("chekc", CASE), 2, "'chekc'", "nearest: check")
    refused(ndft("bench", CASE, "--varaint", "x"), 2, "--varaint", "nearest: --variant")
    refused(ndft("bench", CASE, "--variant", "nosuch"), 2, "'nosuch'", "nearest: ")
    refused(ndft("bench", CASE, "--variant", "naiv[.]cpu"), 2, "nearest: naive.cpu")
    refused(ndft("bench", "forwards 2d n=4x4 m=3"), 2, "forwards", "forward")


def test_options_are_named_as_they_were_written():
    refused(ndft("bench", CASE, "--json", "-xz"), 2, "unknown option '-x'")
    refused(ndft("bench", CASE, "--json=5"), 2, "'--json=5' takes no value")
    refused(ndft("sweep", "--case", CASE, "-c", "b : c"), 2, "--case was given twice", "b : c")
    refused(ndft("bench", CASE, "--backend", "gpu"), 2, "'gpu'", "nearest: cpu")
    refused(ndft("bench", CASE, "--variant", "|".join(["tiled[.]cpu"] * 30)), 2, "255")
    refused(ndft("sweep", "a", "--resume"), 2, "--resume needs -o")


@pytest.mark.parametrize("case, words", [
    ("forward 2d n=0x4 m=12", ["0x4"]),
    ("forward 2d n=4x4 m=0", ["m=0"]),
    ("forward 2d n=4x4 m=3 trajj=radial", ["trajj", "traj"]),
    ("forward 2d n=4x4 m=3 data=file:nosuch.npy", ["nosuch.npy"]),
])
def test_impossible_cases_are_named(case, words):
    refused(ndft("check", case), 3 if "file" in case else 2, *words)


@pytest.mark.parametrize("arguments", [
    [], ["check"], ["check", CASE, "again"], ["sweep"], ["run", CASE], ["bench", CASE, "--budget"],
    ["bench", CASE, "--budget", "-1"], ["bench", CASE, "--min-samples", "2.5"],
    *(["bench", CASE, "-v", "naive.cpu", "--limit", text] for text in ("1e999", "inf", "0x10", " 1")),
    ["bench", CASE, "-v", "naive.cpu", "--min-samples", " 3"],
    ["sweep", "a", "-Z"],
    ["list", "--variant", "naive("], ["bench", CASE, "--knob", "nosuch=3", "-v", "naive[.]cpu"],
])
def test_usage_errors(arguments):
    assert ndft(*arguments).returncode == 2


def test_list_json_has_every_line_of_the_registry():
    registry = "".join((ROOT / file).read_text() for file in ("variants/variants.def", "peers/peers.def"))
    lines = re.findall(r"^NDFT_\w+\((\w+), (\w+)[,)]", registry, re.MULTILINE)
    variants = json.loads(ndft("list", "--json").stdout)["variants"]
    assert [(v["name"], v["backend"]) for v in variants] == lines
    for v in variants:
        assert (v["kind"] == "uniform") == v["name"].startswith(("uniform_", "bluestein_", "vkfft"))
        assert v["id"].startswith(f"{v['name']}.{v['backend']}")
        there = v["built"] or bool(v["peer"]) and not v["peer"].get("chosen")  # adapters are always built
        assert v["build_id"] and there == bool(v["ops"]) and bool(v["claim"]) == (there and not v["ablates"])
        for knob in v["knobs"]:
            assert f"{knob['name']}={knob['default']}" in v["id"]


def test_list_explains():
    result = ndft("list", "--explain", CASE + " tol=1e-9", "--variant", "naive[.]cpu")
    assert result.returncode == 0 and "is above tol=1e-09" in result.stdout
    assert "fits" in ndft("list", "--explain", CASE, "--variant", "naive[.]cpu").stdout


def test_check_runs_everything_and_expects():
    result = ndft("check", CASE, "--expect", "naive[.]cpu")
    assert result.returncode == 0, result.stderr
    assert re.search(r"naive\.cpu +pass", result.stdout)
    assert "naive.cuda" in result.stdout + result.stderr
    refused(ndft("check", CASE, "--expect", "nosuch.*"), 2, "nosuch")
    refused(ndft("check", CASE, "--variant", "naive[.]cpu", "--expect", ".*[.]cuda"), 2, "--expect")
    refused(ndft("check", CASE + " tol=1e-9", "--variant", "naive[.]cpu"), 2, "nothing passed")


def test_expected_but_unsupported_fails():
    variants = json.loads(ndft("list", "--json").stdout)["variants"]
    absent = [v for v in variants if not v["built"] and not v["peer"]]
    if not absent:
        pytest.skip("every variant was built")
    refused(ndft("check", CASE, "--expect", ".*"), 1, "did not pass")


def test_bench_measures():
    result = ndft("bench", CASE, "--json", "--variant", "naive[.]cpu", "--budget", "0.05")
    record = json.loads(result.stdout)
    assert result.returncode == 0 and record["verdict"] == "pass"
    assert record["median_s"] > 0 and record["stop"] in ("ci", "budget", "samples")
    assert record["coil_pairs_per_s"] == pytest.approx(6 * 5 * 20 * 2 / record["median_s"])
    table = ndft("bench", CASE, "--variant", "naive[.]cpu", "--budget", "0.05").stdout
    assert "fastest: naive.cpu" in table and " mode " not in table


def test_bench_of_several_modes_says_which():
    table = ndft("bench", CASE, "--variant", "naive[.]cpu", "--modes", "batch,graph,end-to-end",
                 "--budget", "0.01").stdout
    columns = [line.split()[:3] for line in table.splitlines()[1:5]]
    assert columns[0] == ["variant", "mode", "verdict"]
    assert columns[1:] == [["naive.cpu", mode, verdict] for mode, verdict in (
        ("batch", "pass"), ("graph", "unsupported"), ("end-to-end", "pass"))]


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
    verdicts = [r["verdict"] for r in records(out) if r["type"] == "case"]
    assert verdicts == ["unsupported", "pass"], "what is unsupported stays so"


def test_records_hold_no_absolute_path(tmp_path):
    (tmp_path / "small.ndft").write_text(SUITE)
    out = tmp_path / "out.jsonl"
    ndft("sweep", tmp_path / "small.ndft", "-o", out, "--budget", "0.01", cwd=tmp_path)
    assert str(tmp_path) not in out.read_text() and os.uname().nodename not in out.read_text()
    assert records(out)[0]["argv"][1:] == ["sweep", "small.ndft", "-o", "out.jsonl", "--budget",
                                           "0.01"]


def test_sweep_names_its_file_after_device_and_suite(tmp_path):
    result = ndft("sweep", "--case", f"naive[.]cpu : {CASE}", "--budget", "0.01", cwd=tmp_path)
    (path,) = tmp_path.glob("results/*/case-*.jsonl")
    assert result.returncode == 0 and str(path.relative_to(tmp_path)) in result.stdout
    assert path.parent.name == records(path)[0]["devices"]["cpu"]["slug"]


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


LONG = "naive[.]cpu : forward 2d n={8x8,40x40,41x41,42x42,43x43,44x44} m=2000"


def first_result(out, *arguments):
    """A long sweep of naive.cpu into out, and that its first result is there."""
    process = subprocess.Popen([PROGRAM, "sweep", "--case", LONG, "-o", out, *arguments],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                               env={**os.environ, "NDFT_CACHE": ""})
    assert "ETA" in process.stderr.readline()
    return process


def test_interruption_keeps_what_was_measured(tmp_path):
    out = tmp_path / "out.jsonl"
    process = first_result(out, "--budget", "30")
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=60)
    assert process.returncode == 4 and "--resume" in messages
    found = records(out)
    assert found[-1]["type"] == "end" and found[-1]["interrupted"] is True
    assert 1 <= sum(r["type"] == "case" for r in found) < 6
    again = ndft("sweep", "--case", LONG, "-o", out, "--resume", "--budget", "0.01")
    assert again.returncode == 0, again.stderr
    whole = [r for r in records(out) if r["type"] == "case" and r["stop"] != "interrupted"]
    assert len(whole) == len({r["key"] for r in whole}) == 6


def test_a_file_belongs_to_one_sweep(tmp_path):
    out = tmp_path / "out.jsonl"
    process = first_result(out, "--budget", "30")
    for more in [], ["--resume"]:
        refused(ndft("sweep", "--case", LONG, "-o", out, *more), 3, "another sweep")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert [r["type"] for r in records(out)][:2] == ["run", "case"]


def allow_6000_bytes():
    """Files of this process end as on a full disk: with a line cut short, then an error."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def test_a_full_disk_tears_no_line(tmp_path):
    out = tmp_path / "out.jsonl"
    line = "naive[.]cpu : forward 2d n=8x8 m={7,8,9,10,11,12,13,14}"
    arguments = ["sweep", "--case", line, "-o", str(out), "--budget", "0.01"]
    full = subprocess.run([PROGRAM, *arguments], preexec_fn=allow_6000_bytes, timeout=60,
                          capture_output=True, text=True, env={**os.environ, "NDFT_CACHE": ""})
    refused(full, 3, "out.jsonl: File too large")
    kept = records(out)
    assert 1 < len(kept) < 9 and out.read_text().endswith("\n")
    assert kept[-1]["type"] == "case" or kept[-1]["interrupted"]
    assert ndft(*arguments, "--resume").returncode == 0
    keys = [r["key"] for r in records(out) if r["type"] == "case"]
    assert len(keys) == len(set(keys)) == 8


def test_names_too_long_are_refused_not_cut(tmp_path):
    result = ndft("sweep", "--case", f"naive[.]cpu : {CASE}", "-o", "x/" * 300 + "out.jsonl",
                  cwd=tmp_path)
    refused(result, 2, "too long")
    refused(ndft("export", CASE, "x/" * 600, cwd=tmp_path), 2, "too long")
    assert not list(tmp_path.iterdir())


def test_the_first_interrupt_ends_an_export(tmp_path):
    case = "forward 2d n=300x300 m=300000"
    process = subprocess.Popen([PROGRAM, "export", case, tmp_path / "case"])
    while not (tmp_path / "case/kspace.npy").exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(timeout=10) == -signal.SIGINT
    finally:
        process.kill()


def test_a_sampled_export_holds_a_part_of_the_reference(tmp_path):
    case = "forward 1d n=1500 m=190000 coils=2"
    assert ndft("export", "--sampled", case, tmp_path / "some").returncode == 0
    assert ndft("export", case, tmp_path / "all").returncode == 0
    some, all_ = (np.load(tmp_path / f"{name}/reference.npy") for name in ("some", "all"))
    known = ~np.isnan(some)
    assert known[:, [0, -1]].all() and 1024 <= known[0].sum() < 180000 and not np.isnan(all_).any()
    assert np.array_equal(known[0], known[1]) and np.array_equal(some[known], all_[known])


@pytest.mark.parametrize("op, key", [("forward", "kspace"), ("adjoint", "image")])
def test_run_and_export_agree(tmp_path, op, key):
    case = f"{op} 2d n=6x5 m=20 field=random:50Hz t=5ms coils=3 layout=interleaved seed=5"
    assert ndft("export", case, tmp_path / "case").returncode == 0
    result = ndft("run", case, "--variant", "naive.cpu", "--out", tmp_path / "out.npy")
    assert result.returncode == 0, result.stderr
    reference, out = np.load(tmp_path / "case/reference.npy"), np.load(tmp_path / "out.npy")
    assert reference.dtype == np.complex128 and out.dtype == np.complex64
    assert reference.shape == out.shape == ((3, 20) if op == "forward" else (3, 1, 5, 6))
    assert np.linalg.norm(out - reference) < 1e-5 * np.linalg.norm(reference)
    assert (tmp_path / "case/case.txt").read_text().startswith(op)


def test_run_says_why_it_cannot(tmp_path):
    out = tmp_path / "out.npy"
    refused(ndft("run", CASE, "--variant", "naiv.cpu", "-o", out), 2, "nearest: naive.cpu")
    refused(ndft("run", CASE + " tol=1e-9", "--variant", "naive.cpu", "-o", out), 2, "above tol")
    assert not out.exists()
    nowhere = tmp_path / "no" / "out.npy"
    refused(ndft("run", CASE, "--variant", "naive.cpu", "-o", nowhere), 3, "out.npy")


def test_run_checks_first(tmp_path):
    out = tmp_path / "out.npy"
    run = ["run", CASE, "--out", out, "--variant"]
    refused(ndft(*run, "naive.cpu", "--check", program=PLANTED), 2, "naive.cpu")
    wrong = "planted.cpu:fault=one_wrong"
    refused(ndft(*run, wrong, "--check", program=PLANTED), 1, "--check: wrong", "nothing is written")
    refused(ndft("run", CASE + " tol=1e-9", "-o", out, "-v", "naive.cpu", "--check"), 1, "above tol")
    assert not out.exists()
    assert ndft(*run, wrong, program=PLANTED).returncode == 0 and out.exists()
    out.unlink()
    result = ndft(*run, "naive.cpu", "--check")
    assert result.returncode == 0 and out.exists(), result.stderr


def test_repro(tmp_path):
    out = tmp_path / "out.jsonl"
    ndft("sweep", "--case", f"naive[.]cpu : {CASE}", "-o", out, "--budget", "0.01")
    key = records(out)[1]["key"]
    result = ndft("repro", key, out)
    assert result.returncode == 0 and "recorded: pass" in result.stdout
    assert re.search(r"naive\.cpu +pass", result.stdout)
    refused(ndft("repro", "0" * 16, out), 2, "no record")
    with open(out, "a") as file:
        file.write(json.dumps(records(out)[1] | {"key": "another"}) + "\n")
    refused(ndft("repro", "", out), 2, "several")
    refused(ndft("repro", key, tmp_path / "nosuch.jsonl"), 3, "nosuch.jsonl")


def test_doctor_names_every_backend():
    result = ndft("doctor", NDFT_CACHE="/tmp/cache-of-ndft")
    assert result.returncode == 0 and "/tmp/cache-of-ndft" in result.stdout
    assert re.search(r"^cpu ", result.stdout, re.M) and re.search(r"^cuda ", result.stdout, re.M)


def test_phases_out_of_reach_are_unsupported():
    """Rounding by addition serves up to 2^22 turns; beyond, fast_math would be silently wrong."""
    case = "forward 2d n=4x4 m=16 t=10000s field=random:1000000kHz tol=1"
    result = ndft("check", case, "--variant", "(fast_math|sincos_table)[.]cpu")
    assert result.returncode == 2
    assert result.stdout.count("its phases go beyond 2^21 turns") == 2


ABLATION = "tiled_no_trig[.]cpu"


def records_of(*arguments):
    """The case records that a verb prints with --json."""
    return [json.loads(line) for line in ndft(*arguments, "--json").stdout.splitlines()]


def test_ablations_are_timed_by_name_and_never_right():
    found = records_of("bench", CASE, "--variant", f"tiled[.]cpu|{ABLATION}", "--budget", "0.01")
    assert [(r["variant"].partition(":")[0], r["verdict"]) for r in found] == [
        ("tiled.cpu", "pass"), ("tiled_no_trig.cpu", "untrusted")]
    assert found[1]["ablates"] == {"variant": "tiled.cpu", "without": "trigonometry"}
    assert found[1]["median_s"] > 0 and found[1]["rel_l2"] is None and "ablates" not in found[0]
    done = ndft("bench", CASE, "--variant", f"naive[.]cpu|{ABLATION}", "--budget", "0.01")
    assert done.returncode == 0 and "fastest: naive.cpu" in done.stdout
    assert ndft("check", CASE, "--variant", ABLATION).returncode == 2, "nothing passed"


def test_ablations_come_along_with_nothing():
    assert {r["variant"].partition(":")[0] for r in records_of("check", CASE, "-v", "tiled.*cpu")
            } == {"tiled.cpu"}
    plan = ndft("sweep", "--case", f".*[.]cpu : {CASE}", "--plan").stdout
    assert "tiled.cpu" in plan and "tiled_no" not in plan
    refused(ndft("check", CASE, "-v", "tiled_no.*"), 2, "tiled_no.*", "spelled out")
    refused(ndft("run", CASE, "--variant", "tiled_no_trig.cpu", "-o", "no.npy"), 2, "an ablation")
    assert "Ablations:" in ndft("list").stdout
    said = ndft("list", "--explain", CASE, "--variant", ABLATION).stdout
    assert "claims nothing" in said and "nan" not in said
