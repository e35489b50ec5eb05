# SPDX-License-Identifier: Apache-2.0
"""The statistics of compare on noise whose truth is known: false alarms, power, and edges."""

import itertools
import math

import numpy as np
import pytest


from turns import of_today

from analysis import ratio, student
from analysis.records import runs

SIZES = [(3, 3), (6, 6), (3, 30), (30, 30), (200, 200)]


def correlated(dice, shape, r):
    """Every value remembers r of the one before."""
    x = dice.standard_normal(shape)
    for i in range(1, shape[1]):
        x[:, i] = r * x[:, i - 1] + math.sqrt(1 - r * r) * x[:, i]
    return x


def tailed(dice, shape, size):
    """A floor with an exponential tail."""
    return size * dice.exponential(1, shape)


def skewed(dice, shape, size=0.02):
    """The same, and one sample in twenty up to e times as long."""
    return tailed(dice, shape, size) + (dice.random(shape) < .05) * dice.uniform(.1, 1, shape)


NOISE = {
    "normal": lambda dice, shape: .02 * dice.standard_normal(shape),
    "skewed": skewed,
    "outliers": lambda dice, shape: .004 * dice.standard_normal(shape)
    + (dice.random(shape) < .15) * dice.uniform(.05, 1, shape),
    "two modes": lambda dice, shape: .002 * dice.standard_normal(shape)
    + .04 * (dice.random(shape) < .4),
    "correlated": lambda dice, shape: .02 * correlated(dice, shape, .6),
}


def times(noise, rows, n, seed):
    return np.exp(noise(np.random.default_rng(seed), (rows, n)))


def judged(a, b, gate):
    return ratio.of_medians(ratio.median(a), ratio.median(b), gate)


def compared(a, b, gate):
    return [judged(x, y, gate) for x, y in zip(a, b)]


@pytest.mark.parametrize("kind, sizes", of_today(itertools.product(NOISE, SIZES)))
def test_false_alarms_are_at_most_one_in_twenty(kind, sizes):
    a, b = (times(NOISE[kind], 400, n, seed) for seed, n in zip((1, 2), sizes))
    found = compared(a, b, 1e-9)
    assert np.mean([r.p <= ratio.LEVEL for r in found]) <= ratio.LEVEL
    assert np.mean([not r.low <= 1 <= r.high for r in found]) <= ratio.LEVEL


def corpus(dice, cases, drift):
    """Two runs of the same program: every case with its own noise and number of samples; each run
    with its own offset and its own drift while it lasts, both of the size of drift."""
    kinds, sizes = list(NOISE.values()), dice.choice([.05, .2, 1, 3], cases)
    sides = []
    for _ in "AB":
        offset, slope = drift * dice.uniform(-.5, .5, 2)
        rows = []
        for case in range(cases):
            n = int(dice.choice([3, 5, 6, 9, 20, 60]))
            noise = kinds[case % len(kinds)](dice, (1, n))[0]
            rows.append(np.exp(sizes[case] * noise + offset + slope * np.linspace(-.5, .5, n)))
        sides.append(rows)
    return sides


@pytest.mark.parametrize("gate, drift", [(1e-9, 0.0), (0.02, 0.01)])
def test_a_null_corpus_raises_an_alarm_at_most_once_in_twenty(gate, drift):
    dice = np.random.default_rng(7)
    alarms = 0
    for _ in range(100):
        found = compared(*corpus(dice, 40, drift), gate)
        alarms += min(ratio.adjusted([r.p for r in found])) <= ratio.LEVEL
    assert alarms <= 5


def several_runs(dice, cases, k, effect):
    """Of every case k runs, each with an effect of its own whose tails are heavy."""
    return [[ratio.median(np.exp(tailed(dice, 9, .002) + effect * dice.standard_t(3)))
             for _ in range(k)] for _ in range(cases)]


def judged_runs(a, b, gate):
    between = runs.scatter(a + b)
    found = [ratio.of_medians(runs.joined(x, between), runs.joined(y, between), gate)
             for x, y in zip(a, b)]
    return ratio.adjusted([r.p for r in found])


def test_three_runs_a_side_tell_what_one_cannot():
    dice = np.random.default_rng(11)
    alarms = {1: 0, 3: 0}
    for k in alarms:
        for _ in range(40):
            a, b = (several_runs(dice, 40, k, .01) for _ in "AB")
            alarms[k] += min(judged_runs(a, b, .02)) <= ratio.LEVEL
    assert alarms[1] > 20 and alarms[3] <= 2
    a, b = (several_runs(dice, 40, 3, .01) for _ in "AB")
    b[5] = [ratio.Median(m.value + .15, m.below, m.above, m.freedom) for m in b[5]]
    assert np.flatnonzero(np.array(judged_runs(a, b, .02)) <= ratio.LEVEL).tolist() == [5]


def test_scatter_between_runs():
    dice = np.random.default_rng(1)
    groups = [[ratio.median(np.exp(.01 * dice.standard_normal() + .001 * dice.standard_normal(30)))
               for _ in range(3)] for _ in range(400)]
    for group in groups[:100]:  # whose last run a neighbour disturbed
        group[2] = ratio.Median(group[2].value + 1, group[2].below, group[2].above, 29)
    found = runs.scatter(groups)
    assert found.freedom == pytest.approx(.37 * 800)
    assert math.sqrt(found.variance) == pytest.approx(.0125, rel=.1)
    assert runs.scatter([group[:1] for group in groups]) is None


def test_runs_are_as_uncertain_as_the_most_uncertain_of_what_is_known():
    one = ratio.Median(1.0, 1e-4, 4e-4, 5)
    pooled = runs.Scatter(1e-3, 40)
    assert runs.joined([one], None) == one
    assert runs.joined([one], pooled) == ratio.Median(1.0, 1e-3, 1e-3, 40)
    assert runs.joined([one] * 2, None) == ratio.Median(1.0, .5e-4, 2e-4, 10)
    apart = [ratio.Median(v, 1e-4, 4e-4, 5) for v in (1.0, 1.1, 1.5)]
    share = math.pi / 6
    found = runs.joined(apart, pooled)
    assert (found.value, found.freedom) == (1.1, 2) and found.below == pytest.approx(share * .07)
    disturbed = runs.joined([one, one, ratio.Median(1.0, .5, .5, 5)], None)
    assert disturbed.below == pytest.approx(share * 1e-4)
    alike = [ratio.Median(v, 1e-4, 4e-4, 5) for v in (1.0, 1.001, 1.002)]
    found = runs.joined(alike, pooled)
    assert (found.value, found.freedom) == (1.001, 40) and found.above == pytest.approx(share / 1e3)


@pytest.mark.parametrize("shift, noise, n, kind", [
    (.03, .0006, 6, tailed), (-.03, .0006, 6, tailed), (.05, .0015, 6, tailed),
    (.10, .002, 4, tailed),
    (.03, .004, 30, skewed), (.05, .01, 30, skewed), (.10, .02, 30, skewed),
    (-.10, .02, 30, skewed), (.03, .01, 200, skewed)])
def test_known_shifts_are_found_among_forty_comparisons(shift, noise, n, kind):
    """In five families of forty, of which one changed and the others did not."""
    dice = np.random.default_rng(5)
    a, b = (np.exp(kind(dice, (200, n), noise)) for _ in "AB")
    b[::40] *= 1 + shift
    found = compared(a, b, 0.02)
    adjusted = np.concatenate([ratio.adjusted([r.p for r in found[i:i + 40]])
                               for i in range(0, 200, 40)])
    assert np.flatnonzero(adjusted <= ratio.LEVEL).tolist() == [0, 40, 80, 120, 160]
    assert all((found[i].value > 1) == (shift > 0) for i in range(0, 200, 40))


def test_the_interval_holds_the_true_ratio():
    a, b = (times(NOISE["skewed"], 400, 12, seed) for seed in (1, 2))
    found = compared(a, 1.3 * b, 0.02)
    assert np.mean([r.low <= 1.3 <= r.high for r in found]) >= 0.95
    assert all(r.low <= r.value <= r.high for r in found)


def test_one_outlier_of_nine_moves_the_interval_little():
    a = np.array([1, 1.001, 1.002, 1.003, 1.001, .999, 1.002, 1, 1.001])
    b = a.copy()
    b[4] = 50
    r = judged(a, b, 0.02)
    assert 0.99 < r.low <= r.value <= r.high < 1.02


def test_constant_samples_are_certain():
    a = np.full(5, 2.0)
    same, slower = judged(a, a, .02), judged(a, 1.05 * a, .02)
    assert (same.low, same.value, same.high, same.p) == (1, 1, 1, 1)
    assert slower.p == 0 and slower.low == slower.high == pytest.approx(1.05)
    assert judged(a, 1.01 * a, .02).p == 1


def test_a_change_is_judged_against_the_gate():
    dice = np.random.default_rng(3)
    a, b = (np.exp(.001 * dice.standard_normal(20)) for _ in "AB")
    assert judged(a, 1.05 * b, .02).p < .001
    assert judged(a, 1.05 * b, .08).p == 1
    assert judged(1.05 * a, b, .02).p < .001


def test_samples_that_are_no_times_are_left_out():
    assert ratio.usable([1.0, None, float("nan"), 0.0, -1.0, float("inf"), 2.0]).tolist() == [1, 2]
    assert len(ratio.usable(None)) == 0


def test_correlation_of_neighbours():
    assert ratio.correlation(np.full(9, 1.0)) == 0
    assert ratio.correlation(np.arange(1.0, 100)) == ratio.ALIKE_AT_MOST
    assert ratio.correlation(np.array([1.0, 3, 1, 3, 1, 3, 1, 3])) == 0
    x = np.exp(.01 * correlated(np.random.default_rng(1), (1, 5000), .5)[0])
    assert ratio.correlation(x) == pytest.approx(.5, abs=.05)


@pytest.mark.parametrize("p, df, t", [  # Abramowitz and Stegun, table 26.10
    (.025, 1, 12.706), (.025, 4, 2.776), (.005, 10, 3.169), (.0005, 30, 3.646), (.25, 2, .816),
    (.025, 120, 1.980)])
def test_student_quantiles(p, df, t):
    assert student.quantile(p, df) == pytest.approx(t, abs=6e-4)
    assert student.tail(t, df) == pytest.approx(p, rel=2e-3)


def test_student_tails_in_closed_form():
    for t in (0, .1, 1, 30, 1e4):
        assert student.tail(t, 1) == pytest.approx(math.atan2(1, t) / math.pi, rel=1e-6)
        two = .5 / (1 + t * t / 2) / (1 + t / math.sqrt(2 + t * t))
        assert student.tail(t, 2) == pytest.approx(two, rel=1e-6)
    assert student.tail(-1.3, 5) + student.tail(1.3, 5) == pytest.approx(1)


def test_correction_agrees_with_the_paper():
    """The example of section 3.2 of Benjamini and Hochberg: four of fifteen at 5 %."""
    p = [.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240, .4262, .5719, .6528,
         .7590, 1]
    dice = np.random.default_rng(1)
    order = dice.permutation(15)
    found = ratio.adjusted([p[i] for i in order])
    assert sorted(order[i] for i in range(15) if found[i] <= .05) == [0, 1, 2, 3]
    assert ratio.adjusted([]) == [] and ratio.adjusted([.03]) == [.03]
    assert ratio.adjusted([.9, .8]) == [.9, .9]
    assert ratio.adjusted([.05, .05]) == [.05, .05]  # at the level counts as below it
