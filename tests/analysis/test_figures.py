# SPDX-License-Identifier: Apache-2.0
"""The data of the figures: sweeps and crossovers, tiles, frontiers, bounds, margins, modes."""

import numpy as np
import pytest

from synthetic import case_line, case_text, loaded as read, peak_line as peak

from analysis import ceilings, rank, sweeps
from analysis.plots import plot_accuracy, plot_margins, plot_modes, plot_roofline, plot_tiles, style

SIZE, COILS = sweeps.AXES[0], sweeps.AXES[1]


def test_lines_over_size_take_the_best_knobs_and_only_passes(tmp_path):
    records = read(tmp_path, case_line("tiled.cuda:tile=32", 1e12, case=case_text(nx=64)),
                   case_line("tiled.cuda:tile=64", 2e12, case=case_text(nx=64)),
                   case_line("tiled.cuda:tile=32", 3e12),
                   case_line("tiled.cuda:tile=64", 9e12) | {"verdict": "wrong"},
                   case_line("naive.cuda", 1e11), case_line("naive.cuda", 2e11,
                                                            case=case_text(nx=64)),
                   case_line("naive.cuda", verdict="timeout", case=case_text(field="none")))
    (sweep,) = sweeps.sweeps(records.cases, SIZE)
    assert {name: [r.coil_pairs_per_s for r in line.values()]
            for name, line in sweep.lines.items()} == {
        "naive.cuda": [2e11, 1e11], "tiled.cuda": [2e12, 3e12]}


def test_crossover_is_where_the_lines_meet(tmp_path):
    """From 64² to 256² (8 octaves of pairs) a falls behind by 4x where it led by 4x: half way."""
    records = read(tmp_path, *(
        case_line(f"{name}.cuda", rate, case=case_text(nx=nx)) for name, nx, rate in (
            ("tiled", 64, 4e11), ("naive", 64, 1e11), ("tiled", 256, 1e11), ("naive", 256, 4e11))))
    (sweep,) = sweeps.sweeps(records.cases, SIZE)
    (crossing,) = sweep.crossings()
    assert crossing.at == pytest.approx(128 ** 4)
    assert (crossing.before.family, crossing.after.family) == ("tiled", "naive")
    assert sweep.say(crossing.low) == "64² m=4096"


def test_a_tie_is_no_crossover(tmp_path):
    records = read(tmp_path, *(
        case_line(f"{name}.cuda", rate, .01, case=case_text(nx=nx)) for name, nx, rate in (
            ("tiled", 64, 4e11), ("naive", 64, 1e11), ("tiled", 256, 3.99e11),
            ("naive", 256, 4e11))))
    assert sweeps.sweeps(records.cases, SIZE)[0].crossings() == []


def test_crossover_that_cannot_be_placed_is_still_named(tmp_path):
    small = case_text(nx=64)
    records = read(tmp_path, case_line("naive.cuda", 2e11, case=small), case_line("tiled.cuda"),
                   case_line("fast_math.cuda", 1e11, case=small), case_line("fast_math.cuda", 1e11))
    (crossing,) = sweeps.sweeps(records.cases, SIZE)[0].crossings()
    assert crossing.at is None and crossing.after.family == "tiled"


def test_nobody_wins_where_one_variant_alone_was_measured(tmp_path):
    records = read(tmp_path, case_line("naive.cuda", 1e11), case_line("tiled.cuda"),
                   *(case_line("tiled.cuda", case=case_text(nx=nx)) for nx in (64, 128)))
    assert sweeps.sweeps(records.cases, SIZE) == []


def test_other_axes_vary_alone(tmp_path):
    eight = case_text().replace("coils=1", "coils=8")
    records = read(tmp_path, case_line("tiled.cuda"), case_line("naive.cuda", 1e11),
                   case_line("tiled.cuda", case=eight), case_line("naive.cuda", 1e11, case=eight),
                   case_line("naive.cuda", case=case_text(op="adjoint")))
    (sweep,) = sweeps.sweeps(records.cases, COILS)
    assert sweep.values == [1, 8] and "coils" not in sweep.title
    assert sweeps.sweeps(records.cases, SIZE) == []


def test_heat_map_finds_each_sizes_winner_and_ties(tmp_path):
    small, large = case_text(nx=64), case_text(nx=256)
    records = read(tmp_path, *(
        case_line(f"tiled.cuda:tile={tile},outputs={outputs}", rate, .01, case=case)
        for tile, outputs, rate, case in (
            (32, 1, 2.0e12, small), (64, 1, 1.99e12, small), (128, 1, 1e12, small),
            (32, 1, 1.0e12, large), (64, 1, 1.0e12, large), (64, 2, 3e12, large))),
        case_line("tiled.cuda:tile=128,outputs=1", case=large, verdict="unsupported"))
    heat = next(m for m in plot_tiles.maps(records.cases) if m.knob == "tile")
    assert {c.n[0]: value for c, value in heat.winners().items()} == {64: 32, 256: 64}
    assert [heat.ties(c) for c in heat.sizes] == [{64}, set()]
    expected = np.array([[2e12, 1e12], [1.99e12, 3e12], [1e12, np.nan]])
    assert np.allclose(heat.rates(), expected, equal_nan=True)


def test_accuracy_panels_hold_passes_with_an_error_only(tmp_path):
    records = read(tmp_path, case_line("naive.cuda"), case_line("tiled.cuda", rel_l2=None),
                   case_line("fast_math.cuda", verdict="wrong", rel_l2=1.0),
                   case_line("output_driven.cuda", 1e12), case_line("naive.cpu", 1e8))
    panels = plot_accuracy.panels(records.cases)
    assert [[r.id for r in panel] for panel in panels] == [["naive.cuda", "output_driven.cuda"]]


def test_frontier_is_what_nothing_beats_in_both(tmp_path):
    records = read(tmp_path, case_line("tiled.cuda", 2e12, rel_l2=1e-5),
                   case_line("fast_math.cuda", 1e12, rel_l2=2e-5),
                   case_line("naive.cuda", 5e11, rel_l2=1e-6))
    assert [r.family for r in plot_accuracy.frontier(records.cases)] == ["tiled", "naive"]


def test_bound_of_the_record_is_believed(tmp_path):
    line = case_line(rate=1e12)
    bounds = {"fma": line["median_s"] / 4, "issue_slots": line["median_s"] * .8}
    records = read(tmp_path, peak("special", 1.0), line | {
        "bounds_s": bounds, "bound": "issue_slots", "bound_fraction": .8})
    bound = ceilings.bound(records.cases[0], records.peaks)
    assert bound.resource == "issue_slots" and bound.fraction == pytest.approx(.8)
    assert bound.by_resource == bounds


def test_bound_from_peaks_is_the_slowest_resource(tmp_path):
    records = read(tmp_path, peak("fma", 2.4e13), peak("special", 4e12), case_line(rate=1e12),
                   case_line("naive.cpu", 1e8))
    bound = ceilings.bound(records.cases[0], records.peaks)
    assert bound.resource == "special" and bound.fraction == pytest.approx(.5)
    assert bound.by_resource["fma"] / bound.seconds == pytest.approx(.5)
    assert ceilings.bound(records.cases[1], records.peaks) is None
    assert [len(rows) for rows in plot_roofline.panels(records.cases, records.peaks)] == [1]
    assert ceilings.unknown_devices(records) == ["xeon-2c-avx512"]


def test_double_precision_has_its_own_ceilings(tmp_path):
    case = case_text().replace("prec=f32", "prec=f64")
    assert ceilings.bound(*bounded(tmp_path, case, "fma", 1e13)) is None
    assert ceilings.bound(*bounded(tmp_path, case, "fma_f64", 1.2e13)).fraction == \
        pytest.approx(.5)


def test_units_that_float_and_double_share_have_one_ceiling_unless_two_were_measured(tmp_path):
    case = case_text().replace("prec=f32", "prec=f64")
    cost = {"issue_slots": 1e9, "launches": 2}
    shared = (peak("issue_slots", 4e12), peak("launch", 1e6), case_line(case=case, cost=cost))
    records = read(tmp_path, *shared)
    times = ceilings.bound(records.cases[0], records.peaks).by_resource
    assert times == pytest.approx({"issue_slots": 2.5e-4, "launches": 2e-6})
    records = read(tmp_path, peak("issue_slots_f64", 2e12), *shared)
    times = ceilings.bound(records.cases[0], records.peaks).by_resource
    assert times["issue_slots"] == pytest.approx(5e-4)


def bounded(tmp_path, case, resource, value):
    records = read(tmp_path, peak(resource, value), case_line(rate=1e12, case=case))
    return records.cases[0], records.peaks


def test_resources_have_names_that_people_read():
    assert ceilings.named("fma_f64") == "multiply-add in double"
    assert ceilings.named("tensor_f64_mma") == "tensor f64, mma.sync"
    assert ceilings.named("unheard_of") == "unheard_of"


def test_margin_has_the_interval_that_both_allow(tmp_path):
    records = read(tmp_path, case_line("tiled.cuda", 2e12, .01), case_line("naive.cuda", 1e12, .02))
    (decision,) = rank.decide(records.cases)
    margin = plot_margins.margin(decision)
    assert margin.ratio == pytest.approx(2)
    assert margin.low == pytest.approx(2 * .98 / 1.01)
    assert margin.high == pytest.approx(2 * 1.02 / .99)


def test_modes_stand_in_their_order_beside_each_other(tmp_path):
    records = read(tmp_path, case_line("tiled.cuda", 2e12), case_line("tiled.cuda", mode="graph"),
                   case_line("tiled.cuda", 1e12, mode="cold"), case_line("naive.cuda", 1e11),
                   *(case_line("sincos_table.cuda", 1e10, mode=m) for m in ("batch", "cold")),
                   case_line("naive.cuda", case=case_text(nx=64)))
    (panel,) = plot_modes.panels(records.cases)
    assert [(r.family, r.mode) for r in panel] == [  # one mode of naive, sincos_table far off
        ("tiled", "batch"), ("tiled", "cold"), ("tiled", "graph")]


def test_labels_are_spread_but_stay_close():
    placed = style.spread([0, 1, 100, 2], gap=10)
    assert sorted(placed) == pytest.approx([-9, 1, 11, 100])
    assert placed[0] < placed[1] < placed[3]
