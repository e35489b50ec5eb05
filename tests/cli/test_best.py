# SPDX-License-Identifier: Apache-2.0
"""The decision in use: `ndft best`, and --variant best on check, bench and run."""

import json
import os
import subprocess

import pytest

from program import PROGRAM
from synthetic import case_line, run_line, write

from analysis.__main__ import main

CASE = ("forward 2d n=12x10 m=200 traj=random:1 t=5ms field=random:50Hz grad=none mask=none "
        "coils=1 layout=planar prec=f32 tol=1e-4 data=random seed=1")
PICK = "tiled.cpu:tile=64,outputs=2,threads=0,sincos=auto"


def ndft(*arguments, select):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "NDFT_SELECT": str(select)})


def answer(select, *arguments):
    done = ndft("best", "--json", "--backend", "cpu", CASE, *arguments, select=select)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[0])


@pytest.fixture
def select(tmp_path):
    """Decisions of this machine and this build: tiled before naive for small 2D problems."""
    listed = json.loads(ndft("list", "--json", select="").stdout)["variants"]
    builds = {f"{v['name']}.{v['backend']}": v["build_id"] for v in listed}
    run = run_line(backends=("cpu",))
    run["devices"]["cpu"] = run["devices"]["cpu"] | {"slug": answer("nosuch")["device"]}
    write(tmp_path / "a.jsonl", run,
          case_line(PICK, 2e9, case=CASE, build_id=builds["tiled.cpu"], key="feed"),
          case_line("naive.cpu", 1e8, case=CASE, build_id=builds["naive.cpu"]))
    assert main(["select", str(tmp_path / "a.jsonl")]) == 0
    return tmp_path / "select.json"


def test_the_choice_and_its_record(select):
    found = answer(select)
    assert (found["variant"], found["match"], found["record"]) == (PICK, "exact", "feed")
    assert found["text"] == f"{PICK} by record feed of {select} (exact)"
    text = ndft("best", "--backend", "cpu", CASE, CASE.replace("12x10", "90x90"), select=select)
    exact, near = text.stdout.splitlines()
    assert exact.endswith("(exact)") and f"(near, 6.1 from '{CASE[:40]}" in near


def test_without_a_decision_the_default_order(tmp_path):
    found = answer(tmp_path / "select.json")
    assert (found["variant"], found["match"]) == ("naive.cpu", "default")
    assert "No such file" in found["text"]


def test_another_build_makes_it_stale(select):
    select.write_text(select.read_text().replace('"tiled.cpu": "', '"tiled.cpu": "0'))
    found = answer(select)
    assert found["match"] == "default" and "is stale: tiled.cpu has changed since" in found["text"]


@pytest.mark.parametrize("verb", ["check", "bench"])
def test_only_the_chosen_one_runs(select, verb):
    done = ndft(verb, CASE, "--variant", "best", "--backend", "cpu", "--json", select=select)
    assert done.returncode == 0, done.stderr
    assert f"{PICK} by record feed of {select} (exact)" in done.stderr
    (record,) = map(json.loads, done.stdout.splitlines())
    assert record["variant"] == PICK and record["verdict"] == "pass"
    done = ndft(verb, CASE, "--variant", "best", "--backend", "cpu", select=select)
    assert f"{PICK} by record feed" in done.stdout and "naive" not in done.stdout


def test_its_output_is_written(select, tmp_path):
    if '"cuda"' in ndft("best", "--json", CASE, select=select).stdout:
        pytest.skip("a CUDA device is here, and goes before the processor")
    done = ndft("run", CASE, "--variant", "best", "--out", str(tmp_path / "o.npy"), select=select)
    assert done.returncode == 0 and "by record feed" in done.stdout, done.stderr
    assert (tmp_path / "o.npy").stat().st_size > 200 * 8


def test_what_cannot_be_chosen_is_refused(select):
    done = ndft("bench", CASE, "--variant", "best", "--knob", "tile=32", select=select)
    assert done.returncode == 2 and "sets its knobs itself" in done.stderr
    done = ndft("check", CASE.replace("tol=1e-4", "tol=1e-9"), "--variant", "best", "--backend",
                "cpu", select=select)
    assert done.returncode == 2 and "no variant on cpu fits this problem" in done.stdout
    done = ndft("best", CASE, "--backend", "cup", select=select)
    assert done.returncode == 2 and "there is no backend 'cup'" in done.stderr
    done = ndft("best", "forward 2d n=3 m=4", select=select)
    assert done.returncode == 2
