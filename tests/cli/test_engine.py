# SPDX-License-Identifier: Apache-2.0
"""Engines, whose stages are chosen by knobs: any pair is as right as those that have names."""

import itertools

import pytest

from program import lines, ndft

CASES = ("adjoint 2d n=31x27 m=803 traj=golden:31 field=smooth:120Hz t=9ms coils=3",
         "forward 2d n=31x27 m=803 traj=golden:31 field=smooth:120Hz t=9ms coils=3")
SPREAD = ("scatter", "hybrid", "output_driven")
INTERPOLATE = ("sorted", "unsorted", "rows")


def check(case, variant, knobs=""):
    return lines(ndft("check", case, "--variant", variant, "--json", *(("--knob", knobs) if knobs else ())).stdout)


@pytest.mark.parametrize("spread,interpolate", itertools.product(SPREAD, INTERPOLATE))
def test_any_pair_of_stages_passes(spread, interpolate):
    for case in CASES:
        record, = check(case, "nufft[.]cpu", f"spread={spread},interpolate={interpolate}")
        assert record["verdict"] == "pass", record["reason"]
        assert f"spread={spread},interpolate={interpolate}" in record["variant"]


def test_knobs_of_other_stages_are_in_no_record():
    plain, = check(CASES[0], "nufft[.]cpu", "spread=hybrid")
    given, = check(CASES[0], "nufft[.]cpu", "np=128,spread=hybrid")
    assert plain["variant"] == given["variant"] and plain["key"] == given["key"]
    assert "np" not in given["knobs"] and given["knobs"]["spread"] == "hybrid"
    scheme, = check(CASES[0], "nufft_hybrid[.]cpu")
    assert "spread" not in scheme["knobs"] and scheme["claim"] == given["claim"]


def test_a_sweep_over_stages_has_each_way_once(tmp_path):
    suite = tmp_path / "stages.ndft"
    suite.write_text("nufft.cpu spread={scatter,output_driven} np={32,64} : " + CASES[0] + "\n")
    planned = ndft("sweep", str(suite), "--plan").stdout
    assert planned.count("spread=scatter") == 1 and planned.count("spread=output_driven") == 2


def test_a_scheme_is_its_choice_of_stages():
    """Same bits, as told by the error that is measured."""
    for scheme, knobs in (("scatter", "spread=scatter,interpolate=sorted"),
                          ("hybrid", "spread=hybrid,interpolate=unsorted")):
        for case in CASES:
            named, = check(case, f"nufft_{scheme}[.]cpu")
            chosen, = check(case, "nufft[.]cpu", knobs)
            assert named["rel_l2"] == chosen["rel_l2"] and named["chosen"] == chosen["chosen"]
