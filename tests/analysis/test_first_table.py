# SPDX-License-Identifier: Apache-2.0
"""The README's first table: which record stands in a column, and what is said of how it was timed."""

import pytest

from synthetic import case_line, run2_line, transform_line, write

from analysis import first_table, readme
from analysis.records import cases

PAGE = "<!-- first:begin h200 -->\n<!-- first:end -->\n"
SUMS, LINES, COILS = (first_table.PROBLEMS[i][1] for i in (0, 3, 4))
PRIME = "uniform:scfo1009*256"
PEER = {"who": "cuFINUFFT, Flatiron Institute", "version": "2.5.1", "built": "native"}


@pytest.fixture
def page(tmp_path):
    goals = write(tmp_path / "goals.def")

    def filled(*lines):
        write(tmp_path / "results/h200/published-1.jsonl", run2_line(), *lines)
        return readme.fill(PAGE, tmp_path / "results", goals)
    return filled


def steady(variant, milliseconds, case, tol="1e-4", **more):
    said = {"median_s": milliseconds / 1e3, "regime": "steady", "processes": 3, "mode": "graph"} | more
    return case_line(variant, case=f"{case} tol={tol}", **said)


def cells_of(text):
    """By a problem's case the other cells."""
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ") and "`" in line]
    return {row[0].split("`")[1]: row[1:] for row in rows}


def test_each_column_has_its_fastest(page):
    text = page(steady("tiled.cuda", 3, SUMS), steady("hybrid_sincos.cuda", 2, SUMS),
                steady("nufft_line.cuda", .5, SUMS, rel_l2=5e-5), steady("nufft_hybrid.cuda", .7, SUMS),
                steady("cufinufft.cuda", .25, LINES, tol="1.3e-4", peer=PEER, rel_l2=1e-4),
                steady("nufft_gemm.cuda", .125, LINES, tol="1.3e-4"), steady("nufft_hybrid.cuda", 4, COILS))
    assert cells_of(text) == {
        SUMS: ["`hybrid_sincos` 2.00 (2.0e-6)", "`nufft_line` 0.500 (5.0e-5)", "-"],
        LINES: ["-", "`nufft_gemm` 0.125 (2.0e-6)", "cuFINUFFT 0.250 (1.0e-4)"],
        COILS: ["-", "`nufft_hybrid` 4.00 (2.0e-6)", "-"]}
    said = text.replace("\n", " ")
    assert "One NVIDIA H200" in said and "Peers: cuFINUFFT 2.5.1." in said and "0.0001 to 0.00013" in said
    assert "mode graph, at 1980 to 1980 MHz" in said and "burst" not in said
    assert "[published-1](results/h200/published-1.jsonl)" in text


def test_a_burst_is_marked_and_comes_after_what_lasts(page):
    text = page(steady("hybrid_sincos.cuda", 2, SUMS), case_line("tiled.cuda", 9e12, case=f"{SUMS} tol=1e-4"),
                case_line("nufft_line.cuda", case=f"{SUMS} tol=1e-4", median_s=.5e-3))
    assert cells_of(text) == {SUMS: ["`hybrid_sincos` 2.00 (2.0e-6)", r"`nufft_line` 0.500\* (2.0e-6)", "-"]}
    assert "of a burst" in text


def test_what_lasts_takes_no_other_column(page):
    text = page(steady("hybrid_sincos.cuda", 2, SUMS, mode="batch"),
                case_line("hybrid_sincos.cuda", 9e15, case=f"{SUMS} tol=1e-4"),
                case_line("nufft_line.cuda", case=f"{SUMS} tol=1e-4", median_s=.5e-3))
    assert cells_of(text) == {SUMS: ["`hybrid_sincos` 2.00 (2.0e-6)", r"`nufft_line` 0.500\* (2.0e-6)", "-"]}


@pytest.mark.parametrize("line", [
    steady("coil_gemm.cuda", 1, SUMS, tol="1e-3"), steady("coil_gemm.cuda", 1, SUMS, verdict="wrong"),
    steady("tiled_no_trig.cuda", 1, SUMS, ablates={"of": "tiled.cuda"}), steady("tiled.cuda", 1, SUMS, mode="stages")])
def test_what_does_not_count_stands_nowhere(page, line):
    assert cells_of(page(steady("hybrid_sincos.cuda", 2, SUMS), line)) == {
        SUMS: ["`hybrid_sincos` 2.00 (2.0e-6)", "-", "-"]}
    assert readme.NOTHING in page(line)


def test_a_vendor_is_a_peer(page):
    vendor = {"who": "cuFFT, NVIDIA", "version": "12.0.0", "built": "native: code", "chosen": True}
    text = page(transform_line("uniform_vendor.cuda", 5e-6, f"{PRIME} tol=1e-4 seed=1", regime="steady", peer=vendor),
                transform_line("bluestein_single.cuda", 8e-6, f"{PRIME} tol=1e-4 seed=1", regime="steady"))
    assert cells_of(text) == {PRIME: ["`bluestein_single` 0.00800 (2.0e-6)", "-", "cuFFT 0.00500 (2.0e-6)"]}


@pytest.mark.parametrize("case", [case for _, case in first_table.PROBLEMS])
def test_problems_are_written_as_records_write_them(case):
    assert cases.parse(case).without("tol") == case


def test_there_are_eight():
    assert len(first_table.PROBLEMS) == 8
