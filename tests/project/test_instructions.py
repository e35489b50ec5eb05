# SPDX-License-Identifier: Apache-2.0
"""The judgement of instructions.py; the counting itself is a step of .ci/run."""

import json

import instructions
import pytest


@pytest.mark.parametrize("before, now, found", [
    ({"a": 1000}, {"a": 1030}, []), ({"a": 1000}, {"a": 970}, []),
    ({"a": 1000}, {"a": 1031}, ["a: 1000 -> 1031 (+3.1 %)"]),
    ({"a": 1000}, {"a": 900}, ["a: 1000 -> 900 (-10.0 %)"]),
    ({}, {"a": 5}, ["a: not there -> 5"]), ({"a": 5}, {}, ["a: 5 -> not there"]),
    ({"a": 5}, {"a": None}, ["a: 5 -> unsupported"]), ({"a": None}, {"a": None}, [])])
def test_changes(before, now, found):
    assert instructions.changes(before, now) == found


def test_the_baseline_is_of_what_is_counted():
    baseline = json.loads(instructions.BASELINE.read_text())
    assert baseline["of"]["isa"] == "x86-64-v3" and baseline["of"]["compiler"] == "GNU 12"
    assert {name.partition(": ")[2] for name in baseline["instructions"]} == set(instructions.CASES)


def test_it_says_why_it_is_skipped(monkeypatch, capsys):
    monkeypatch.setattr(instructions.shutil, "which", lambda _: None)
    monkeypatch.setattr(instructions.platform, "machine", lambda: "x86_64")
    assert instructions.main([]) == 0
    assert capsys.readouterr().out == "skipped: valgrind is not installed\n"
    monkeypatch.setattr(instructions.platform, "machine", lambda: "aarch64")
    assert instructions.main([]) == 0
    assert "this is aarch64" in capsys.readouterr().out


@pytest.mark.parametrize("here, counts, status, said", [
    ({}, {}, 0, "counts within 3 %"), ({"compiler": "GNU 13"}, {}, 0, "skipped: the baseline is of "
                                      "another compiler (GNU 12, here GNU 13)"),
    ({}, {"new.cpu: x": 7}, 1, "new.cpu: x: not there -> 7")])
def test_exit_status(monkeypatch, capsys, here, counts, status, said):
    baseline = json.loads(instructions.BASELINE.read_text())
    monkeypatch.setattr(instructions.shutil, "which", lambda _: "valgrind")
    monkeypatch.setattr(instructions.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(instructions, "surroundings", lambda *_: baseline["of"] | here)
    monkeypatch.setattr(instructions, "counted", lambda *_: baseline["instructions"] | counts)
    assert instructions.main([]) == status
    out = capsys.readouterr().out
    assert said in out and ("--update" in out) == (status == 1)
