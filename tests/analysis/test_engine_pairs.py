# SPDX-License-Identifier: Apache-2.0
"""What an engine for each operation gains, from records whose answer is known."""

from synthetic import case_line, case_text, run_line, write

from analysis import engine_pairs
from analysis.__main__ import main


def records(tmp_path):
    """Forward and adjoint take a 1 and 4 s, b 3 and 1 s; c is the fastest and serves one of them alone."""
    seconds = {("tiled", "forward"): 1, ("tiled", "adjoint"): 4, ("naive", "forward"): 3, ("naive", "adjoint"): 1,
               ("fast_math", "adjoint"): .5}
    return write(tmp_path / "h200" / "mri-1.jsonl", run_line() | {"suite": "mri"},
                 *(case_line(f"{name}.cuda", case=case_text(op), median_s=s) for (name, op), s in seconds.items()))


def test_the_pair_is_the_fastest_of_each_and_the_single_has_both(tmp_path, capsys):
    path = records(tmp_path)
    assert main(["select", "--pairs", "--every", str(path)]) == 0
    said = capsys.readouterr().out
    assert "tiled.cuda  fast_math.cuda  naive.cuda" in said
    assert "Of 1 problems: an engine for each operation is 2.667 times as fast" in said and "that in 1," in said
    assert main(["select", "--pairs"]) == 2


def test_pages_hold_it(tmp_path):
    records(tmp_path)
    page = write(tmp_path / "choice.md", "<!-- pairs:begin h200 mri -->\n<!-- pairs:end -->\n"
                                         "<!-- pairs:begin h200 other -->\n<!-- pairs:end -->\n")
    assert main(["readme", "--page", str(page), "--results", str(tmp_path)]) == 0
    text = page.read_text()
    assert "is 2.667 times as fast" in text and "h200/mri-1.jsonl)" in text
    assert "No passing record" in text.partition("h200 other")[2]


def test_nothing_is_said_of_nothing():
    assert engine_pairs.text_of([]).startswith("no problem")
