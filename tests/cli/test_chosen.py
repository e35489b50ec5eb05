# SPDX-License-Identifier: Apache-2.0
"""What a plan chose by itself stands in its record."""

import re

import pytest

from program import ROOT, lines, ndft

SUMS = ("tiled", "fast_math", "sincos_table", "output_driven", "coil_gemm")
NUFFTS = ("nufft_scatter", "nufft_hybrid", "nufft_output_driven")
# Those whose plans have nothing to choose: all is the same for every problem, or a knob's.
NOTHING = {"naive.cpu", "naive.cuda", "fast_math.cuda", "sincos_table.cuda", "uniform_naive.cpu",
           "uniform_naive.cuda", "uniform_tiled.cpu", "uniform_sincos_table.cpu", "uniform_gemm.cpu", "chirpz_naive.cpu",
           "chirpz_naive.cuda"}
# Between them they are served by every variant of the processor.
CASES = ("forward 2d n=32x32 m=1024 traj=radial:32", "adjoint 2d n=32x24 m=768 traj=epi:1",
         "normal 2d n=24x24 m=576 traj=radial:24", "uniform:scfo101x37*3")


def chosen(case, variant, *options):
    """By variant, as numbers; None where there was nothing to choose."""
    records = lines(ndft("check", case, "--variant", variant, "--json", *options).stdout)
    passed = [r for r in records if r["verdict"] == "pass"]
    if not passed:
        pytest.skip(f"nothing passed here of {variant}: {[r['reason'] for r in records]}")
    return {r["variant"].partition(".")[0]: r["chosen"] and dict(
        word.split("=") for word in r["chosen"].split(",")) for r in passed}


def numbers(text):
    """Of axes, and of forward and adjoint where they differ."""
    return [int(word) for word in re.split("[x/]", text)]


def ablations():
    registry = (ROOT / "variants" / "variants.def").read_text()
    return {f"{name}.cpu" for name in re.findall(r"^NDFT_ABLATION\((\w+), cpu", registry, re.MULTILINE)}


def registered():
    """Every variant with its descriptor, a scheme with its engine's; ablations, too."""
    found = {}
    folder = ROOT / "variants"
    for source in (*folder.rglob("*_cpu.c"), *folder.rglob("*_cuda.cu")):
        for variant, text in re.findall(r"^[^\n]*const ndft_variant ndft_(\w+) = (.*?)^\};",
                                        source.read_text(), re.MULTILINE | re.DOTALL):
            found[".".join(variant.rsplit("_", 1))] = text
    yield from found.items()
    registry = (ROOT / "variants" / "variants.def").read_text()
    for scheme, backend, engine in re.findall(r"^NDFT_SCHEME\((\w+), (\w+), \w+, (\w+)", registry,
                                              re.MULTILINE):
        yield f"{scheme}.{backend}", found[f"{engine}.{backend}"]


def test_every_variant_that_chooses_says_so():
    silent = {variant for variant, source in registered() if ".chosen = " not in source}
    assert silent == NOTHING


def test_what_it_says_stands_in_its_record():
    choosing = {variant.partition(".")[0] for variant, source in registered()
                if variant.endswith(".cpu") and variant not in NOTHING | ablations()}
    told, asked = set(), set()
    for case in CASES:
        found = chosen(case, "[^.]+[.]cpu")
        asked |= set(found)
        told |= {name for name, words in found.items() if words}
    assert told == choosing & asked
    assert {"line_gemm", "separable_gemm", *SUMS} <= told


def test_threads_that_were_left_open():
    case = "forward 2d n=16x16 m=3000 coils=2"
    for variant, found in chosen(case, f"({'|'.join(SUMS)})[.]cpu").items():
        assert min(numbers(found["threads"]) + numbers(found["split"])) >= 1, variant
    (found,) = chosen(case, "tiled.cpu", "--knob", "threads=1").values()
    assert found["threads"] == "1"


def test_directions_that_differ_are_told_apart():
    """One batch of inputs has one part; few tiles of outputs are shared by all threads."""
    found = chosen("forward 2d n=16x16 m=3000", "output_driven[.]cpu")["output_driven"]
    forward, adjoint = numbers(found["split"])
    assert forward == 1 < adjoint and "/" in found["split"]
    alike = chosen("forward 2d n=16x16 m=256", "output_driven[.]cpu")["output_driven"]
    assert alike["split"] == "1"


def test_lines_and_axes_that_are_cut():
    found = chosen("forward 2d n=32x32 m=1024 traj=radial:32 coils=3", "line_gemm[.]cpu")["line_gemm"]
    assert int(found["samples_of_piece"]) == 32 and int(found["coils_of_group"]) == 3
    found = chosen("forward 2d n=32x32 m=1024 traj=epi:1 coils=3", "separable_gemm[.]cpu",
                   "--knob", "samples=64")["separable_gemm"]
    assert int(found["samples_of_group"]) == 64 and int(found["strips"]) >= 1


def test_lengths_of_chirp_z():
    """Of the transform along each axis: at least voxels and places less one."""
    found = chosen("adjoint 2d n=32x24 m=768 traj=epi:1 coils=2", "chirp_z[.]cpu")["chirp_z"]
    assert int(found["coils_of_pass"]) == 2
    for direction in found["cells"].split("/"):
        assert len(numbers(direction)) == 2 and min(numbers(direction)) >= 24


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
