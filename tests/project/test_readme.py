# SPDX-License-Identifier: Apache-2.0
"""The README's tables: filled from records, and known to be out of date."""

import re
import shutil
import subprocess

import pytest

from program import ROOT
from synthetic import case_line, case_text, peer_line, run_line, transform_line, write

from analysis import program
from analysis.__main__ import main

EMPTY = "# A\n\n<!-- results:begin h200 -->\n<!-- results:end -->\n\ntext after\n"
GOALS = ("{forward,adjoint} 2d n=256x256 m=65536 field=random:200Hz t=30ms | naive[.]cuda | "
         "coil_pairs_per_s >= 1 | batch\n")


@pytest.fixture
def call(tmp_path):
    readme = write(tmp_path / "README.md", EMPTY)
    goals = write(tmp_path / "goals.def", GOALS)
    (tmp_path / "results").mkdir()
    fixed = ["readme", "--page", str(readme), "--results", str(tmp_path / "results"),
             "--goals-file", str(goals)]
    return lambda *more: (main([*fixed, *more]), readme.read_text())


def records(tmp_path, rate):
    write(tmp_path / "results/h200/tiles-1.jsonl", run_line(),
          case_line("tiled.cuda:tile=64", rate), case_line("tiled.cuda:tile=32", rate / 2),
          case_line("naive.cuda", .3e12, rel_l2=1.1e-5),
          case_line("naive.cuda", .31e12, case=case_text("adjoint"), rel_l2=1.2e-5),
          case_line("fast_math.cuda", 9e12) | {"verdict": "wrong"},
          case_line("naive.cuda", .2e12, case=case_text(nx=64)))


def test_table_holds_the_headline_cases(tmp_path, call):
    records(tmp_path, 1.8e12)
    status, text = call()
    link = "[tiles-1](results/h200/tiles-1.jsonl)"
    assert status == 0
    assert f"| **tiled.cuda** `tile=64` | 1.80e12 | - | 2.0e-6 | {link} |" in text
    assert f"| **naive.cuda** | 300e9 | 310e9 | 1.2e-5 | {link} |" in text
    assert text.index("tiled.cuda") < text.index("naive.cuda"), "fastest first"
    assert "fast_math" not in text and "64x64" not in text and text.endswith("text after\n")


def test_knobs_are_shown_where_they_are_not_at_their_presets(tmp_path, call):
    (tmp_path / "README.md").write_text(EMPTY.replace("h200", "xeon-2c-avx512"))
    presets = [v["id"] for v in program.variants()["variants"] if v["id"].startswith(("tiled.cpu", "fast_math.cpu"))]
    tiled, fast = ({"presets": id_, "other": id_.replace("threads=0", "threads=9")} for id_ in presets)
    for knobs in "presets", "other":
        write(tmp_path / "results/xeon-2c-avx512/a-1.jsonl", run_line(backends=("cpu",)),
              case_line(tiled["presets"], 3e9), case_line(tiled[knobs], 3e9, case=case_text("adjoint")),
              case_line(fast[knobs], 2e9), case_line(fast[knobs], 2e9, case=case_text("adjoint")))
        rows = [line for line in call()[1].splitlines() if line.startswith("| **")]
        assert [row.split(" | ")[0] for row in rows] == {
            "presets": ["| **tiled.cpu**", "| **fast_math.cpu**"],
            "other": ["| **tiled.cpu** adjoint `threads=9`", "| **fast_math.cpu** `threads=9`"]}[knobs]


def test_peers_stand_beside_the_variants(tmp_path, call):
    records(tmp_path, 1.8e12)
    write(tmp_path / "results/h200/peers-1.jsonl", run_line(),
          peer_line(rel_l2=2e-4, how="exp, 32 samples at a time", coil_pairs_per_s=1.1e11),
          peer_line(rel_l2=2e-4, how="polar, 64 samples at a time", coil_pairs_per_s=1.2e11, median_s=.03))
    assert ("| **torch 2.11** `polar, 64 samples at a time` | 120e9 | - | 2.0e-4 | "
            "[peers-1](results/h200/peers-1.jsonl) |") in call()[1]


def test_a_suite_of_uniform_transforms_has_times(tmp_path, call):
    (tmp_path / "README.md").write_text(EMPTY.replace("begin h200", "begin h200 bluestein"))
    write(tmp_path / "results/h200/bluestein-1.jsonl", run_line() | {"suite": "bluestein"},
          transform_line("uniform_vendor.cuda", 2e-5, "uniform:scfo1009 tol=1e-4 seed=1"),
          transform_line("bluestein_fused.cuda", 1e-5, "uniform:scfo1009 tol=1e-4 seed=1"),
          transform_line("uniform_vendor.cuda", 3e-3, "uniform:scfo8.1013 tol=1e-4 seed=1"))
    text = call()[1]
    assert "| case | uniform_vendor.cuda | bluestein_fused.cuda |" in text
    assert "| `uniform:scfo1009` | 20 µs | **10 µs** |" in text.replace(".00", "").replace(".0", "")
    assert "| `uniform:scfo8.1013` | **3 ms** | - |" in text.replace(".00", "")


SUITE = EMPTY.replace("begin h200", "begin h200 mri")


def test_a_suite_has_a_row_for_each_case(tmp_path, call):
    (tmp_path / "README.md").write_text(SUITE)
    records(tmp_path, 9e12)
    fine, coarse = case_text(nx=128), case_text(nx=64)
    assert "No passing record" in call()[1]
    for day, rate in ("1", 3e12), ("2", 1e12):
        write(tmp_path / f"results/h200/mri-{day}.jsonl",
              run_line(f"m{day}", started=f"2026112{day}T010000Z") | {"suite": "mri"},
              *(line | {"run": f"m{day}"} for line in (
                  case_line("tiled.cuda:tile=32", rate, case=fine),
                  case_line("tiled.cuda:tile=64", rate / 2, case=fine),
                  case_line("tiled.cuda:tile=32", rate / 4, case=fine.replace("forward", "adjoint")),
                  case_line("naive.cuda", .3e12, case=coarse),
                  case_line("naive.cuda", .1e12, case=fine))))
    text = call()[1]
    head, _, *rows = [line for line in text.splitlines() if line.startswith("|")]
    assert head == "| case | naive.cuda | tiled.cuda |"
    assert rows == [
        "| `2d n=128x128 m=16384 t=30ms field=random:200Hz` | - | **250e9** |",
        "| `2d n=64x64 m=4096 t=30ms field=random:200Hz` | **300e9** | - |"]
    assert "[mri-2](results/h200/mri-2.jsonl)" in text and "mri-1" not in text


def test_check_tells_when_records_have_moved_on(tmp_path, call):
    records(tmp_path, 1.8e12)
    status, text = call("--check")
    assert status == 1 and text == EMPTY, "check changes nothing"
    call()
    assert call("--check")[0] == 0
    records(tmp_path, 1.9e12)
    assert call("--check")[0] == 1


def test_no_records_is_said(call):
    assert "No passing record" in call()[1]


def test_readme_without_a_block_is_an_error(tmp_path, call, capsys):
    write(tmp_path / "README.md", "# A\n")
    assert call()[0] == 2
    assert "no block" in capsys.readouterr().err


def test_the_projects_readme_is_current(tmp_path, capsys):
    """By the committed records: a demo leaves further ones, which are not the README's matter."""
    if not shutil.which("git"):
        pytest.skip("git is not installed: which records are committed is not known")
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "results"], capture_output=True,
                            text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: which records are committed is not known")
    if program.lacks():
        pytest.skip("not every variant was built: the presets of others are not known")
    for name in filter(None, listed.stdout.splitlines()):
        write(tmp_path / name, (ROOT / name).read_text())
    status = main(["readme", "--check", "--results", str(tmp_path / "results")])
    assert status == 0, capsys.readouterr().err


def test_every_page_links_to_what_is_there():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
            assert "://" in link or (page.parent / link).exists(), f"{page.relative_to(ROOT)}: {link}"
