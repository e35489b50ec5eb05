# SPDX-License-Identifier: Apache-2.0
"""What a plan chose by itself stands in its record."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("NDFT_PROGRAM", str(ROOT / "build" / "ndft"))
SUMS = ("tiled", "fast_math", "sincos_table", "output_driven", "coil_gemm")
NUFFTS = ("nufft_scatter", "nufft_hybrid", "nufft_output_driven")


def chosen(case, variant, *options):
    """By variant, as numbers; None where there was nothing to choose."""
    result = subprocess.run([PROGRAM, "check", case, "--variant", variant, "--json", *options],
                            capture_output=True, text=True, timeout=120, check=False)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    passed = [r for r in records if r["verdict"] == "pass"]
    if not passed:
        pytest.skip(f"nothing passed here of {variant}: {[r['reason'] for r in records]}")
    return {r["variant"].partition(".")[0]: r["chosen"] and dict(
        word.split("=") for word in r["chosen"].split(",")) for r in passed}


def numbers(text):
    return [int(word) for word in text.split("x")]


def test_threads_that_were_left_open():
    case = "forward 2d n=16x16 m=3000 coils=2"
    for variant, found in chosen(case, f"({'|'.join(SUMS)})[.]cpu").items():
        assert int(found["threads"]) >= 1 and int(found["split"]) >= 1, variant
    (found,) = chosen(case, "tiled.cpu", "--knob", "threads=1").values()
    assert found["threads"] == "1"


def test_windows_terms_and_grids_of_nonuniform_ffts():
    case = "adjoint 2d n=24x20 m=900 traj=radial:30 field=smooth:100Hz t=8ms coils=3"
    loose = chosen(case + " tol=1e-2", f"({'|'.join(NUFFTS)})[.]cpu")
    tight = chosen(case + " tol=1e-5", f"({'|'.join(NUFFTS)})[.]cpu")
    assert set(loose) == set(tight) == set(NUFFTS)
    for name, found in tight.items():
        assert int(found["width"]) > int(loose[name]["width"]) >= 2
        assert int(found["terms"]) > int(loose[name]["terms"]) >= 1
        grid = numbers(found["grid"])
        assert len(grid) == 2 and grid[0] >= 24 and grid[1] >= 20
        assert int(found["coils_of_pass"]) >= 1


def test_a_width_that_is_asked_for_is_the_one_that_is_told():
    (found,) = chosen("forward 2d n=24x20 m=900", "nufft_scatter[.]cpu", "--knob", "width=7").values()
    assert (found["width"], found["terms"], found["nodes"]) == ("7", "1", "1")


def test_lines_and_convolutions_of_the_nufft_family():
    found = chosen("forward 2d n=32x32 m=1024 traj=radial:32", "nufft_line[.]cpu")["nufft_line"]
    assert int(found["width"]) >= 2 and int(found["grid"]) >= 32
    found = chosen("normal 2d n=24x24 m=576 traj=radial:24 field=linear:50Hz t=5ms",
                   "nufft_toeplitz[.]cpu")["nufft_toeplitz"]
    assert int(found["terms"]) > 1 and all(n >= 47 for n in numbers(found["grid"]))


def test_padded_lengths_of_bluestein():
    found = chosen("uniform:scfo101x37*3", "bluestein_.*[.]cpu")
    for variant, words in found.items():
        cells = numbers(words["cells"])
        assert len(cells) == 2 and sorted(cells)[0] >= 2 * 37 - 1 and max(cells) >= 2 * 101 - 1, variant


def test_nothing_to_choose_is_null():
    assert chosen("forward 1d n=8 m=5", "naive[.]cpu") == {"naive": None}
