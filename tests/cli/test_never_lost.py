# SPDX-License-Identifier: Apache-2.0
"""Nothing that exists is destroyed, nothing is lost in silence: names, full disks, signals."""

import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from program import ROOT, SANITIZED, begun, cases, ndft, records

CASE = "forward 2d n=6x5 m=200"
LINE = f"naive[.]cpu : {CASE}"
QUICK = ["--budget", "0.01"]


def one_line(result, status, *words):
    """The status, and on stderr one line of the program that has the words."""
    said = [line for line in result.stderr.splitlines() if line.startswith("ndft: ")]
    assert result.returncode == status and said, result.stderr
    for word in words:
        assert word in said[-1], result.stderr


def test_sweeps_of_one_second_have_files_of_their_own(tmp_path):
    """More of them than seconds go by, so that some begin in the same one."""
    started = [begun("sweep", "--case", LINE, *QUICK, cwd=tmp_path, stderr=subprocess.DEVNULL) for _ in range(6)]
    assert [process.wait(timeout=60) for process in started] == [0] * 6
    found = [records(file) for file in tmp_path.glob("results/*/case-*.jsonl")]
    assert [[record["type"] for record in of] for of in found] == [["run", "case", "end"]] * 6
    assert len({run["run"] for run, *_ in found}) == 6


@pytest.mark.parametrize("verb", [["sweep", "--case", LINE, *QUICK],
                                  ["tune", CASE, "-v", "naive[.]cpu", "--time", "0.1"]])
def test_records_are_replaced_by_force_alone(tmp_path, verb):
    out = tmp_path / "out.jsonl"
    assert ndft(*verb, "-o", out).returncode == 0
    before = out.read_text()
    one_line(ndft(*verb, "-o", out), 2, "out.jsonl", "--force", "--resume")
    assert out.read_text() == before
    assert ndft(*verb, "-o", out, "--force").returncode == 0
    assert out.read_text() != before and out.read_text().count('"type":"run"') == 1


@pytest.mark.parametrize("how", [[], ["--resume"], ["--force"]])
def test_what_is_no_record_file_is_no_output(tmp_path, how):
    suite = tmp_path / "suite"
    suite.write_text(LINE + "\n")
    one_line(ndft("sweep", suite, "-o", suite, *QUICK, *how), 2, "suite", "no record file")
    assert suite.read_text() == LINE + "\n"


def test_an_empty_file_and_force_without_one_are_no_matter(tmp_path):
    out = tmp_path / "out.jsonl"
    out.touch()
    assert ndft("sweep", "--case", LINE, *QUICK, "-o", out).returncode == 0
    new = tmp_path / "new.jsonl"
    assert ndft("sweep", "--case", LINE, *QUICK, "-o", new, "--force").returncode == 0
    one_line(ndft("sweep", "--case", LINE, "-o", out, "--force", "--resume"), 2, "--force")


SLOW = "naive[.]cpu : forward 2d n={8x8,40x40,41x41,42x42,43x43,44x44} m=2000"


def under_way(*arguments, **options):
    """A sweep that would go on for minutes, after its first result."""
    process = begun("sweep", "--case", SLOW, "--budget", "30", *arguments, **options)
    while "ETA" not in process.stderr.readline():
        assert process.poll() is None
    return process


def test_a_file_belongs_to_one_sweep(tmp_path):
    out = tmp_path / "out.jsonl"
    process = under_way("-o", out)
    for more in [], ["--resume"]:
        one_line(ndft("sweep", "--case", SLOW, "-o", out, *more), 3, "another sweep")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert [r["type"] for r in records(out)][:2] == ["run", "case"]


def test_a_folder_deleted_meanwhile_is_an_error(tmp_path):
    out = tmp_path / "folder" / "out.jsonl"
    line = "naive[.]cpu : forward 2d n=6x5 m={20,21,22,23,24,25}"
    process = begun("sweep", "--case", line, "--budget", "0.5", "-o", out)
    while not out.exists():
        time.sleep(0.01)
    out.unlink()
    out.parent.rmdir()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 3 and "out.jsonl was deleted while it was written" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_every_signal_that_ends_programs_leaves_a_file_to_go_on_with(tmp_path, number):
    out = tmp_path / "out.jsonl"
    process = under_way("-o", out)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 4 and "--resume" in said
    end = records(out)[-1]
    assert end["type"] == "end" and end["interrupted"] is True and 1 <= len(cases(out)) < 6
    again = ndft("sweep", "--case", SLOW, *QUICK, "-o", out, "--resume")
    assert again.returncode == 0, again.stderr
    whole = [r["key"] for r in cases(out) if r["stop"] != "interrupted"]
    assert len(whole) == len(set(whole)) == 6


def test_under_nohup_a_hangup_is_nothing(tmp_path):
    process = under_way("-o", tmp_path / "out.jsonl",
                        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 4


def test_a_reader_that_goes_ends_the_sweep():
    line = ".*[.]cpu : forward 2d n=8x8 m={64,65,66,67,68,69}"
    process = begun("sweep", "--case", line, *QUICK, "-o", "/dev/stdout", stdout=subprocess.PIPE)
    assert '"type":"run"' in process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    assert process.wait(timeout=30) == 3 and "Broken pipe" in said


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL])
def test_a_full_disk_tears_no_line(tmp_path, handler):
    def allow_6000_bytes():
        """Files of this process end as on a full disk: with a line cut short, then an error."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
        signal.signal(signal.SIGXFSZ, handler)

    out = tmp_path / "out.jsonl"
    line = "naive[.]cpu : forward 2d n=8x8 m={7,8,9,10,11,12,13,14}"
    sweep = ["sweep", "--case", line, "-o", out, *QUICK]
    one_line(ndft(*sweep, preexec_fn=allow_6000_bytes), 3, "out.jsonl: File too large")
    kept = records(out)
    assert 1 < len(kept) < 9 and kept[0]["type"] == "run" and out.read_text().endswith("\n")
    assert kept[-1]["type"] == "case" or kept[-1]["interrupted"]
    assert ndft(*sweep, "--resume").returncode == 0
    keys = [r["key"] for r in cases(out)]
    assert len(keys) == len(set(keys)) == 8


PRINTING = [["list"], ["list", "--json"], ["list", "--explain", CASE, "-v", "naive[.]cpu"],
            ["check", CASE, "-v", "naive[.]cpu"], ["check", CASE, "-v", "naive[.]cpu", "--json"],
            ["bench", CASE, "-v", "naive[.]cpu", *QUICK], ["best", CASE, "--backend", "cpu"],
            ["profile", CASE, "-v", "naive.cpu", "--model"], ["sweep", "--case", LINE, "--plan"],
            ["doctor"], ["--version"], ["--help"], ["sweep", "--help"]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="skipped: there is no /dev/full here")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_full_standard_output_is_an_error(arguments):
    with open("/dev/full", "w") as full:
        result = ndft(*arguments, stdout=full)
    one_line(result, 3, "standard output: No space left on device")


# Compared one by one with those before, this many would take minutes.
MANY = "(naive|tiled)[.]cpu : forward 2d n=8x8 m=64 seed=1:100000:+1"


def test_planning_takes_as_long_as_the_plan():
    start = time.monotonic()
    assert "200000 results in 100000 groups" in ndft("sweep", "--case", MANY, "--plan").stdout
    assert time.monotonic() - start < 20


def test_planning_hears_signals():
    process = begun("sweep", "--case", MANY, "--plan")
    caught = re.compile(r"^SigCgt:\s*(\w+)", re.MULTILINE)
    status, bit = Path(f"/proc/{process.pid}/status"), 1 << (signal.SIGTERM - 1)
    while not int(caught.search(status.read_text())[1], 16) & bit:
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 4 and said.endswith("ndft: interrupted\n")


@pytest.mark.parametrize("expression", ["((((a{1,200}){1,200}){1,200}){1,200}){1,200}", "a{256}",
                                        "(a{16,}){17}"])
def test_expressions_that_repeat_without_end_are_refused(expression):
    most = resource.RLIM_INFINITY if SANITIZED else 1 << 32  # terabytes of addresses at once
    start = time.monotonic()
    one_line(ndft("list", "-v", expression, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_AS, (most, most))), 2, "255")
    assert time.monotonic() - start < 5
    assert ndft("list", "-v", "n{1,2}aive[.]cpu").returncode == 0


@pytest.mark.parametrize("arguments", [["\x1b[31mlist"], ["check", "\x1b[31m 2d n=4x4 m=3"],
                                       ["check", CASE, "-v", "\x1b]0;owned\x07"],
                                       ["check", CASE + " traj=file:\x1b[2J\x9b\u0085.npy"],
                                       ["sweep", "\x1b[31m\r\nndft: all is well"],
                                       ["sweep", "--case", "\x1b[31m : " + CASE],
                                       ["run", CASE, "-v", "\x1b[31m", "-o", "x.npy"]])
def test_what_a_terminal_would_obey_is_shown_instead(arguments):
    result = ndft(*arguments)
    assert result.returncode in (2, 3) and "\\x1b" in result.stderr
    shown = result.stdout + result.stderr
    assert all(c == "\n" or c.isprintable() for c in shown) and result.stderr.count("\n") == 1


OUT = ["run", CASE, "-v", "naive.cpu", "-o"]


def test_an_output_replaces_its_own_kind_alone(tmp_path):
    out, notes = tmp_path / "out.npy", tmp_path / "notes"
    notes.write_text("mine")
    assert [ndft(*OUT, out).returncode for _ in range(2)] == [0, 0]
    one_line(ndft(*OUT, notes), 2, "notes", "another kind", "choose another name")
    assert notes.read_text() == "mine"
    link = tmp_path / "link.npy"
    link.symlink_to(out)
    before = out.stat().st_ino
    assert ndft(*OUT, link).returncode == 0 and link.is_symlink() and out.stat().st_ino != before
    assert ndft(*OUT, "/dev/null").returncode == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.npy", "notes", "out.npy"]


def test_an_export_replaces_an_export_alone(tmp_path):
    assert [ndft("export", CASE, tmp_path / "case").returncode for _ in range(2)] == [0, 0]
    for name, words in (("case.txt", "holds no case"), ("k.npy", "another kind")):
        folder = tmp_path / f"with {name[:-4]}"
        folder.mkdir()
        (folder / name).write_text("mine")
        one_line(ndft("export", CASE, folder), 2, name, words)
        assert (folder / name).read_text() == "mine"


@pytest.mark.parametrize("verb", [[*OUT, "out.npy"], ["export", CASE, "."]])
def test_a_full_disk_leaves_what_was_there(tmp_path, verb):
    assert ndft(*verb, cwd=tmp_path).returncode == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = ndft(*verb, cwd=tmp_path,
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
    one_line(result, 3, "File too large")
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


RECORDS = ROOT / "tests" / "data" / "a.jsonl"


@pytest.mark.parametrize("verb, name", [(["results", "merge", RECORDS], "all.jsonl"),
                                        (["results", "export", "--csv", RECORDS], "all.csv")])
def test_what_is_made_of_records_replaces_its_own_kind_alone(tmp_path, verb, name):
    main = pytest.importorskip("analysis.__main__").main
    out = tmp_path / name
    assert [main([*map(str, verb), "-o", str(out)]) for _ in range(2)] == [0, 0]
    out.write_text("mine")
    assert main([*map(str, verb), "-o", str(out)]) == 2
    assert out.read_text() == "mine" and list(tmp_path.iterdir()) == [out]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="skipped: there is no /dev/full here")
@pytest.mark.parametrize("verb", [["results", "export", "--csv", RECORDS],
                                  ["results", "validate", RECORDS], ["compare", RECORDS, RECORDS]])
def test_full_standard_output_is_an_error_of_analysis_too(verb):
    with open("/dev/full", "w") as full:
        result = ndft("-m", "analysis", *verb, program=sys.executable, stdout=full, PYTHONPATH=str(ROOT))
    one_line(result, 3, "standard output: No space left on device")
