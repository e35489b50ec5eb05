# SPDX-License-Identifier: Apache-2.0
"""Other people's libraries as variants: found by name, checked and timed as ours, never chosen."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import program
from program import PROGRAM, ROOT, cases, lines, refused

FAKE, WRONG = os.environ["NDFT_FAKE_FINUFFT"], os.environ["NDFT_FAKE_FINUFFT_WRONG"]
FAKE_VKFFT = os.environ["NDFT_FAKE_VKFFT"]
CASE = "forward 2d n=12x10 m=70 coils=2"


def ndft(*arguments, library=FAKE, **environment):
    return program.ndft(*arguments, cwd=ROOT, NDFT_FINUFFT=str(library), **environment)


def listed(expression, library=FAKE, **environment):
    """The one variant of that name."""
    variant, = program.listed("--variant", expression, NDFT_FINUFFT=str(library), **environment)
    return variant


def records(*arguments, **more):
    return lines(ndft(*arguments, "--json", "--in-process", **more).stdout)


def check(case=CASE, variant="finufft[.]cpu", **more):
    return records("check", case, "--variant", variant, "--backend", "cpu", **more)


def test_a_peer_is_checked_as_ours_are():
    for op in ("forward", "adjoint", "normal"):
        for rest in ("1d n=17 m=40", "2d n=12x9 m=70 coils=3", "3d n=5x6x7 m=50",
                     "2d n=8x8 m=20 prec=f64 tol=1e-9"):
            record, = check(f"{op} {rest}")
            assert record["verdict"] == "pass", record["reason"]
            assert 0 < record["claim"] <= (1e-9 if "f64" in rest else 1e-4)


def chosen_rank(record):
    return int(re.fullmatch(r"rank=(\d+)", record["chosen"])[1])


FIELDS = ("smooth:200Hz", "random:150Hz", "linear:150Hz", "const:90Hz")


@pytest.mark.parametrize("op", ["forward", "adjoint", "normal"])
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_map_is_more_transforms(op, field):
    for rest, tol in (("1d n=17 m=40", 1e-4), ("1d n=9 m=2100 coils=2", 1e-4), ("2d n=12x9 m=70 coils=3", 1e-4),
                      ("3d n=5x6x7 m=50 coils=2", 1e-4), ("2d n=12x9 m=70 coils=3 prec=f64", 1e-9), ("2d n=12x9 m=70 prec=f64 tol_kind=any", 1e-6)):
        record, = check(f"{op} {rest} field={field} t=5ms tol={tol}")
        assert record["verdict"] == "pass", record["reason"]
        assert 0 < record["claim_any" if "any" in rest else "claim"] <= tol
        assert chosen_rank(record) == 1 if "const" in field else chosen_rank(record) > 2


def test_two_offsets_are_two_terms(tmp_path):
    field = np.where(np.arange(120).reshape(10, 12) % 3, 700, -900).astype(np.float32)
    np.save(tmp_path / "field.npy", field)
    for op in ("forward", "adjoint", "normal"):
        record, = check(f"{op} 2d n=12x10 m=70 coils=2 field=file:{tmp_path}/field.npy t=5ms")
        assert record["verdict"] == "pass" and chosen_rank(record) == 2, record["reason"]


def test_without_readout_nothing_is_weighed():
    record, = check(CASE + " field=smooth:50Hz t=0")
    assert record["verdict"] == "pass" and not record["chosen"]


def test_every_term_counts():
    for op in ("forward", "adjoint", "normal"):
        record, = check(f"{op} 2d n=12x10 m=70 field=smooth:200Hz t=5ms", FAKE_FINUFFT_DROP="1")
        assert record["verdict"] == "wrong", op


def test_transforms_and_terms_share_tol(tmp_path):
    """Terms are as many as ours, and theirs is asked for all that they leave."""
    log = tmp_path / "log"
    ours, = check("forward 2d n=12x10 m=70 coils=2 field=smooth:200Hz t=5ms", variant="nufft_hybrid[.]cpu")
    if ours["verdict"] == "not_built":
        pytest.skip("nufft_hybrid is not built for the processor")
    record, = check("forward 2d n=12x10 m=70 coils=2 field=smooth:200Hz t=5ms", FAKE_FINUFFT_LOG=str(log))
    text = log.read_text()
    assert f"transforms={2 * chosen_rank(record)} " in text
    eps = float(text.partition("eps=")[2].split()[0])
    assert math.sqrt(1 - 0.35**2) * 1e-4 < eps < record["claim"] <= 1e-4
    assert abs(chosen_rank(record) - int(re.search(r"terms=(\d+)", ours["chosen"])[1])) <= 1


def test_a_wrong_peer_is_wrong():
    record, = check(library=WRONG)
    assert record["verdict"] == "wrong" and "above its claim" in record["reason"]


def test_its_record_says_whose_it_is_and_how_it_was_built(tmp_path):
    record, = check()
    assert record["peer"]["who"].startswith("FINUFFT") and record["peer"]["version"] == "9.8.7"
    assert record["peer"]["built"].startswith("unknown, file ")
    assert record["plan_s"] > 0 and record["setpts_s"] >= 0
    known = tmp_path / "libfinufft.so"
    shutil.copy(FAKE, known)
    (tmp_path / "libfinufft.so.built").write_text("2.5.1 native: gcc 14, -O3 -march=native\n")
    built, = check(library=known)
    assert built["peer"]["version"] == "2.5.1"
    assert built["peer"]["built"].startswith("native: gcc 14, -O3 -march=native, file ")
    assert built["key"] != record["key"], "another build is another result"
    ours, = check(variant="naive[.]cpu")
    assert "peer" not in ours and "setpts_s" not in ours


def test_a_wheel_is_told_from_a_native_build(tmp_path):
    package = tmp_path / "lib/python3.11/site-packages"
    (package / "finufft").mkdir(parents=True)
    (package / "finufft-2.5.1.dist-info").mkdir()
    shutil.copy(FAKE, package / "finufft/libfinufft.so")
    record, = check(library="", VIRTUAL_ENV=str(tmp_path))
    assert record["verdict"] == "pass" and record["peer"]["version"] == "2.5.1"
    assert record["peer"]["built"].startswith("wheel, baseline x86-64, file ")


def test_without_the_library_it_is_not_built(tmp_path):
    for library, why in ((tmp_path / "none.so", "none.so"), (ROOT / "README.md", "README.md")):
        result = ndft("list", "--variant", "finufft[.]cpu", library=library)
        assert "(not built)" in result.stdout and why in result.stdout
        peer = listed("finufft[.]cpu", library=library)
        assert not peer["built"] and peer["peer"]["version"] is None
        result = ndft("check", CASE, "--variant", "(naive|finufft)[.]cpu", library=library)
        assert result.returncode == 0 and "left out: finufft.cpu" in result.stderr
        record = records("check", CASE, "--variant", "(naive|finufft)[.]cpu", library=library)[-1]
        assert record["verdict"] == "not_built" and why in record["reason"]


def test_a_library_that_lacks_calls_is_none():
    other = next(Path(FAKE).parent.glob("libfake_nvml.so"))
    assert "has no function finufft_" in ndft("list", "--variant", "finufft.cpu", library=other).stdout


def test_peers_take_part_where_they_are_named():
    def named(expression):
        return [r["variant"].partition(":")[0] for r in check(variant=expression)]

    assert "finufft.cpu" in named("(naive|finufft)[.]cpu") and "finufft.cpu" in named("fi.*|finufft.cpu")
    assert "finufft.cpu" not in named(".*") and "finufft.cpu" not in named("(naive|f.*)[.]cpu")
    refused(ndft("check", CASE, "--variant", "fi.*ft[.]cpu"), 2, "spelled out")


def test_peers_are_listed_in_a_class_of_their_own():
    text = ndft("list").stdout
    peers = text[text.index("Peers:"):]
    assert "finufft.cpu" in peers and "[peer: FINUFFT, Flatiron Institute 9.8.7; unknown, file" in peers
    assert "cufinufft.cuda" in peers and "naive.cpu" not in peers


def test_peers_are_never_chosen():
    answer = json.loads(ndft("best", CASE, "--json", "--backend", "cpu").stdout)
    ids = [one["variant"] for one in answer["serve"] + answer["passed_over"]]
    assert ids and not any(id.startswith("finufft") for id in ids)


def test_knobs_and_tolerance_arrive(tmp_path):
    log = tmp_path / "log"
    knobs = ("eps=1,upsampfac=125,spread_sort=1,spread_thread=2,maxbatchsize=4,nthreads=1,fftw=measure")
    check(FAKE_FINUFFT_LOG=str(log))
    default = log.read_text().splitlines()
    log.unlink()
    records("bench", CASE, "--variant", "finufft[.]cpu", "--knob", knobs, "--budget", "0.01",
            FAKE_FINUFFT_LOG=str(log))
    asked = log.read_text().splitlines()
    assert ("dim=2 n=12x10x1 sign=-1 transforms=2" in default[0] and "type=2" in default[0]
            and "type=1" in default[1] and "sign=1" in default[1])
    assert "upsampfac=0 spread_sort=2 spread_thread=0 maxbatchsize=0" in default[0]
    assert "nthreads=0 fftw=64" in default[0], "threads are its own choice"
    assert "upsampfac=1.25 spread_sort=1 spread_thread=2 maxbatchsize=4 nthreads=1 fftw=0" in asked[0]

    def eps(line):
        return float(line.partition("eps=")[2].split()[0])
    assert 0.4e-4 < eps(default[0]) <= 1e-4
    assert eps(asked[0]) == pytest.approx(eps(default[0]) / math.sqrt(10), rel=1e-5)


@pytest.mark.parametrize("case, why", [
    (CASE + " field=smooth:9kHz t=100ms", "turns"), (CASE + " layout=interleaved", "planar"),
    (CASE + " mask=disk", "mask"), (CASE + " tol=1e-7", "above tol"),
    (CASE + " grad=random:5Hz t=5ms", "gradients")])
def test_what_it_does_not_serve_is_unsupported(case, why):
    record, = check(case)
    assert record["verdict"] == "unsupported" and why in record["reason"]


def test_what_it_refuses_is_unsupported():
    record, = records("bench", CASE, "--variant", "finufft[.]cpu", "--knob", "maxbatchsize=16")
    assert record["verdict"] == "unsupported" and "makeplan refuses this with error 9" in record["reason"]


def test_its_knobs_are_searched(tmp_path):
    result = ndft("tune", CASE, "--variant", "(naive|finufft)[.]cpu", "--time", "3", "--budget", "0.005",
                  "-o", tmp_path / "tune.jsonl")
    assert result.returncode == 0, result.stderr
    variants = {record["variant"] for record in cases(tmp_path / "tune.jsonl")}
    assert sum(variant.startswith("finufft.cpu") for variant in variants) > 5 and "finufft.cpu" in result.stdout


def test_plan_set_points_and_executions_stand_side_by_side():
    text = ndft("bench", CASE, "--variant", "(naive|tiled|finufft)[.]cpu", "--backend", "cpu", "--budget",
                "0.02", "--in-process").stdout
    table = text[text.index("plan, set-points, N executions (batch)"):].splitlines()
    columns = table[0].split("  ")
    assert [c.strip() for c in columns if c][1:] == ["plan", "set-points", "N = 1", "N = 10", "N = 100",
                                                     "each more"]
    assert [line.split(".cpu")[0] for line in table[1:4]] == ["naive", "tiled", "finufft"]
    assert text.count(" without ndft: ") == 1
    assert re.search(r"^finufft.cpu:eps=0.* without ndft: ./ndft export --sampled 'forward 2d n=12x10 .*' FOLDER && "
                     r"python3 peers/alone.py finufft FOLDER --mode batch --eps ", text, re.MULTILINE)
    assert re.search(r"(is the first to pass finufft.cpu, from \d+ executions? on|none of ours passes)", text)
    ours = ndft("bench", CASE, "--variant", "(naive|tiled)[.]cpu", "--backend", "cpu", "--budget", "0.02")
    assert "N executions" not in ours.stdout


def had_again(folder, line, *options, **environment):
    """The record of a suite's line, the command that `repro` tells of it, and what that says without ndft; what
    FINUFFT is asked then is in the folder's log."""
    suite, file = folder / "s.ndft", folder / "r.jsonl"
    suite.write_text(line + "\n")
    ndft("sweep", suite, "-o", file, "--budget", "0.01", *options, **environment)
    record, = cases(file)
    told = re.search(r"^without ndft: (.*)$", ndft("repro", record["key"], file, **environment).stdout, re.MULTILINE)[1]
    command = told.replace("FOLDER", str(folder / "export")).replace("./ndft", PROGRAM, 1)
    around = {"NDFT_FINUFFT": FAKE, "FAKE_FINUFFT_LOG": str(folder / "log"), **environment}
    alone = subprocess.run(command.replace("python3", sys.executable) + " --seconds 0.02", shell=True, cwd=ROOT,
                           capture_output=True, text=True, env=os.environ | around)
    assert alone.returncode == 0, alone.stderr
    return record, told, alone.stdout


def error_of(said):
    return float(re.search(r"rel_l2 ([^,]+),", said)[1])


@pytest.mark.parametrize("op", ["forward", "adjoint"])
def test_its_record_is_had_again_without_ndft(tmp_path, op):
    record, told, said = had_again(tmp_path, f"finufft[.]cpu upsampfac=125 : {op} 2d n=12x10 m=70 coils=2")
    assert "upsampfac=1.25 spread_sort=2" in told and record["peer"]["alone"] == told
    assert error_of(said) < 1e-6 and "finufft execute" in said


def test_only_what_can_be_had_alone_has_a_command():
    for case, modes, has in ((CASE, "batch", True), (CASE, "cold,warm,end-to-end", False),
                             ("normal 2d n=12x10 m=70", "batch", False)):
        for record in records("bench", case, "--variant", "(naive|finufft)[.]cpu", "--modes", modes, "--budget", "0.01"):
            assert record["verdict"] == "pass", record["reason"]
            assert ("alone" in record.get("peer", {})) == (has and "peer" in record)


def test_a_peer_of_uniform_transforms(tmp_path):
    known = tmp_path / "libvkfft.so"
    shutil.copy(FAKE_VKFFT, known)
    (tmp_path / "libvkfft.so.built").write_text("1.3.4 native: NVRTC 13.0\n")
    for library, shown in ((known, "[peer: VkFFT, D. Tolmachev 1.3.4; native: NVRTC 13.0, file "),
                           (tmp_path / "none.so", "(not built)"), (FAKE, "no function ndft_vkfft_plan")):
        assert shown in ndft("list", "--variant", "vkfft[.]cuda", NDFT_VKFFT=str(library)).stdout
    peer = listed("vkfft[.]cuda", NDFT_VKFFT=FAKE_VKFFT)
    assert peer["kind"] == "uniform" and peer["peer"]["built"].startswith("unknown, file ")
    refused(ndft("check", CASE, "--variant", "vkfft[.]cuda", NDFT_VKFFT=FAKE_VKFFT), 2, "serves nonuniform cases")


def test_a_vendors_library_is_a_rival_that_may_be_chosen():
    variant = listed("uniform_vendor[.]cpu")
    peer = variant["peer"]
    if not variant["built"]:
        assert peer == {"who": peer["who"], "version": None, "built": None, "chosen": True}
        return
    assert peer["who"].startswith("FFTW") and "3." in peer["version"]
    text = ndft("list").stdout
    ours = text[:text.index("Peers:")]
    assert re.search(r"^uniform_vendor[.]cpu .*\[peer: FFTW, .*fftw-3.*may be chosen\]$", ours, re.MULTILINE)
    vendor, naive = check("uniform:scfo16", "uniform_(vendor|naive)[.]cpu")[::-1]
    if "peer" not in vendor:
        vendor, naive = naive, vendor
    assert vendor["verdict"] == "pass" and vendor["peer"]["chosen"] and "setpts_s" not in vendor
    assert vendor["peer"]["built"].startswith("native") and "peer" not in naive


@pytest.mark.parametrize("mode", ["batch", "graph"])
@pytest.mark.parametrize("descriptor", [
    "scfo30*3", "dcbi8x6*2", "scfo2.9*3i1,2,40o1,3,30", "srfo12x5*2", "drfi9x4*2", "srbo10x3x4", "drbi8x6*2i1,1,7,50o1,1,14,100"])
def test_a_record_of_vkfft_is_had_again_without_ndft(tmp_path, descriptor, mode):
    log = tmp_path / "launches"
    _, told, said = had_again(tmp_path, f"vkfft[.]cuda aimThreads=64 : uniform:{descriptor}", "--modes", mode,
                              NDFT_VKFFT=FAKE_VKFFT, NDFT_CUDART=FAKE_VKFFT, FAKE_CUDA_LOG=str(log))
    assert " aimThreads=64" in told and "useLUT" not in told and f" --mode {mode} " in told
    assert error_of(said) < 1e-6 and "vkfft execute" in said
    assert log.exists() == (mode == "graph"), "a graph is captured, and its launches are timed"
    if mode == "graph":
        checked, *timed = log.read_text().split()
        assert checked == "1" and len(timed) > 5 and set(timed) == {"10"}, "a millisecond each"


def test_of_a_field_map_the_transforms_are_had_again(tmp_path):
    line = "finufft[.]cpu : forward 2d n=12x10 m=70 coils=2 field=smooth:200Hz t=5ms"
    record, told, said = had_again(tmp_path, line)
    assert f"--terms {chosen_rank(record)} " in told
    assert "no error: the transforms of" in said
    assert f"transforms={2 * chosen_rank(record)} " in (tmp_path / "log").read_text()


def test_peers_are_searched_for_as_long_as_ours(tmp_path):
    file = tmp_path / "tune.jsonl"
    ndft("tune", CASE, "--variant", "(tiled|finufft)[.]cpu", "--time", "2", "--budget", "0.1", "-o", file)
    tried = [r["variant"].partition(".")[0] for r in cases(file) if r["processes"] == 1]
    assert tried.count("tiled") > 2 and tried.count("finufft") > 2, tried
