# SPDX-License-Identifier: Apache-2.0
"""Gridding beside what was printed in 2008: the right number in the right place, and a verdict that follows it."""

import pytest

from synthetic import case_line, case_text, run_line, write

from analysis.records import load
from studies.__main__ import main
from studies.gridding_2008 import balance, claims, factors, printed, tables
from studies.gridding_2008.ours import PLACES, WINDOWS, Place, Times
from studies.gridding_2008.printed import CPU, GPU, STAGES

KNOBS = "sigma={},window={},weights={},width={},field=svd"
PARTS = {"fft": 4e-6, "deapodisation": 3e-6}
PLACE = Place("adjoint", "radial", 256, "G")

# The rows of factors of Tables I and II, as they are printed, by place and in the order of STAGES.
FACTORS = [
    (33, None, 25, .5, 4.0, 7, None, 7), (49, None, 43, 1.5, 5.8, 12, None, 11), (77, None, 67, 1.6, 5.5, 19, None, 18),
    (24, None, 18, .6, 4.0, 8, None, 7), (34, None, 29, 1.5, 5.8, 11, None, 11), (56, None, 48, 1.6, 5.5, 18, None, 17),
    (35, 21, 24, .5, 3.4, 8, 6, 6), (54, 37, 35, 1.8, 6.0, 15, 11, 13), (85, 61, 61, 1.6, 5.2, 20, 19, 19),
    (25, 19, 20, .5, 3.4, 7, 6, 6), (44, 34, 35, 1.5, 5.2, 12, 11, 11), (73, 61, 65, 1.6, 5.5, 20, 19, 19)]


def line(place, backend, seconds, **fields):
    case = case_text(place.op, place.nx, field="none", traj=f"{place.trajectory}:16", tol="5e-2")
    window, weights = WINDOWS[place.letter]
    knobs = KNOBS.format(place.sigma, window, weights, place.width) + ",trajectory=online" * place.online
    return case_line(f"{place.scheme}.{backend}:{knobs}", place.nx ** 4 / seconds, case=case, **fields)


def stages(place, backend, convolution, **parts):
    phases = PARTS | {"convolution": convolution} | parts
    return line(place, backend, sum(phases.values()), mode="stages", phases_s=phases)


def times(tmp_path, *lines, suite="seed002"):
    write(tmp_path / "a.jsonl", run_line(backends=("cpu", "cuda")) | {"suite": suite}, *lines)
    return Times(load.load([tmp_path]).cases)


def cells(text):
    """Rows of a markdown table, without head and rule."""
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in text.splitlines()[2:]]


def row(text, *begin):
    return next(r[len(begin):] for r in cells(text) if tuple(r[:len(begin)]) == begin)


def verdict(of, says):
    found = next(claim.answer(of) for claim in claims.CLAIMS if says in claim.says)
    return found.verdict


def everywhere(cpu, gpu, letters="GLKB", **more):
    """Stages of all places, their convolutions by functions of place."""
    return [stages(p._replace(letter=letter), b, of(p), **more) for p in PLACES for letter in WINDOWS
            for b, of in (("cpu", cpu), ("cuda", gpu))]


def test_times_stand_beside_those_printed(tmp_path):
    found = times(tmp_path, stages(PLACE, "cpu", 66e-6), stages(PLACE, "cuda", 11e-6), line(PLACE, "cuda", 21e-6),
                  stages(PLACE._replace(letter="KB"), "cuda", 13e-6, fft=5e-6),
                  stages(PLACE._replace(letter="KB", online=True), "cuda", 6e-6),
                  stages(PLACE._replace(scheme="nufft_scatter"), "cuda", 1e-6),
                  stages(PLACE._replace(width=8), "cuda", 44e-6), stages(PLACE._replace(letter="KB"), "cpu", 67e-6))
    text = tables.of_operation(found, "adjoint")
    assert row(text, "radial 256²", "convolution G") == ["190 ms", "4.30 ms", "44", "66.0 µs", "11.0 µs", "6.00"]
    assert row(text, "radial 256²", "convolution KB")[3:] == ["67.0 µs", "13.0 µs", "5.15"]
    assert row(text, "radial 256²", "FFT")[2:] == ["1.50", "4.00 µs", "5.00 µs", "0.800"]
    assert row(text, "radial 256²", "total G") == ["210 ms", "18.0 ms", "12", "-", "21.0 µs", "-"]
    assert row(text, "spiral 256²", "convolution L") == ["190 ms", "5.20 ms", "37", "-", "-", "-"]
    assert row(text, "radial 256²", "convolution G, 8 cells") == ["190 ms", "4.30 ms", "44", "-", "44.0 µs", "-"]
    online = row(tables.on_line(found), "radial 256²", "convolution KB")
    assert online == ["190 ms", "5.90 ms", "32", "67.0 µs", "6.00 µs", "11"]
    assert row(tables.narrow(found), "α = 2, W = 4", "8, 2", "convolution")[4] == "44.0 µs"
    assert "| nufft_scatter, h200 | 1.00 µs |" in tables.every_scheme(found)


def test_a_stage_below_zero_is_none(tmp_path):
    found = times(tmp_path, stages(PLACE, "cuda", -1e-6))
    assert found.stage("cuda", PLACE, "convolution") is None and found.stage("cuda", PLACE, "fft") == 4e-6


def test_other_suites_are_not_looked_at(tmp_path):
    assert not times(tmp_path, stages(PLACE, "cuda", 1e-6), suite="tiles").devices


def test_factors_are_those_printed():
    """A slip in typing the tables would show. Of one deapodisation the paper's factor is not that of its times."""
    for place, factors_ in zip(PLACES, FACTORS):
        for stage, factor in zip(STAGES, factors_):
            cpu, gpu = tables.printed_pair(place, stage)
            if factor is None or (place[:3], stage) == (("forward", "radial", 128), "deapodisation"):
                continue
            near = .1 if stage in ("FFT", "deapodisation") else max(1, .07 * factor)
            assert abs(cpu / gpu - factor) < near, (place, stage)


def test_the_sums_printed_are_about_those_of_the_stages():
    for place, rows in printed.TIMES.items():
        for who, (g, l, kb, fft, deapodisation, *totals) in rows.items():
            for convolution, total in zip((g, l, kb), totals):
                if convolution:
                    parts = convolution + fft + deapodisation
                    assert .93 * parts < total < 1.35 * parts, (place, who)


def test_fig_5_takes_the_best_of_the_printed_configurations():
    of = {p[:3]: round(tables.printed_best(p)) for p in PLACES}
    assert of["adjoint", "radial", 512] == 85  # with the trajectory on line
    assert of["adjoint", "spiral", 512] == 85 and of["forward", "radial", 128] == 24


def test_a_factor_takes_the_best_of_ours(tmp_path):
    found = times(tmp_path, stages(PLACE, "cpu", 60e-6), stages(PLACE._replace(letter="L"), "cpu", 50e-6),
                  stages(PLACE, "cuda", 10e-6), stages(PLACE._replace(online=True), "cuda", 5e-6))
    assert tables.best_factor(found, PLACE) == pytest.approx(10)
    assert factors.draw(found, tmp_path).endswith(f"({factors.FILE})")
    assert (tmp_path / factors.FILE).read_bytes().startswith(b"\x89PNG")


def test_widths_are_decided_by_the_cpus_times():
    of = balance.printed_convolutions(CPU)
    assert balance.misfit(of, 1) < 1.4 < 2 < balance.misfit(of, 0)
    exact = {at: float(w * w) for at, (w, _) in balance.READINGS.items()}
    assert balance.misfit(exact, 0) == pytest.approx(1) and balance.misfit(exact, 1) > 1.5


def test_the_rate_of_an_fft():
    assert balance.rate(512, 20 * 5 * 2 ** 20 * 1e-9) == "1.00"
    assert balance.printed_balance(PLACES[0]) == pytest.approx(3.6)


def test_nothing_measured_is_open(tmp_path):
    nothing = times(tmp_path, line(PLACE, "cuda", 1e-5), suite="tiles")
    says = "85 times", "more samples", "80 to 95", "forward", "on line", "Real time", "Preprocessing", "larger αW"
    assert {verdict(nothing, text) for text in says} == {claims.OPEN}
    assert tables.of_operation(nothing, "forward") == balance.shares(nothing) == ""


def test_verdicts_follow_the_times(tmp_path):
    as_printed = times(tmp_path / "a", *everywhere(lambda p: p.nx * 85 / 512 * 1e-6, lambda p: 1e-6))
    assert verdict(as_printed, "85 times") == claims.HOLDS == verdict(as_printed, "more samples")
    assert verdict(as_printed, "2 to 4 times faster than the FFT") == claims.HOLDS
    assert verdict(as_printed, "The same of the adjoint") == claims.HOLDS
    much = times(tmp_path / "b", *everywhere(lambda p: 1e-3 / p.nx, lambda p: 8e-9))
    assert verdict(much, "85 times") == claims.DIFFERS and verdict(much, "more samples") == claims.REFUTED
    slow = times(tmp_path / "c", *everywhere(lambda p: 4e-6, lambda p: 5e-6))
    assert verdict(slow, "85 times") == claims.REFUTED == verdict(slow, "The same of the adjoint")
    assert verdict(slow, "80 to 95 %") == claims.REFUTED
    share = times(tmp_path / "d", *everywhere(lambda p: 60e-6, lambda p: 3e-6))
    assert verdict(share, "80 to 95 %") == claims.HOLDS
    assert verdict(share, "The same of the adjoint") == claims.DIFFERS


def test_schemes_and_windows_are_held_beside_each_other(tmp_path):
    own = [stages(p, "cuda", 10e-6) for p in PLACES] + [stages(p._replace(letter="L"), "cuda", 12e-6) for p in PLACES]
    def beside(cell, sample):
        return [stages(p._replace(scheme=f"nufft_{name}"), "cuda", s) for p in PLACES
                for name, s in (("gather", cell), ("scatter", sample))]
    says = "A rectangle of cells"
    assert verdict(times(tmp_path / "a", *own, *beside(20e-6, 11e-6)), says) == claims.HOLDS
    assert verdict(times(tmp_path / "b", *own, *beside(20e-6, 9e-6)), says) == claims.DIFFERS
    assert verdict(times(tmp_path / "c", *own, *beside(9e-6, 9e-6)), says) == claims.REFUTED
    assert verdict(times(tmp_path / "d", *own, *(stages(p._replace(letter="KB"), "cuda", 10e-6) for p in PLACES)),
                   "Windows on line") == claims.HOLDS


def by_rows(place, backend, convolution):
    return case_line(f"nufft.{backend}:" + KNOBS.format(200, "kb", "polynomial", 4) + ",spread=hybrid,interpolate=rows",
                     case=line(place, backend, 1)["case"], mode="stages", phases_s=PARTS | {"convolution": convolution})


def test_rows_are_held_beside_cells_on_each_device(tmp_path):
    says, (first, second) = "rows of cells", PLACES[:2]
    def beside(name, *rows):
        cells = [stages(first._replace(letter="KB"), backend, 5e-6) for backend in ("cpu", "cuda")]
        return times(tmp_path / name, *cells, *rows)
    found = beside("a", by_rows(first, "cpu", 4e-6))
    assert verdict(found, says) == claims.HOLDS and "nufft, interpolate=rows" in tables.every_scheme(found)
    assert verdict(beside("b", by_rows(first, "cpu", 4e-6), by_rows(first, "cuda", 6e-6)), says) == claims.DIFFERS
    assert verdict(beside("c", by_rows(first, "cpu", 6e-6), by_rows(first, "cuda", 6e-6)), says) == claims.REFUTED
    assert verdict(beside("d", by_rows(second, "cuda", 4e-6)), says) == claims.OPEN
    both = beside("e", by_rows(first, "cpu", 10e-6), by_rows(first, "cuda", 2e-6))
    assert claims.verdicts(both).count("0.500 times as fast on the CPU, 2.50 times as fast on the GPU") == 1


def test_a_page_of_records_elsewhere(tmp_path):
    write(tmp_path / "a.jsonl", run_line() | {"suite": "seed002"}, stages(PLACE, "cuda", 7e-6))
    assert main(["gridding_2008", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "page")]) == 0
    assert "| 7.00 µs |" in (tmp_path / "page/README.md").read_text()


def test_what_there_is_no_study_or_command_of_has_a_neighbour(capsys):
    assert main(["griding_2008"]) == 2 and "nearest: gridding_2008" in capsys.readouterr().err
    assert main(["gridding_2008", "fantom"]) == 2 and "nearest: phantom" in capsys.readouterr().err
    assert main(["--help"]) == 0 and "gridding_2008 errors" in capsys.readouterr().out
