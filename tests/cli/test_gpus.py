# SPDX-License-Identifier: Apache-2.0
"""bench --gpus: groups of devices beside the best plan of one, as many processors as are asked for."""

import os
import re
import signal
import time
from pathlib import Path

import pytest

from analysis.records import results_validate
from program import begun, lines, ndft, refused

CASE = "normal 2d n=24x24 m=900 coils=4"


def scaled(*options, case=CASE):
    result = ndft("bench", case, "--backend", "cpu", "--budget", "0.02", *options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_time_efficiency_and_bits():
    said = scaled("--gpus", "1,2,8", case="normal 3d n=16x16x16 m=5000 coils=4")
    rows = re.findall(r"^(plain|\d+) +(whole|parts) +[\d.]+ \w+ .* ([\d.]+) % +(\S+) +(.*)$", said, re.MULTILINE)
    numbers = [("plain", "whole"), ("1", "whole"), *((n, arrays) for n in "28" for arrays in ("whole", "parts"))]
    assert [row[:2] for row in rows] == numbers and rows[0][2:4] == ("100.0", "-")
    assert all(float(difference) < 2e-4 for _, arrays, _, difference, _ in rows[1:] if arrays == "whole")
    assert re.fullmatch(r"(coils|samples): \w+\.cpu.*", rows[2][4])
    for n in (2, 8):
        assert f"bits on {n} devices of 8 parts: the same as on 1" in said


def test_records(tmp_path):
    """The same on standard output and in the file, of which the schema is held by what validates it."""
    file = tmp_path / "scaling.jsonl"
    options = ("--gpus", "1,2", "--json", "-o", str(file))
    plain, one, whole, parts = lines(scaled(*options, case="adjoint 2d n=24x24 m=900 coils=4 maps=birdcage"))
    assert plain["plain"] and plain["efficiency"] == 1 and plain["split"] is None and plain["same_bits"] is None
    assert [(r["type"], r["gpus"], r["arrays"], r["plain"]) for r in (one, whole, parts)] == [
        ("scaling", 1, "whole", False), ("scaling", 2, "whole", False), ("scaling", 2, "parts", False)]
    for row in (one, whole, parts):
        assert row["efficiency"] == pytest.approx(plain["median_s"] / row["gpus"] / row["median_s"])
        assert row["same_bits"] is True and row["variant"].endswith(".cpu") or ":" in row["variant"]
    assert max(plain["rel_l2"], whole["rel_l2"]) < 1e-4 and whole["difference"] < 2e-4 and parts["rel_l2"] is None
    image = 24 * 24 * 8  # of all coils, with their maps
    samples = 900 * (4 if whole["split"] == "coils" else 2 * 4) // 2 * 8
    assert whole["moved_bytes"] == {"in": samples, "out": 0, "sum": image}
    assert parts["moved_bytes"] == {"in": 0, "out": 0, "sum": image}
    assert len(whole["samples_s"]) >= 3 and len(whole["clocks_mhz"]) == 2
    run, *held, end = lines(file.read_text())
    assert run["type"] == "run" and run["plan_cases"] == 4 and end["type"] == "end" and not end["interrupted"]
    found = [line for line in held if line["type"] == "scaling"]
    assert len(found) == 4 and {line["run"] for line in held} == {run["run"]}
    scaled("--gpus", "2", "-o", str(file))  # appends
    assert sum(line["type"] == "run" for line in lines(file.read_text())) == 2
    assert results_validate.validate(file) == ([], [])


MAPPED = "normal 2d n=24x24 m=900 coils=4 maps=birdcage"


@pytest.mark.parametrize("operation", ["forward", "adjoint", "normal"])
def test_ranks(operation):
    """Processes have the time of the slowest, the plain plan's result, and the bits of one device."""
    case = MAPPED.replace("normal", operation)
    said = scaled("--ranks", "1,2,4", case=case)
    rows = re.findall(r"^(plain|\d ranks) +(whole|parts) +[\d.]+ \w+ .* ([\d.]+) % +(\S+) ", said, re.MULTILINE)
    assert [row[:2] for row in rows] == [("plain", "whole"), ("1 ranks", "whole"), *(
        (f"{n} ranks", arrays) for n in "24" for arrays in ("whole", "parts"))]
    assert all(float(difference) < 2e-4 for _, arrays, _, difference in rows[1:] if arrays == "whole")
    for n in (2, 4):
        assert f"bits on {n} ranks of 8 parts: the same as on 1" in said


def test_conjugate_gradients(tmp_path):
    """In groups of either kind, whole and in parts, they come to what one device has, and nearer the more there are."""
    file = tmp_path / "cg.jsonl"
    rows = lines(scaled("--gpus", "2", "--ranks", "2", "--cg", "4", "--json", "-o", file, case=MAPPED))
    assert [(r["ranks"], r["arrays"]) for r in rows] == [(False, "whole")] * 2 + [(False, "parts"), (True, "whole"), (True, "parts")]
    assert all(r["iterations"] == 4 and r["rel_l2"] is None for r in rows)
    assert all(r["difference"] < 2e-4 and r["same_bits"] for r in rows[1:])
    for row in rows[1:]:
        assert row["residual"] == pytest.approx(rows[0]["residual"], rel=1e-2)
        assert row["efficiency"] == pytest.approx(rows[0]["median_s"] / 2 / row["median_s"])
    more = lines(scaled("--gpus", "1", "--cg", "12", "--json", case=MAPPED))
    assert more[0]["residual"] < .2 * rows[0]["residual"]
    assert results_validate.validate(file) == ([], [])


def test_equations_that_are_solved_stay_so():
    """One voxel is solved in one step: nothing is left for those that follow, in groups or without."""
    rows = lines(scaled("--gpus", "2", "--cg", "40", "--json", case="normal 1d n=1 m=9 coils=3 maps=birdcage"))
    assert all(r["residual"] < 1e-6 and r["same_bits"] in (None, True) for r in rows) and rows[1]["difference"] < 2e-4


@pytest.mark.parametrize("case, after_s", [(MAPPED, 0), (MAPPED.replace("24x24 m=900", "128x128 m=16000"), 4)])
def test_a_rank_that_is_killed(case, after_s):
    """While it begins or works: its group has no result, and nothing hangs."""
    with begun("bench", case, "--ranks", "2", "--backend", "cpu", "--budget", "60") as bench:
        children = Path(f"/proc/{bench.pid}/task/{bench.pid}/children")
        while bench.poll() is None and not children.read_text():
            time.sleep(.01)
        time.sleep(after_s)
        os.kill(int(children.read_text()), signal.SIGKILL)
        assert "rank 1" in bench.communicate(timeout=60)[1] and bench.returncode == 3


@pytest.mark.parametrize("ranks, moment, words", [
    ("2", "listening", "1 of 2 ranks came within 15 s, rank 1 did not"),
    ("3", "connecting", "rank 2 of 3 is gone, before all ranks had met")])
def test_a_rank_that_is_killed_while_ranks_meet(ranks, moment, words):
    """Before its hello to the first one, or behind that and before it connects to others: all end in less than 30 s."""
    options = f"{os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0"
    start = time.monotonic()
    result = ndft("bench", MAPPED, "--ranks", ranks, "--backend", "cpu", "--budget", "60", NDFT_DIES=moment,
                  LD_PRELOAD=os.environ["NDFT_DIES_MEETING"], ASAN_OPTIONS=options)
    refused(result, 3, words)
    assert time.monotonic() - start < 30


def test_ranks_go_with_who_started_them():
    """Killed before they have met: nobody goes on looking for the first one."""
    with begun("bench", MAPPED, "--ranks", "3", "--backend", "cpu", "--budget", "60") as bench:
        children = Path(f"/proc/{bench.pid}/task/{bench.pid}/children")
        while bench.poll() is None and len(children.read_text().split()) < 2:
            time.sleep(.001)
        ranks = [Path("/proc", one, "cmdline") for one in children.read_text().split()]
        bench.kill()
        bench.communicate(timeout=60)
    until = time.monotonic() + 20
    while any(rank.exists() and rank.read_bytes() for rank in ranks) and time.monotonic() < until:
        time.sleep(.05)
    assert not any(rank.exists() and rank.read_bytes() for rank in ranks)


@pytest.mark.parametrize("operation", ["forward", "adjoint", "normal"])
def test_sums_by_name(operation):
    said = scaled("--gpus", "2,3", "--variant", "tiled.cpu", case=CASE.replace("normal", operation))
    assert ("voxels: tiled.cpu" if operation == "adjoint" else "samples: tiled.cpu") in said
    assert "bits on 3 devices: not compared, 8 parts are not as many on each" in said


def test_fewer_samples_than_parts():
    said = scaled("--gpus", "2", "--variant", "naive.cpu", case="forward 1d n=8 m=5")
    assert "bits: not compared, 5 samples are less than one for each of 8 parts" in said


@pytest.mark.parametrize("numbers,words", [
    ("0", ["--gpus 0; 1 to 64 of cpu, nearest: 1"]), ("65", ["--gpus 65; 1 to 64 of cpu, nearest: 64"]),
    ("2,x", ["--gpus 'x'; numbers of devices"]), ("", ["--gpus ''"]), ("-1", ["--gpus '-1'"]),
    ("99999999999999999999", ["nearest: 64"]), ("1,1,1,1,1,1,1,1,1", ["more than 8 numbers"])])
def test_numbers(numbers, words):
    refused(ndft("bench", CASE, "--gpus", numbers, "--backend", "cpu"), 2, *words)


def test_more_gpus_than_there_are():
    refused(ndft("bench", CASE, "--gpus", "65", "--backend", "cuda"), 2, "--gpus", "nearest: ")


def test_what_goes_without():
    refused(ndft("bench", CASE, "--gpus", "2", "--modes", "cold"), 2, "--gpus goes without --knob, --modes")
    refused(ndft("bench", CASE, "--ranks", "65", "--backend", "cpu"), 2, "--ranks 65; 1 to 64 of cpu, nearest: 64")
    refused(ndft("bench", MAPPED, "--cg", "3"), 2, "--cg is of groups; nearest: --gpus 1 --cg 3")
    for case in (CASE, MAPPED.replace("normal", "adjoint")):
        refused(ndft("bench", case, "--gpus", "1", "--cg", "3", "--backend", "cpu"), 2, "--cg solves equations")
    refused(ndft("bench", CASE, "-o", "x.jsonl"), 2, "bench writes files of --gpus alone; nearest: sweep --case")
    refused(ndft("bench", "uniform:scfo64*8", "--gpus", "2", "--backend", "cpu"), 2, "--gpus divides cases")
    refused(ndft("bench", CASE, "--gpus", "2", "--backend", "gpu"), 2, "nearest: cpu")
    refused(ndft("bench", CASE, "--gpus", "2", "--backend", "cpu", "--variant", "tilde.cpu"), 2, "nearest: tiled.cpu")


def test_a_suite_has_groups(tmp_path):
    """Cases of groups go into the sweep's file behind the others, and are not measured again."""
    suite, file = tmp_path / "s.ndft", tmp_path / "s.jsonl"
    suite.write_text("""
        .*[.]cpu gpus={1,2} : normal 2d n=24x24 m=900 coils=4
        tiled[.]cpu gpus=2 tile=64 : forward 2d n=24x24 m=900
        tiled[.]cpu : forward 2d n=24x24 m=900
    """)
    said = ndft("sweep", suite, "--plan").stdout
    assert "best on 1,2 devices" in said and "tiled.cpu:tile=64 on 2 devices" in said and said.endswith(
        "1 results in 1 groups, 2 cases for several devices\n")
    swept = ndft("sweep", suite, "--budget", "0.02", "-o", file)
    found = r"m=900 coils=4: 1 whole [\d.]+ %, 2 whole [\d.]+ %, 2 parts [\d.]+ %, in \d+ s\n"
    assert swept.returncode == 0 and re.search(found, swept.stderr)
    held = [line for line in lines(file.read_text()) if line["type"] == "scaling"]
    assert [(r["gpus"], r["plain"]) for r in held] == [(1, True), (1, False), (2, False), (2, False),
                                                      (1, True), (2, False), (2, False)]
    assert all(r["variant"].startswith("tiled.cpu:tile=64") for r in held[4:])
    assert results_validate.validate(file) == ([], [])
    assert ndft("sweep", suite, "--budget", "0.02", "-o", file, "--resume").returncode == 0
    assert sum(line["type"] == "scaling" for line in lines(file.read_text())) == 7
    suite.write_text("tiled[.]cpu gpus=2 tile={64,128} : forward 2d n=24x24 m=900\n")
    assert ndft("sweep", suite, "--budget", "0.02", "-o", file, "--resume").returncode == 0
    ids = [line["variant"] for line in lines(file.read_text()) if line["type"] == "scaling"]
    assert len(ids) == 10 and all(one.startswith("tiled.cpu:tile=128") for one in ids[7:]), "other knobs are not it"
    suite.write_text(".*[.]cpu gpus=2 : forward 2d n=24x24 m=900\n")
    assert ndft("sweep", suite, "--budget", "0.02", "-o", file, "--resume").returncode == 0
    held = [line for line in lines(file.read_text()) if line["type"] == "scaling"]
    assert len(held) == 13 and all(line["asked"] == "" for line in held[10:]), "nor is one that was asked for the best"
    suite.write_text(f"tiled[.]cpu gpus=2 ranks={{2,3}} cg=2 : {MAPPED}\n")
    assert "tiled.cpu on 2 devices, 2,3 ranks, 2 iterations" in ndft("sweep", suite, "--plan").stdout
    for _ in range(2):
        swept = ndft("sweep", suite, "--budget", "0.02", "-o", file, "--resume")
        held = [line for line in lines(file.read_text()) if line["type"] == "scaling"]
        assert swept.returncode == 0 and [(r["gpus"], r["ranks"], r["arrays"]) for r in held[13:]] == [
            (1, False, "whole"), (2, False, "whole"), (2, False, "parts"),
            *((n, True, arrays) for n in (2, 3) for arrays in ("whole", "parts"))]
        assert all(line["iterations"] == 2 for line in held[13:])
    assert results_validate.validate(file) == ([], [])
    refused(ndft("sweep", "--case", "(tiled|naive)[.]cpu gpus=2 : forward 2d n=24x24 m=900", "-o", file, "--force"), 2,
            "gpus= is of one engine, with its knobs, or of all without", "nearest: .*[.]cpu")


def test_a_case_that_cannot_be_measured_is_told_of(tmp_path):
    result = ndft("sweep", "--case", ".*[.]cpu gpus=2 : forward 2d n=24x24 m=1", "-o", tmp_path / "x.jsonl")
    assert result.returncode == 1 and "ended with exit code 2" in result.stderr and "1 parts at most" in result.stderr


@pytest.mark.parametrize("number,words", [
    ("0", "gpus=0; 1 to 64 devices, nearest: 1"), ("65", "gpus=65; 1 to 64 devices, nearest: 64"),
    ("x", "gpus=x; 1 to 64"), ("", "gpus=; 1 to 64"), ("-1", "nearest: 1"), ("99999999999999999999", "nearest: 64"),
    ("{1,2,3,4,5,6,7,8,9}", "gpus=9 is one more than 8 numbers")])
def test_numbers_of_a_suite(number, words):
    """Refused before anything is run."""
    refused(ndft("sweep", "--plan", "--case", f"naive[.]cpu gpus={number} : {CASE}"), 2, words)
    ranks = words.replace("gpus=", "ranks=")
    refused(ndft("sweep", "--plan", "--case", f"naive[.]cpu ranks={number} : {CASE}"), 2, ranks)


def test_iterations_of_a_suite():
    refused(ndft("sweep", "--plan", "--case", f"naive[.]cpu gpus=2 cg=0 : {CASE}"), 2, "cg=0; 1 to 1000, nearest: 1")
    refused(ndft("sweep", "--plan", "--case", f"naive[.]cpu cg=2 : {CASE}"), 2, "cg")


def test_a_file_that_cannot_be_written(tmp_path):
    """Said before anything is measured."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "text.jsonl").write_text("no record\n")
    for name, code in (("folder.jsonl", 3), ("text.jsonl", 2)):
        result = ndft("bench", CASE, "--gpus", "2", "--backend", "cpu", "--budget", "0.02", "-o", tmp_path / name)
        assert result.returncode == code and name in result.stderr and not result.stdout
