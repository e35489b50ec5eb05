# SPDX-License-Identifier: Apache-2.0
"""What long work says while it runs: in place on a terminal, now and then elsewhere, and once what
cannot run at all."""

import re

import program
import terminal
from program import PROGRAM, cases, surroundings

CASE = "forward 2d n=6x5 m=20"
TILES = f"tiled[.]cpu tile={{32,64,128,256}} : {CASE}"


def ndft(*arguments):
    return program.ndft(*arguments, CUDA_VISIBLE_DEVICES="")


def on_a_terminal(columns, *arguments):
    return terminal.on_a_terminal(columns, [PROGRAM, *arguments], surroundings(CUDA_VISIBLE_DEVICES=""))


def test_a_terminal_has_one_line_no_wider_than_itself(tmp_path):
    code, said = on_a_terminal(48, "sweep", "--case", TILES, "-o", str(tmp_path / "out.jsonl"),
                               "--budget", "0.01")
    (line,) = (line for line in said.split("\n") if "ETA" in line)
    shown = line.split("\r\x1b[K")
    assert code == 0 and shown[0] == "" and len(shown) == 5
    assert [text.partition(" ")[0] for text in shown[1:]] == [f"[{i}/4]" for i in range(1, 5)]
    assert all("pass tiled.cpu:tile=" in text and len(text) < 48 for text in shown[1:])


def test_rows_of_a_check_take_the_place_of_its_progress():
    code, said = on_a_terminal(80, "check", CASE, "--variant", "(naive|tiled)[.]cpu")
    assert code == 0 and "[1/2] ETA" in said and "[2/2] ETA" in said
    seen = re.sub(r"[^\n]*\r\x1b\[K", "", said)
    assert "ETA" not in seen and re.search(r"^naive\.cpu +pass", seen, re.MULTILINE)


def test_elsewhere_quick_steps_are_not_said_one_by_one(tmp_path):
    result = ndft("sweep", "--case", TILES, "-o", tmp_path / "out.jsonl", "--budget", "0.01")
    told = [line for line in result.stderr.splitlines() if "ETA" in line]
    assert [line.partition(" ")[0] for line in told] == ["[1/4]", "[4/4]"], result.stderr
    assert "\r" not in result.stderr
    assert "ETA" not in ndft("check", CASE, "--variant", "naive[.]cpu").stderr


def test_what_cannot_run_is_said_once(tmp_path):
    out = tmp_path / "out.jsonl"
    result = ndft("sweep", "--case", "(naive|tiled)[.].* : forward 2d n=6x5 m={20,21,22}", "-o",
                  out, "--budget", "0.01")
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("cuda") == 1
    assert result.stderr.startswith("ndft: left out: naive.cuda and 1 more: ")
    assert "[6/6] ETA" in result.stderr and "not_built" not in result.stderr
    assert sum(r["backend"] == "cuda" for r in cases(out)) == 6


def test_a_check_has_no_rows_of_what_cannot_run():
    result = ndft("check", CASE, "--variant", "(naive|tiled)[.].*")
    assert result.returncode == 0 and "cuda" not in result.stdout
    assert result.stderr.startswith("ndft: left out: naive.cuda and 1 more: ")
