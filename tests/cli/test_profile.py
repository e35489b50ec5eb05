# SPDX-License-Identifier: Apache-2.0
"""ndft profile by itself, and the front end around it with stand-ins for ncu and nsys."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from program import PROGRAM, ROOT, ndft, records, refused, surroundings
import test_counters
from synthetic import run_line, write
from test_cli import CASE

ID = "tiled.cpu:tile=256,outputs=4,threads=0,sincos=auto"


def profile(*arguments, tools=None, program=PROGRAM):
    """The Python front end, with only the tools of one folder to be found."""
    path = f"{tools}:/usr/bin:/bin" if tools else "/usr/bin:/bin"
    return subprocess.run([sys.executable, "-m", "analysis", "profile", *map(str, arguments)],
                          capture_output=True, text=True, timeout=60,
                          env=surroundings(PATH=path, PYTHONPATH=str(ROOT), NDFT_PROGRAM=str(program)))


def tool(folder, name, body):
    """A program that runs what stands behind its own options, and body before."""
    file = folder / name
    file.write_text("#!/bin/sh\n" + body + "\n"
                    'while [ "${1##*/}" != ndft ]; do shift; done\nexec "$@"\n')
    file.chmod(0o755)
    return folder


@pytest.fixture
def as_cuda(tmp_path):
    """The program where NAME.cuda is built: it runs NAME.cpu."""
    program = tmp_path / "program" / "ndft"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nfor word; do\n    shift\n"
                       "    case $word in *.cuda*) word=${word%%.cuda*}.cpu${word#*.cuda};; esac\n"
                       '    set -- "$@" "$word"\ndone\n'
                       f'exec "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    return program


@pytest.fixture
def ncu(tmp_path):
    """An ncu that writes the table of test_counters as its report wherever --export says, and prints a report."""
    (tmp_path / "table.csv").write_text(test_counters.wide())
    (tmp_path / "bin").mkdir()
    return tool(tmp_path / "bin", "ncu", '[ "$1" != --import ] || exec cat "$2"\nlast=\nfor word; do\n'
                '    [ "$last" != --export ] || cp "' + str(tmp_path) + '/table.csv" "$word"\n'
                '    last=$word\ndone')


def test_one_line_says_what_was_run():
    result = ndft("profile", CASE, "--variant", "tiled.cpu", "-n", "3", "--json")
    line = json.loads(result.stdout)
    assert line["variant"] == ID and line["launches"] == 3 and line["seconds"] > 0
    assert line["case"].startswith("forward 2d n=6x5 m=20") and "seed=1" in line["case"]
    assert line["cost"]["issue_slots"] > 0 and line["run"]["devices"]["cpu"]["slug"]
    assert line["end"]["run"] == line["run"]["run"]


def test_the_model_needs_no_run():
    declared = json.loads(ndft("profile", CASE, "--variant", "tiled.cpu", "--model").stdout)
    ran = json.loads(ndft("profile", CASE, "--variant", "tiled.cpu", "--json").stdout)
    assert declared["cost"] == ran["cost"]
    assert declared["run"] is None and declared["seconds"] is None


def test_it_says_why_it_cannot():
    refused(ndft("profile", CASE), 2, "--variant")
    refused(ndft("profile", CASE, "--variant", "tild.cpu"), 2, "nearest: tiled.cpu")
    refused(ndft("profile", CASE, "--variant", "tiled.cpu:tiel=4"), 2, "nearest: tile")
    refused(ndft("profile", CASE + " tol=1e-9", "--variant", "tiled.cpu"), 2, "above tol")
    refused(ndft("profile", CASE + " tol=1e-9", "--variant", "tiled.cpu", "--no-check"), 2,
            "above tol")
    refused(ndft("profile", CASE, "--variant", "tiled.cpu", "--tool", "ncu"), 2, "./ndft profile")


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
@pytest.mark.skipif(b"__asan_init" in Path(PROGRAM).read_bytes(),
                    reason="valgrind runs no program that was built with sanitizers")
def test_exactly_so_many_executions(tmp_path):
    """Three to warm up and those asked for, by the instructions spent in them."""
    def instructions(launches):
        out = tmp_path / f"{launches}.out"
        subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                        "--toggle-collect=ndft_prepared_execute", PROGRAM, "profile",
                        "forward 2d n=16x16 m=512", "--variant", "naive.cpu", "--no-check",
                        "--launches", str(launches)], check=True, capture_output=True,
                       env=surroundings(OMP_NUM_THREADS="1", LD_BIND_NOW="1"))
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])
    few, many = instructions(1), instructions(11)
    assert few / ((many - few) / 10) == pytest.approx(4, rel=0.02)


def test_dry_runs_print_the_command_line(tmp_path):
    out = tmp_path / "p"
    for name in ("ncu", "nsys"):
        result = profile(CASE, "--variant", "tiled.cuda", "--tool", name, "-n", 4, "-o", out,
                         "--dry-run")
        assert result.returncode == 0 and result.stdout.startswith(f"{name} "), result.stderr
        assert f"'{CASE}' --variant tiled.cuda --launches 4 --json" in result.stdout
    assert "--capture-range=cudaProfilerApi" in result.stdout
    assert not list(tmp_path.iterdir())


def test_ncu_is_asked_only_for_the_range_and_leaves_clocks_alone():
    said = profile(CASE, "--variant", "tiled.cuda", "--dry-run").stdout
    assert "--clock-control none --profile-from-start off" in said
    assert "--set full" in said and "--import-source yes" in said
    assert test_counters.OPS("ffma") in said and "ops_path_tensor" not in said


def test_counters_are_recorded(ncu, as_cuda, tmp_path):
    out = tmp_path / "deep" / "p"
    result = profile(CASE, "--variant", "tiled.cuda", "-n", 2, "-o", out, tools=ncu,
                     program=as_cuda)
    assert result.returncode == 0, result.stderr
    assert "declared fields" in result.stdout and "fma: measured 1e+06" in result.stdout
    assert Path(f"{out}.ncu-rep").is_file() and Path(f"{out}.csv").read_text() == test_counters.wide()
    run, counter, end = records(f"{out}.jsonl")
    assert (run["type"], counter["type"], end["type"]) == ("run", "counter", "end")
    assert counter["measured"]["fma"] == test_counters.COST["fma"] and "fma" in counter["differs"]
    assert counter["variant"] == ID and counter["launches"] == 2
    valid = subprocess.run([sys.executable, "-m", "analysis", "results", "validate",
                            f"{out}.jsonl"], capture_output=True, text=True, cwd=ROOT)
    assert valid.returncode == 0, valid.stdout + valid.stderr


def test_what_was_profiled_elsewhere_is_imported(ncu, as_cuda, tmp_path):
    out, again = tmp_path / "p", tmp_path / "again.jsonl"
    profile(CASE, "--variant", "tiled.cuda", "-n", 2, "-o", out, tools=ncu, program=as_cuda)
    result = profile("--import", f"{out}.csv", "-o", again)
    assert result.returncode == 0, result.stderr
    assert again.read_text() == Path(f"{out}.jsonl").read_text()


def test_a_table_of_ncu_alone_needs_its_case(tmp_path):
    table, file = tmp_path / "t.csv", tmp_path / "r.jsonl"
    table.write_text(test_counters.long())
    refused(profile("--import", table), 2, "--variant")
    arguments = ["--import", table, CASE, "--variant", "tiled.cpu", "-n", 2]
    assert profile(*arguments).returncode == 0
    refused(profile(*arguments, "-o", file), 2, "r.jsonl", "run")
    write(file, run_line("r7"))
    assert profile(*arguments, "-o", file).returncode == 0
    assert records(file)[1]["run"] == "r7"


def test_what_is_missing_or_forbidden_is_explained(as_cuda, tmp_path):
    def tried(*options, tools=None):
        return profile(CASE, "--variant", "tiled.cuda", "-o", tmp_path / "p", *options,
                       tools=tools, program=as_cuda)
    refused(tried(), 3, "ncu is not in PATH")
    refused(tried("--tool", "nsys"), 3, "nsys is not in PATH")
    forbidden = tool(tmp_path, "ncu", "echo '==ERROR== ERR_NVGPUCTRPERM - The user'; exit 1")
    refused(tried(tools=forbidden), 3, "CAP_SYS_ADMIN")
    failing = tool(tmp_path, "ncu", "echo '==ERROR== something new' >&2; exit 9")
    refused(tried(tools=failing), 3, "exit status 9", "something new")
    unread = tool(tmp_path, "ncu", '[ "$1" != --import ] || { echo "no report" >&2; exit 7; }')
    refused(tried(tools=unread), 3, "ncu --import", "exit status 7", "no report")


def test_a_wrong_variant_is_refused_before_any_tool(ncu, tmp_path):
    refused(profile(CASE, "--variant", "tild.cuda", "-o", tmp_path / "p", tools=ncu), 2, "nearest")
    assert not (tmp_path / "p.csv").exists()


@pytest.mark.parametrize("name", ["ncu", "nsys"])
@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_nsight_sees_no_processor(name, more):
    result = profile(CASE, "--variant", "tiled.cpu:tile=64", "--tool", name, *more)
    refused(result, 2, "tiled.cpu runs on the processor", name, "perf record")
    assert not result.stdout
    bare = profile(CASE, "--variant", "tiled.cpu", "--tool", "none", "--dry-run")
    assert bare.returncode == 0 and "profile" in bare.stdout
