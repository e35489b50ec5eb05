# SPDX-License-Identifier: Apache-2.0
"""The program as its users see it: output, messages and exit codes of every verb."""

import json
import re
import resource

import pytest

from program import ROOT, SANITIZED, cases, lines, listed, ndft, records, refused

CASE = "forward 2d n=6x5 m=20 field=random:50Hz t=5ms coils=2"
VERBS = ["list", "check", "bench", "sweep", "run", "export", "repro", "doctor", "peak", "profile",
         "best", "case", "tune"]


def records_of(*arguments):
    """The case records that a verb prints with --json."""
    return lines(ndft(*arguments, "--json").stdout)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb):
    result = ndft(verb, "--help")
    assert result.returncode == 0 and result.stdout.startswith(f"usage: ndft {verb} ")
    assert verb in ndft("--help").stdout
    assert ndft("help", verb).stdout == result.stdout


def test_typos_have_neighbours():
    refused(ndft("chekc", CASE), 2, "'chekc'", "nearest: check")
    refused(ndft("help", "chekc"), 2, "'chekc'", "nearest: check")
    refused(ndft("bench", CASE, "--varaint", "x"), 2, "--varaint", "nearest: --variant")
    refused(ndft("bench", CASE, "--variant", "nosuch"), 2, "'nosuch'", "nearest: ")
    refused(ndft("bench", CASE, "--variant", "naiv[.]cpu"), 2, "nearest: naive.cpu")
    refused(ndft("bench", "forwards 2d n=4x4 m=3"), 2, "forwards", "forward")


def test_options_are_named_as_they_were_written():
    refused(ndft("bench", CASE, "--json", "-xz"), 2, "unknown option '-x'")
    refused(ndft("bench", CASE, "--json=5"), 2, "'--json=5' takes no value")
    refused(ndft("sweep", "--case", CASE, "-c", "b : c"), 2, "--case was given twice", "b : c")
    refused(ndft("bench", CASE, "--backend", "gpu"), 2, "'gpu'", "nearest: cpu")
    refused(ndft("best", CASE, "--backend", "cuad"), 2, "'cuad'", "nearest: cuda")
    refused(ndft("bench", CASE, "--variant", "|".join(["tiled[.]cpu"] * 30)), 2, "255")
    refused(ndft("sweep", "a", "--resume"), 2, "--resume needs -o")


def test_threads_that_openmp_cannot_make():
    """Of 100000 libgomp ends the process by a signal, and says nothing."""
    for verb in ("check", "best", "case"):
        refused(ndft(verb, CASE, OMP_NUM_THREADS="100000"), 2, "100000 threads", "OMP_NUM_THREADS", "nearest: 4096")


def few_threads():
    resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))


@pytest.mark.skipif(SANITIZED, reason="AddressSanitizer needs addresses without a limit")
def test_threads_that_the_process_may_not_have(tmp_path):
    """Of these libgomp ends the process. Where a knob asks for them the others of its group go on."""
    said, path = "is to have 1000 threads, and the process may have but", tmp_path / "a.jsonl"
    few = ndft("check", CASE, OMP_NUM_THREADS="1000", preexec_fn=few_threads)
    refused(few, 2, said, "nearest: OMP_NUM_THREADS=")
    result = ndft("check", CASE, "-v", "tiled[.]cpu", OMP_NUM_THREADS=few.stderr.rpartition("=")[2].strip(),
                  preexec_fn=few_threads)
    assert result.returncode == 0 and " pass " in result.stdout, result.stderr
    ndft("sweep", "--case", f"(tiled|coil_gemm)[.]cpu threads={{1,1000}} : {CASE}", "-o", path,
         preexec_fn=few_threads)
    found = {(record["verdict"], record["knobs"]["threads"]): record["reason"] for record in cases(path)}
    assert set(found) == {("pass", 1), ("unsupported", 1000)}
    assert said in found["unsupported", 1000] and "nearest: threads=" in found["unsupported", 1000]


@pytest.mark.parametrize("case, variant", [("forward 2d n=9x10 m=1 t=20ms field=smooth:150Hz prec=f64 seed=13", "naive"),
                                           ("forward 2d n=7x5 m=1 seed=29", "chirp_z")])
def test_the_value_of_one_sample_may_be_small(case, variant):
    (record,) = records_of("check", case, "--variant", f"{variant}[.]cpu")
    assert record["verdict"] == "pass" and record["claim"] > 2e-6 * (record["problem"]["prec"] == "f32")


def test_a_case_is_said_in_full_and_as_values():
    short = "forward 2d m=20 n=6x5"
    assert " traj=random:1 t=0 field=none " in ndft("case", short).stdout
    said = ndft("case", "--json", "-", "uniform:srfo2.5x6*7", input=f"{short}\nforwards 2d\n\n")
    assert said.returncode == 2
    case, wrong, empty, uniform = lines(said.stdout)
    assert case["problem"] == {
        "label": "forward 2d n=6x5 m=20", "kind": "nonuniform", "op": "forward", "dim": 2,
        "n": [6, 5], "m": 20, "prec": "f32", "tol": 1e-4, "outputs": 20, "pairs": 600,
        "traj": "random", "field": "none", "field_hz": 0, "t": 0, "gradients": False, "coils": 1,
        "lines": False, "per_time": 20, "turns": 0}
    assert "nearest: forward" in wrong["error"] and "an empty case" in empty["error"]
    assert uniform["problem"] == {
        "label": "uniform:srfo2.5x6*7", "kind": "uniform", "op": "transform", "dim": 2, "n": [5, 6],
        "m": 2, "prec": "f32", "tol": 1e-4, "outputs": 252, "pairs": 7560, "domain": "r2c",
        "sign": -1, "in_place": False, "contiguous": False, "packed": True, "callbacks": False,
        "length": 30, "batch": 14, "factor": 5}


def test_nothing_hides_behind_a_nul(tmp_path):
    text = "naive[.]cpu : forward 2d m=20 n=6x5\0 coils=3\n"
    (tmp_path / "nul.ndft").write_text(text)
    refused(ndft("sweep", "nul.ndft", "--plan", cwd=tmp_path), 2, "nul.ndft:1", "control")
    refused(ndft("case", "-", input=text[14:]), 2, "control")


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
    registered = re.findall(r"^NDFT_\w+\((\w+), (\w+)[,)]", registry, re.MULTILINE)
    variants = listed()
    assert [(v["name"], v["backend"]) for v in variants] == registered
    for v in variants:
        assert (v["kind"] == "uniform") == v["name"].startswith(("uniform_", "bluestein_", "rader", "stockham", "vkfft"))
        assert v["id"].startswith(f"{v['name']}.{v['backend']}")
        there = v["built"] or bool(v["peer"]) and not v["peer"].get("chosen")  # adapters are always built
        assert v["build_id"] and there == bool(v["ops"]) and bool(v["claim"]) == (there and not v["ablates"])
        for knob in v["knobs"] if v["name"] != "nufft" else ():  # those of any stages that it may have
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


def test_sums_of_many_samples_are_claimed():
    """6000 spokes cross at the centre: sums there round by more than all that forward errs by. Their memory is
    that of fewer, which sanitizers see elsewhere."""
    if SANITIZED:
        return
    spokes = "3d n=20x20x20 m=60000 traj=kooshball:6000 tol=4e-5"
    engines = ("--variant", "nufft_(scatter|hybrid|output_driven)[.]cpu", "--knob", "sigma=150,width=8")
    claims = {}
    for op in ("forward", "adjoint"):
        found = [r for r in records_of("check", f"{op} {spokes}", *engines) if r.get("verdict")]
        assert [r["verdict"] for r in found] == ["pass"] * 3
        claims[op] = found[0]["claim"]
    assert all(r["rel_l2"] > claims["forward"] for r in found)  # which has no such sums


def test_expected_but_unsupported_fails():
    if all(v["built"] or v["peer"] for v in listed()):
        pytest.skip("every variant was built")
    refused(ndft("check", CASE, "--expect", ".*"), 1, "did not pass")


def test_bench_measures():
    result = ndft("bench", CASE, "--json", "--variant", "naive[.]cpu", "--budget", "0.05")
    record = json.loads(result.stdout)
    assert result.returncode == 0 and record["verdict"] == "pass"
    assert record["median_s"] > 0 and record["stop"] in ("ci", "noise", "budget", "samples")
    assert record["coil_pairs_per_s"] == pytest.approx(6 * 5 * 20 * 2 / record["median_s"])
    table = ndft("bench", CASE, "--variant", "naive[.]cpu", "--budget", "0.05").stdout
    assert re.search("^(fastest: naive.cpu|in doubt: no winner)", table, re.MULTILINE)
    assert " mode " not in table
    head, row = (re.split(r"  +", line) for line in table.splitlines()[1:3])
    shown = dict(zip(head, row))
    assert shown["energy"] == shown["host call"] == "-", "a burst has none, nor a processor's call"
    assert re.fullmatch(r"[\d.e-]+ MB, [\d.e-]+ L2", shown["working set"])
    megabytes, beside = re.findall(r"[\d.e-]+", shown["working set"])[:2]
    assert float(megabytes) == pytest.approx(record["working_set_bytes"] / 1e6, rel=0.01) and float(beside) > 0


def test_bench_of_several_modes_says_which():
    table = ndft("bench", CASE, "--variant", "naive[.]cpu", "--modes", "batch,graph,end-to-end",
                 "--budget", "0.01").stdout
    columns = [line.split()[:3] for line in table.splitlines()[1:5]]
    assert columns[0] == ["variant", "mode", "verdict"]
    assert columns[1:] == [["naive.cpu", mode, verdict] for mode, verdict in (
        ("batch", "pass"), ("graph", "unsupported"), ("end-to-end", "pass"))]


def test_names_too_long_are_refused_not_cut(tmp_path):
    result = ndft("sweep", "--case", f"naive[.]cpu : {CASE}", "-o", "x/" * 300 + "out.jsonl",
                  cwd=tmp_path)
    refused(result, 2, "too long")
    refused(ndft("export", CASE, "x/" * 600, cwd=tmp_path), 2, "too long")
    assert not list(tmp_path.iterdir())


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


def test_ablations_are_timed_by_name_and_never_right():
    found = records_of("bench", CASE, "--variant", f"tiled[.]cpu|{ABLATION}", "--budget", "0.01")
    assert [(r["variant"].partition(":")[0], r["verdict"]) for r in found] == [
        ("tiled.cpu", "pass"), ("tiled_no_trig.cpu", "untrusted")]
    assert found[1]["ablates"] == {"variant": "tiled.cpu", "without": "trigonometry"}
    assert found[1]["median_s"] > 0 and found[1]["rel_l2"] is None and "ablates" not in found[0]
    done = ndft("bench", CASE, "--variant", f"naive[.]cpu|{ABLATION}", "--budget", "0.01")
    last = done.stdout.splitlines()[-1]
    assert done.returncode == 0 and last.startswith(("fastest: naive.cpu", "in doubt: no winner")), last
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
