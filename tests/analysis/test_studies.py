# SPDX-License-Identifier: Apache-2.0
"""A study's page is what its records say: of every study that has a page, and of one made up."""

import re
from pathlib import Path

import pytest

from program import PROGRAM
from synthetic import case_line, run_line, write

from studies import page
from studies.__main__ import STUDIES
from studies.page import BLOCK, NOTHING, Page

PAGES = {name: study.PAGE for name, study in STUDIES.items() if hasattr(study, "PAGE")}
TEXT = "# Made up\n\n<!-- study:begin ids -->\nold\n<!-- study:end -->\n\nprose\n\n" \
       "<!-- study:begin none -->\n<!-- study:end -->\n"


def of(names):
    return pytest.mark.parametrize("mine", [pytest.param(PAGES[name], id=name) for name in sorted(names)])


@of(PAGES.keys() - {"tiles"})  # whose presets are those of what was built: test_tiles
def test_the_repository_s_page_is_what_its_records_say(mine, tmp_path, monkeypatch):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    text = (mine.folder / "README.md").read_text(encoding="utf-8")
    kept = mine.records().is_dir() and any(mine.records().rglob("*.jsonl"))
    records = page.passing([mine.records()]) if kept else []
    assert mine.text(records, tmp_path) == text, "./ndft study NAME --write makes it so"


@of(PAGES)
def test_a_page_shows_every_block_once(mine):
    text = (mine.folder / "README.md").read_text(encoding="utf-8")
    assert sorted(match[2] for match in BLOCK.finditer(text)) == sorted(mine.blocks)
    assert text.count("study:begin") == text.count("study:end") == len(mine.blocks)
    assert (mine.folder / mine.suite).is_file()


def made_up(folder: Path, modes="batch") -> Page:
    folder.mkdir()
    (folder / "README.md").write_text(TEXT)
    (folder / "small.ndft").write_text("nufft_(scatter|hybrid)[.].* : forward 2d n=8x8 m=40\n")
    return Page(folder, "small.ndft", modes, .01, {
        "ids": lambda records, into: "\n".join(sorted(f"{r.variant_name} {r.mode}" for r in records)) + "\n",
        "none": lambda records, into: ""})


def blocks(text: str) -> list[str]:
    return [re.sub(r"<!--.*?-->\n?", "", match[0]) for match in BLOCK.finditer(text)]


def test_blocks_are_written_anew_and_prose_stays(tmp_path):
    mine = made_up(tmp_path / "study")
    write(tmp_path / "a.jsonl", run_line(), case_line(), case_line("naive.cuda", verdict="wrong"))
    assert mine.main([str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "out")]) == 0
    found = (tmp_path / "out/README.md").read_text()
    assert blocks(found) == ["tiled.cuda batch\n", NOTHING], "what did not pass does not count"
    assert found.replace("tiled.cuda batch", "old").replace(NOTHING, "") == TEXT
    assert (mine.folder / "README.md").read_text() == TEXT, "the repository's is written when asked to"


def test_the_repository_s_page_is_of_the_study_s_records(tmp_path):
    mine = made_up(tmp_path / "study")
    write(mine.records() / "a.jsonl", run_line(), case_line())
    assert mine.main(["--write"]) == 0
    assert "tiled.cuda batch" in (mine.folder / "README.md").read_text()


@pytest.mark.parametrize("lines, said", [
    ([run_line(), case_line(verdict="wrong")], "no measurement that passed"), ([run_line()], "no case records")])
def test_no_page_is_made_of_nothing(tmp_path, capsys, lines, said):
    mine = made_up(tmp_path / "study")
    assert mine.main([str(write(tmp_path / "a.jsonl", *lines)), "-o", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err


def test_a_backend_has_modes_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    mine = made_up(tmp_path / "study", {"cpu": "cold,warm", "cuda": "graph"})
    assert mine.main(["-o", str(tmp_path / "out")]) == 0
    found, _ = blocks((tmp_path / "out/README.md").read_text())
    if found == NOTHING:
        pytest.skip("no nonuniform FFT is built for the processor")
    modes = {tuple(line.split()) for line in found.splitlines()}
    assert {mode for name, mode in modes if name.endswith(".cpu")} == {"cold", "warm"}
    assert {mode for name, mode in modes if name.endswith(".cuda")} <= {"graph"}
    assert sorted(p.name for p in (tmp_path / "out").glob("*.jsonl")) == ["cpu.jsonl", "cuda.jsonl"]
    before = (tmp_path / "out/cpu.jsonl").read_text()
    assert mine.main(["-o", str(tmp_path / "out"), "--backend", "cpu"]) == 0
    assert (tmp_path / "out/cpu.jsonl").read_text().startswith(before), "what was measured stays"


def test_an_unknown_backend_has_a_neighbour(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    mine = made_up(tmp_path / "study", {"cpu": "batch"})
    assert mine.main(["-o", str(tmp_path / "out"), "--backend", "gpu"]) == 2
    assert "nearest: cpu" in capfd.readouterr().err
