# SPDX-License-Identifier: Apache-2.0
"""The four kernels as specified: each time in its column."""

from program import PROGRAM
from synthetic import case_line, case_text, loaded

from studies.__main__ import main
from studies.direct_sums.kernels import times

PAIRS = 65536 ** 2


def line(variant, op, grad, seconds, **fields):
    return case_line(variant, PAIRS / seconds, case=case_text(op, grad=grad), **fields)


def test_times_stand_in_their_columns(tmp_path, monkeypatch):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    found = times(loaded(
        tmp_path, line("naive.cuda", "forward", "none", 1e-3), line("naive.cuda", "adjoint", "none", 2e-3),
        line("naive.cuda", "forward", "random:20Hz", 3e-3, rel_l2=9e-6), line("naive.cuda", "normal", "none", 7, rel_l2=1),
        line("naive.cuda", "adjoint", "random:20Hz", 4e-3, adjoint_err=5e-7),
        line("tiled.cuda:tile=256", "forward", "none", 2e-4), line("tiled.cuda:tile=512", "forward", "none", 1e-4),
        line("coil_gemm.cuda", "forward", "none", 1e-5), line("tiled.cuda:tile=256", "adjoint", "none", 1, mode="cold"),
    ).cases, tmp_path)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in found.splitlines() if "cuda" in row]
    assert [row[0].partition(",")[0] for row in rows] == ["naive.cuda", "tiled.cuda"]
    assert rows[0][1:] == ["1.00 ms", "2.00 ms", "3.00 ms", "4.00 ms", "9.0e-06", "5.0e-07"]
    assert rows[1][1:] == ["100 µs", "-", "-", "-", "2.0e-06", "3.0e-08"]


def test_the_command_without_records_says_so(tmp_path, capsys):
    assert main(["direct_sums", str(tmp_path), "-o", str(tmp_path / "out")]) == 2
    assert "ndft: " in capsys.readouterr().err
