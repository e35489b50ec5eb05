# SPDX-License-Identifier: Apache-2.0
"""The script ./ndft: what it answers before it builds, and from where it can be called."""

import subprocess
from pathlib import Path

import pytest

from synthetic import case_line, run_line, write

DOOR = Path(__file__).resolve().parent.parent / "ndft"


def door(*arguments, program=DOOR, cwd=None):
    return subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True,
                          timeout=60)


@pytest.fixture
def folder(tmp_path):
    """A folder of somebody else's, with records and with modules named as ours."""
    write(tmp_path / "records.jsonl", run_line(), case_line("naive.cuda", .3e12))
    for name in ("analysis", "json", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')\n")
    return tmp_path


@pytest.mark.parametrize("verb", ["demo", "test", "setup", "help"])
def test_help_installs_and_builds_nothing(verb):
    result = door(verb, "--help")
    assert result.returncode == 0 and result.stdout.startswith("usage: ./ndft VERB")
    assert verb == "help" or f"  {verb} " in result.stdout
    assert not result.stderr


def test_a_demo_of_something_else_is_refused():
    result = door("demo", "configs/cpu.ndft")
    assert result.returncode == 2 and "'configs/cpu.ndft'" in result.stderr


def test_it_can_be_called_from_any_folder(folder):
    result = door("select", "records.jsonl", cwd=folder)
    assert result.returncode == 0 and "naive.cuda" in result.stdout, result.stderr


@pytest.mark.parametrize("other, status", [("a", 0), ("slower", 1), ("nosuch", 2)])
def test_the_status_of_a_comparison_is_handed_on(other, status):
    files = (str(DOOR.parent / "tests/data" / f"{name}.jsonl") for name in ("a", other))
    result = door("compare", *files, "--gate", "2%")
    assert result.returncode == status, result.stdout + result.stderr


def test_records_are_checked_through_the_door(folder):
    result = door("results", "validate", "records.jsonl", cwd=folder)
    assert result.returncode == 0 and result.stdout == "records.jsonl: valid\n", result.stderr


def test_it_can_be_called_through_a_link(folder):
    (folder / "a link").symlink_to(DOOR)
    result = door("select", "records.jsonl", program=folder / "a link", cwd=folder)
    assert result.returncode == 0 and "naive.cuda" in result.stdout, result.stderr
