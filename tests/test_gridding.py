# SPDX-License-Identifier: Apache-2.0
"""Gridding beside what was printed in 2008: the right number in the right place, and the phantom."""

from synthetic import case_line, case_text, run_line, write

from analysis import gridding, load, report

KNOBS = "sigma=200,window={},weights={},width=4,field=svd"


def line(window, weights, seconds, variant="nufft_hybrid.cuda", knobs=KNOBS, **fields):
    case = case_text("adjoint", 256, field="none", traj="radial:256", tol="5e-2")
    rate = 65536 ** 2 / seconds
    return case_line(f"{variant}:{knobs.format(window, weights)}", rate, case=case, **fields)


def stages(convolution, **more):
    return {"mode": "stages", "phases_s": {"deapodisation": 3e-6, "fft": 4e-6,
                                           "convolution": convolution} | more}


def measured(tmp_path):
    run = run_line() | {"suite": "seed002"}
    write(tmp_path / "a.jsonl", run, line("gaussian", "polynomial", 21e-6),
          line("kb", "table", 22e-6), line("kb", "polynomial", 23e-6),
          line("gaussian", "polynomial", 1, **stages(11e-6)),
          line("kb", "table", 1, **stages(12e-6)), line("kb", "polynomial", 1, **stages(13e-6)),
          line("kb", "polynomial", 9e-6, "nufft_scatter.cuda"),
          line("gaussian", "polynomial", 1, knobs=KNOBS.replace("200", "125"), **stages(8e-6)))
    return load.load([tmp_path])


def test_times_stand_under_those_printed(tmp_path):
    size, narrow = gridding.tables(measured(tmp_path).cases)
    assert size.title.startswith("adjoint, radial, 256²")
    by_who = {row[0]: row[1:] for row in size.rows}
    assert by_who["2007, FireStream 2U"] == ["4.30 ms", "5.60 ms", "5.40 ms", "12.0 ms", "570 µs",
                                             "18.0 ms", "19.0 ms", "19.0 ms"]
    assert by_who["2007, NFFT 3.0 on a Xeon"][:4] == ["-", "190 ms", "-", "18.0 ms"]
    assert by_who["2007, FireStream 2U, trajectory on line"][:3] == ["4.00 ms", "-", "5.90 ms"]
    assert by_who["nufft_hybrid.cuda, h200"] == ["11.0 µs", "12.0 µs", "13.0 µs", "4.00 µs",
                                                 "3.00 µs", "21.0 µs", "22.0 µs", "23.0 µs"]
    assert by_who["nufft_scatter.cuda, h200"] == [*7 * ["-"], "9.00 µs"]
    assert list(by_who)[3].startswith("nufft_hybrid"), "the scheme of the paper first"
    assert "oversampling 1.25; printed is oversampling 1," in narrow.title
    assert narrow.rows[1][1:] == ["2.90 ms", "3.90 ms", "6.80 ms"]
    assert narrow.rows[2][1:] == ["8.00 µs", "4.00 µs", "12.0 µs"]


def test_the_sums_printed_are_about_those_of_the_stages():
    """A slip in typing the tables would show: totals are the stages and some overhead."""
    for place, printed in gridding.PRINTED.items():
        for who, (g, l, kb, fft, deapodisation, *totals) in printed.items():
            for convolution, total in zip((g, l, kb), totals):
                if convolution:
                    parts = convolution + fft + deapodisation
                    assert .93 * parts < total < 1.35 * parts, (place, who)


def test_the_report_has_the_section_where_it_was_measured(tmp_path):
    records = measured(tmp_path)
    report.run(records, tmp_path / "with")
    page = (tmp_path / "with/report.html").read_text()
    assert 'href="#gridding"' in page and "4.30 ms" in page and "11.0 µs" in page
    for r in records.cases:
        r.run.suite = "other"
    report.run(records, tmp_path / "without")
    assert "gridding" not in (tmp_path / "without/report.html").read_text()
