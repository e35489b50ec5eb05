# SPDX-License-Identifier: Apache-2.0
"""Ours beside other people's libraries: losses first, plans counted, wheels left out."""

import pytest

from analysis import rank, readme, rivals
from analysis.plots import plot_performance
from analysis.report import report
from analysis.records.load import load
from synthetic import case_line, case_text, run2_line, transform_line, write

NATIVE = {"who": "FINUFFT, Flatiron Institute", "version": "2.5.1", "built": "native: gcc, file 0"}
ALONE = "python3 peers/alone.py finufft FOLDER"
WHEEL = NATIVE | {"built": "wheel, baseline x86-64, file 1"}


def peer(case, rate, built=NATIVE, **more):
    return case_line("finufft.cpu:eps=0", rate, case=case, backend="cpu", peer=built, setpts_s=2e-4,
                     **({"plan_s": 3e-4} | ({"key": f"{rate:016.0f}"} if built is WHEEL else {}) | more))


def ours(case, rate, **more):
    return case_line("nufft_scatter.cpu:sigma=200", rate, case=case, backend="cpu", **more)


@pytest.fixture
def records(tmp_path):
    won, lost, far, alone = (case_text(nx=n, field="none") for n in (32, 64, 128, 256))
    return load([write(tmp_path / "r.jsonl", run2_line(backends=("cpu",)),
                       ours(won, 2e9), peer(won, 1e9), peer(won, 4e9, WHEEL), ours(lost, 1e9), peer(lost, 1.25e9, NATIVE | {"alone": ALONE}),
                       ours(far, 1e9), peer(far, 4e9, verdict="wrong"), peer(far, 2e9), ours(alone, 1e9))])


def test_losses_come_first_and_wheels_do_not_rank(records):
    found = rivals.duels(rivals.contests(records.every))
    assert [d.ratio for d in found] == pytest.approx([0.5, 0.8, 2])
    assert all(d.theirs.peer["built"].startswith("native") for d in found)


def test_plans_are_counted(records):
    _, _, won = rivals.duels(rivals.contests(records.every))
    theirs, mine = won.theirs.median_s, won.ours.median_s
    assert won.after(1) == pytest.approx((5e-4 + theirs) / (1e-3 + mine))
    n = won.passes_from
    assert 5e-4 + n * theirs > 1e-3 + n * mine
    assert n == 1 or 5e-4 + (n - 1) * theirs <= 1e-3 + (n - 1) * mine
    assert rivals.duels(rivals.contests(records.every))[0].passes_from is None


def test_losses_lead_the_page(records, tmp_path):
    report.run(records, tmp_path / "out")
    page = (tmp_path / "out/report.html").read_text()
    assert page.index('id="decide"') < page.index('id="ceiling"') < page.index('id="rivals"')
    section = page[page.index('id="rivals"'):page.index('id="crossover"')]
    assert "2 of 3 lost, least 0.500 times as fast" in section and "1 won" in section
    assert section.index("n=128x128") < section.index("n=64x64") < section.index("n=32x32")
    for column in ("plan and set-points, theirs", "plan, ours", "N = 1<", "N = 10<", "N = 100<", "without end", "passes from N"):
        assert column in section
    assert f'title="{ALONE}"' in section and "./ndft bench" in section, "of records before this one"


def test_a_page_has_them_losses_first(tmp_path):
    folder = tmp_path / "results" / "cpu-slug"
    won, lost = (case_text(nx=n, field="none") for n in (32, 64))
    write(folder / "r.jsonl", run2_line(backends=("cpu",)), ours(won, 2e9), peer(won, 1e9), ours(lost, 1e9),
          peer(lost, 1.25e9))
    goals = tmp_path / "goals.def"
    goals.write_text("")
    slug = load([folder]).every[0].device.slug
    folder.rename(folder.with_name(slug))
    page = f"<!-- rivals:begin {slug} -->\n<!-- rivals:end -->\n<!-- rivals:begin none -->\n<!-- rivals:end -->\n"
    text = readme.fill(page, tmp_path / "results", goals)
    assert "1 of 2 lost, least 0.800 times as fast" in text
    first, second = (line for line in text.splitlines() if line.startswith("| `"))
    assert "n=64x64" in first and first.count("never") == 1 and "n=32x32" in second
    assert "| passes from N |" in text and readme.NOTHING in text
    duel = rivals.duels(rivals.contests(load([folder.with_name(slug)]).every))[1]
    assert f"| {duel.passes_from} | [r](results/{slug}/r.jsonl) |" in second
    assert readme.fill(text, tmp_path / "results", goals) == text
    of_suites = "".join(f"<!-- rivals:begin {slug} {suite} -->\n<!-- rivals:end -->\n" for suite in ("tiles", "none"))
    ours_of, others = readme.fill(of_suites, tmp_path / "results", goals).split("rivals:end", 1)
    assert "1 of 2 lost" in ours_of and "No case that was measured" in others


def test_a_page_without_peers_has_no_such_section(tmp_path):
    only = load([write(tmp_path / "r.jsonl", run2_line(backends=("cpu",)), ours(case_text(nx=32), 1e9))])
    report.run(only, tmp_path / "out")
    assert 'id="rivals"' not in (tmp_path / "out/report.html").read_text()


@pytest.mark.parametrize("said", [{}, {"peer": {"who": "cuFFT, NVIDIA", "version": "12.0.0", "built": "native: code",
                                               "chosen": True}}])
def test_a_vendor_is_a_rival_that_is_chosen(tmp_path, said):
    text = "uniform:scfo1009 tol=1e-4 seed=1"
    records = load([write(tmp_path / "r.jsonl", run2_line(), transform_line("uniform_vendor.cuda", 1e-5, text, **said),
                          transform_line("bluestein_fused.cuda", 2e-5, text))])
    duel, = rivals.duels(rivals.contests(records.every))
    assert duel.theirs.family == "uniform_vendor" and duel.ratio == pytest.approx(0.5)
    decision, = rank.decide(records.every)
    assert decision.records[0].id == "uniform_vendor.cuda"


def test_a_performance_profile_over_all_problems(records):
    """Ours is as fast as the fastest in one problem of three, within 1.25 times in two, within twice in all."""
    contests = rivals.contests(records.every)
    assert plot_performance.ratios(contests) == {"ndft": pytest.approx([1, 1.25, 2]), "FINUFFT": pytest.approx([1, 1, 2])}
    (group,) = plot_performance.groups(contests)
    drawing = plot_performance.draw(group, "performance-1")
    ours, theirs = drawing.figure.axes[0].lines
    assert ours.get_ydata() == pytest.approx([0, 1 / 3, 2 / 3, 1, 1]) and list(ours.get_xdata()[:3]) == pytest.approx([1, 1, 1.25])
    assert theirs.get_ydata()[-1] == 1 and "fastest in: ndft 1, FINUFFT 2" in drawing.alt
    assert {(row["library"], round(row["ratio"], 2)) for row in drawing.rows} == {
        ("ndft", 1), ("ndft", 1.25), ("ndft", 2), ("FINUFFT", 1), ("FINUFFT", 2)}
    assert plot_performance.draw(group[:2], "performance-2") is None


def test_who_does_not_serve_a_problem_never_reaches_all(records):
    contests = rivals.contests(records.every)
    drawing = plot_performance.draw([*contests, {name: r for name, r in contests[0].items() if name == "ndft"}], "x")
    assert drawing.figure.axes[0].lines[1].get_ydata()[-1] == pytest.approx(3 / 4)
