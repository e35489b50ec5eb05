# SPDX-License-Identifier: Apache-2.0
"""studies/reconstruction: what its scans are made of, segments, and what is done where things are missing."""

import gzip
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from scans import SHAPE, blob, coil_maps, field, lines, samples, times
from sums import error

from ndft import recon
from ndft.recon.files.nifti import written
from studies.reconstruction import cases, dipole, head, nifti, proof, segments, speed, trajectories

K = lines()
T = times(K)


def ball(n, radius):
    """In the middle of n^3, and the places in it (z, y, x)."""
    places = np.meshgrid(*3 * [np.arange(n) - n // 2], indexing="ij")
    return sum(place ** 2 for place in places) <= radius ** 2, places


def test_the_field_of_a_ball_is_that_of_a_dipole():
    """Nothing inside, chi / 3 (a / r)^3 (3 cos^2 - 1) outside."""
    inside, (z, y, x) = ball(96, 12)
    found = dipole.field_hz(1e-6 * inside, (1, 1, 1), 3) / (3 * dipole.GAMMA_HZ * 1e-6)
    r = np.sqrt(z ** 2 + y ** 2 + x ** 2) + 1e-9
    wanted = (12 / r) ** 3 / 3 * (3 * (z / r) ** 2 - 1)
    near = (r > 16) & (r < 26)
    assert abs(found[r < 9]).max() < .03 and abs(found - wanted)[near].max() < .03
    assert found[48 + 18, 48, 48] > .15 and found[48, 48, 48 + 18] < -.07


def test_what_is_dark_and_thick_is_air():
    brightness = np.full((30, 30, 30), 80.)
    brightness[:, 10:12] = 3  # as bone
    brightness[5:12, 15:25, 8:20] = 3  # as a sinus
    air = head.air(brightness)
    assert air.sum() == 7 * 10 * 12 and air[5:12, 15:25, 8:20].all()


def test_an_image_has_the_frequencies_of_its_voxels():
    fine = np.zeros((96, 96))
    fine[30:60, 40:50] = 1
    coarse = cases._limited(fine, 32, False)
    np.testing.assert_allclose(cases._limited(np.kron(coarse, np.ones((1, 1))), 32, False), coarse, atol=1e-12)
    assert coarse.sum() * 9 == pytest.approx(fine.sum()) and coarse[15, 15] == pytest.approx(1, abs=.2)
    assert np.abs(np.fft.fft2(cases._limited(fine, 32, True))[16, 16]) < 1e-10


def test_epi_takes_every_line_once_and_its_clock_goes_on():
    k, t = trajectories.epi(24, 4, 12e-3)
    assert k.shape == (4, 6 * 32, 2) and t.shape == (6 * 32,)
    assert sorted(set(k[..., 0].ravel())) == list(range(-12, 12))
    assert len(set(map(tuple, np.round(k.reshape(-1, 2), 3)))) == 24 * 32
    assert (np.diff(t) > 0).all() and 0 < t[0] and t[-1] < 12e-3
    assert (np.abs(np.diff(k[0, :, 1])) < 1).all(), "there and back without a jump"


def operator(weights, count):
    scan = recon.Acquisition(SHAPE, K, samples(blob(), K, T, field(), coil_maps(3))[None, None], t=T, field=field(),
                             maps=coil_maps(3))
    return segments.Segments(scan, count, weights, tol=1e-5)


@pytest.mark.parametrize("weights, count, close", [(segments.hanning, 60, 3e-3), (segments.hanning, 6, .1),
                                                   (segments.least_squares, 6, 1e-2), (segments.least_squares, 9, 1e-5)])
def test_segments_come_near_the_sum_and_are_a_matched_pair(weights, count, close):
    wanted = samples(blob(), K, T, field(), coil_maps(3))
    one = operator(weights, count)
    found = one.forward(blob())
    assert error(found, wanted) < close
    data = wanted[::-1] * 1j
    apart = np.vdot(found, data) - np.vdot(blob(), one.adjoint(data))
    assert abs(apart) < 1e-4 * np.linalg.norm(found) * np.linalg.norm(data)


def test_segments_find_the_image_of_the_scan():
    scan = recon.Acquisition(SHAPE, K, samples(blob(), K, T, field(), coil_maps(3))[None, None], t=T, field=field(),
                             maps=coil_maps(3))
    weights = recon.density_weights(K, SHAPE)
    image = segments.solved(scan, weights, 20, operator(segments.least_squares, 9))
    assert error(image, blob()) < .02


def test_volumes_are_read_and_others_refused(tmp_path):
    values = np.random.default_rng(0).random((4, 5, 6)).astype("f4")
    content = written(values[None, None], (.08, .05, .03))
    (tmp_path / "a.nii").write_bytes(content)
    (tmp_path / "a.nii.gz").write_bytes(gzip.compress(content))
    for name in ("a.nii", "a.nii.gz"):
        volume = nifti.read(tmp_path / name)
        np.testing.assert_array_equal(volume.values, values)
        np.testing.assert_allclose(volume.voxel_mm, (20, 10, 5))
        np.testing.assert_allclose(volume.first_mm, (-40, -20, -15))
    for slope, factor in ((0, 1), (2, 2)):
        (tmp_path / "e.nii").write_bytes(content[:112] + struct.pack("<f", slope) + content[116:])
        np.testing.assert_array_equal(nifti.read(tmp_path / "e.nii").values, factor * values)
    (tmp_path / "b.nii").write_bytes(content[:300])
    with pytest.raises(ValueError, match="b.nii is no NIfTI-1 file"):
        nifti.read(tmp_path / "b.nii")
    (tmp_path / "d.nii").write_bytes(written(values[None, None, :2].repeat(3, 0), (.08, .05, .03)))
    with pytest.raises(ValueError, match="one volume of a kind"):
        nifti.read(tmp_path / "d.nii")
    (tmp_path / "c.nii").write_bytes(content[:70] + b"\x80\x00" + content[72:])
    with pytest.raises(ValueError, match="4 axes of kind 128"):
        nifti.read(tmp_path / "c.nii")


def written_head(path, cavity):
    """A head of 2 mm: a ball, brighter inside, with a cavity or without."""
    inside, (z, y, x) = ball(100, 42)
    values = inside * (80 + 40 * ((y - 9) ** 2 + x ** 2 < 300))
    if cavity:
        values[(z + 4) ** 2 + (y + 20) ** 2 + (x - 3) ** 2 < 80] = 0
    path.write_bytes(written(values[None, None].astype("f4"), (.2, .2, .2)))
    return path


@pytest.fixture(scope="module")
def volume(tmp_path_factory):
    return written_head(tmp_path_factory.mktemp("head") / "head.nii", True)


@pytest.mark.parametrize("shim", [True, False])
def test_a_cavity_changes_the_field_around_it(volume, tmp_path, shim):
    found, plain = (head.head(path, head.Place(-4, shim), 32, 3, 200)
                    for path in (volume, written_head(tmp_path / "plain.nii", False)))
    within = found.object > 0
    for one in (found, plain):
        assert one.field[one.object > 0].max() == pytest.approx(2 * np.pi * 200)
        assert one.field[one.object > 0].min() == pytest.approx(-2 * np.pi * 200)
    change = found.field / found.tesla - plain.field / plain.tesla
    change = abs(change - np.median(change[within])) * within
    y, x = (240 * ((i + .5) / 96 - .5) for i in np.nonzero(change > .5 * change.max()))
    assert (np.hypot(y + 40, x - 6) < 35).all()
    assert found.decay[found.object > 1].min() >= 21 and found.decay.max() < 30


def test_a_scan_of_a_head_leads_back_to_it(volume):
    """With its maps, and not without."""
    made = head.head(volume, head.Place(30, True), 48, 2, 100)
    for trajectory in cases.SHOTS:
        case = cases.of(made, trajectory, True, True, 48)
        settings = recon.Settings(10, stop=0)

        def found(one):
            image = recon.reconstruct(one.scan, settings, [one.weights]).images[0, 0]
            return error(abs(image), abs(one.truth))
        errors = [found(one) for one in (case, cases.without(case, "decay"), cases.without(case, "field", "decay"))]
        assert errors[0] < .9 * errors[1] and errors[1] < .8 * errors[2], (trajectory, errors)


def test_what_is_missing_is_said_and_the_rest_is_done(volume, tmp_path, capsys, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(cases, "FINE", 2)
    words = ["-o", str(tmp_path / "out"), "--head", str(volume), "-n", "32", "--bart", "nobart", "--python", "nopython"]
    assert proof.main(words) == 0
    said = capsys.readouterr()
    assert "no measured spiral: --data names no folder" in said.err
    assert said.out == (tmp_path / "out/proof.md").read_text() + "\n" and "| exactly | 0." in said.out
    assert said.out.count("by rank") == 5
    assert "| BART | - | - | - | - | - | nobart: " in said.out and "| - | nopython: " in said.out
    assert (tmp_path / "out/spiral_field_and_decay.png").read_bytes().startswith(b"\x89PNG")
    assert proof.main(["-o", str(tmp_path / "out"), "--head", "nowhere.nii"]) == 2
    said = capsys.readouterr()
    assert "apt-get install mricron-data" in said.err and "nothing to do" in said.err


def took_turns(capsys, *words):
    """Lines of those who took turns, and why the others did not."""
    size = ["--n", "64", "--coils", "3", "--shots", "4", "--rounds", "2", "--bart", "nobart"]
    assert speed.main([*size, *words]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {line["who"]: line for line in lines if "why" not in line}, {line["who"]: line.get("why") for line in lines}


def test_who_takes_turns_has_times_and_errors(capsys):
    lines, why = took_turns(capsys)
    assert "nobart" in why["BART"]
    for way in ("with", "without"):
        line = lines[f"ndft.recon {way} weights"]
        assert line["rounds"] == 2 and line["iterations"] == 20 and line["field_corrected"] and line["terms"] > 2
        assert 0 < line["solve_s"][1] <= line["solve_s"][0] and 0 < line["whole_s"][1] and line["nrmse"] < .1


def test_turns_in_a_homogeneous_field(capsys):
    lines, why = took_turns(capsys, "--hz", "0", "--only", "ndft")
    assert len(why) == len(lines) == 2
    for line in lines.values():
        assert not line["field_corrected"] and line["terms"] == 1 and line["nrmse"] < .05


MEASURED = Path(os.environ.get("NDFT_DATA", "nowhere")) / "spiral-cylinders"


@pytest.mark.skipif(not MEASURED.is_dir(), reason="no measured data: NDFT_DATA names no folder of it")
def test_the_measured_spiral(tmp_path, capsys):
    """By rank and exactly are one image; six segments are not; with the map's negative less is explained."""
    pytest.importorskip("scipy")
    pytest.importorskip("matplotlib")
    from studies.reconstruction import measured
    from studies.reconstruction.ways import Setup
    result = measured.run(MEASURED, Setup("nobart", "nopython"))
    without, given, negative = result.adjoint
    assert given >= 1.3 * without and negative <= 1.2 * without
    exact = measured.exact_of(result)
    away = {found.name: measured.distance(found, exact) for found in result.found if found.images}
    assert away["by rank"] < 1e-3 and away["6 segments, least squares"] > .02 and away["6 segments, Hanning"] > .1
    assert result.misfits["by rank"] < result.misfits["without the map"] < result.misfits["by rank, the map's negative"]
