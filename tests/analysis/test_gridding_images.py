# SPDX-License-Identifier: Apache-2.0
"""Gridding of 2008: images, their errors, and what could have made those printed."""

import json
import re

import numpy as np
import pytest

from program import PROGRAM

from analysis import program
from analysis.peers import exported
from studies.gridding_2008 import claims, errors, gridding, phantom, printed, scans, shown
from studies.gridding_2008.ellipses import Ellipse, inside, samples


def scattered(m=300, n=32):
    rng = np.random.default_rng(1)
    return (rng.random((m, 2)) - .5) * n, rng.normal(size=m) + 1j * rng.normal(size=m)


def summed(k, values, n):
    turns = np.arange(-(n // 2), n - n // 2) / n
    x, y = (np.exp(2j * np.pi * np.multiply.outer(k[:, d], turns)) for d in range(2))
    return np.einsum("m,my,mx->yx", values, y, x)


@pytest.mark.parametrize("n", [32, 33])
@pytest.mark.parametrize("window,oversampling,most", [
    (gridding.kaiser_bessel(10, 2), 2, 1e-8), (gridding.gaussian(10, 1.1), 2, 1e-4),
    (gridding.kaiser_bessel(8, 1.5), 1.5, 1e-4)])
def test_gridding_is_the_sum(n, window, oversampling, most):
    k, values = scattered(n=n)
    exact = summed(k, values, n)
    assert scans.error(gridding.adjoint(k, values, n, window, oversampling), exact) < most


def test_without_oversampling_aliases_are_left():
    k, values = scattered()
    off = scans.error(gridding.adjoint(k, values, 32, gridding.gaussian(4, gridding.least_aliasing(4, 1)), 1),
                      summed(k, values, 32))
    assert .1 < off < 1


def test_a_sample_on_a_cell_goes_to_both_sides_alike():
    image = gridding.adjoint(np.zeros((1, 2)), np.ones(1), 32, gridding.gaussian(4, .68), 2)
    assert abs(image.imag).max() < 1e-12 and np.allclose(image, image[::-1, ::-1][np.r_[-1, 0:31]][:, np.r_[-1, 0:31]])


def test_the_parameter_of_least_aliasing_is_beside_the_image():
    """Of 2 cells without oversampling: a narrower one has less aliases, but less of the image still."""
    def transformed(sigma, frequency):
        x = np.linspace(-1, 1, 2001)[:, None]
        return np.trapz(np.exp(-(x / sigma) ** 2 / 2) * np.cos(2 * np.pi * x * frequency), x[:, 0], axis=0)
    own = np.linspace(-.5, .5, 101)
    def beside(sigma):
        aliases = sum((transformed(sigma, own + n) ** 2).sum() for n in range(-4, 5) if n)
        return aliases / (transformed(sigma, own) ** 2).sum()
    chosen = gridding.least_aliasing(2, 1)
    assert beside(chosen) < beside(chosen - .02) and beside(chosen) < beside(chosen + .02)


def test_the_parameter_of_least_aliasing_is_where_the_error_is_least():
    k, values = scattered(1000)
    exact = summed(k, values, 32)
    chosen = gridding.least_aliasing(4, 2)
    def off(sigma):
        return scans.error(gridding.adjoint(k, values, 32, gridding.gaussian(4, sigma), 2), exact)
    assert off(chosen) < off(.9 * chosen) and off(chosen) < off(1.1 * chosen)


def test_an_ellipse_is_the_transform_of_its_area():
    one = [Ellipse(2, .5, .3, .1, -.2, 30)]
    k = np.array([[0, 0], [1.5, 0], [0, 2], [-3, 4]])
    n = 1024
    y, x = np.meshgrid(*2 * [(np.arange(n) - n // 2 + .5) / n], indexing="ij")
    turn = np.deg2rad(30)
    u, v = 2 * x - .1, 2 * y + .2
    along, across = u * np.cos(turn) + v * np.sin(turn), v * np.cos(turn) - u * np.sin(turn)
    raster = 2. * ((along / .5) ** 2 + (across / .3) ** 2 <= 1)
    sums = [(raster * np.exp(-2j * np.pi * (kx * x + ky * y))).mean() for kx, ky in k]
    assert np.allclose(samples(one, k), sums, atol=2e-4)


def test_the_inside_of_an_ellipse_is_its_area():
    assert inside(Ellipse(1, .5, .25), 256).mean() == pytest.approx(np.pi * .5 * .25 / 4, rel=.02)


def test_an_error_is_of_the_voxels_and_the_norm_asked_for():
    truth, image = np.ones((2, 2), complex), np.array([[1j, 1], [1, 3]])
    everywhere, three = np.ones((2, 2), bool), np.array([[True, True], [True, False]])
    assert errors.error(image, truth, "complex", everywhere) == pytest.approx(np.sqrt((2 + 4) / 4))
    assert errors.error(image, truth, "complex", three) == pytest.approx(np.sqrt(2 / 3))
    assert errors.error(image, truth, "magnitudes", three) == 0


def tried(window, off, **more):
    base = dict(zip(errors.FIELDS, (window, "p", "s", "w", "n", "all")))
    return base | more | {"errors": [off * row[1] for row in printed.ERRORS.values()]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """In place of the study's, for what its commands wrote."""
    monkeypatch.setattr(shown, "FOLDER", tmp_path)
    shown.held.cache_clear()
    yield tmp_path
    shown.held.cache_clear()


def test_the_nearest_is_shown_and_what_changes_it(folder):
    w, wide, both = errors.WINDOWS
    ways = tried(w, 2), tried(w, 2.5, norm="m"), tried(wide, .1), tried(both, .8), tried(both, .5, norm="m")
    file = {"tried": ways, "parameters": []}
    (folder / errors.FILE).write_text(json.dumps(file))
    assert shown.best()["window"] == both and shown.factor_off(shown.best(w)) == pytest.approx(2)
    text = shown.tables_errors()
    assert "| differs from the GPU by a factor of |  |  | 2.00 | 10.00 | 1.25 |" in text
    assert "| norm: m | 2.00 | 2.00 |" in text and f"| window: {w} | 2.00 | 2.00 |" in text
    answers = {c.says: c.answer(None) for c in claims.CLAIMS if "Table V's" in c.says or "A width W" in c.says}
    assert [a.verdict for a in answers.values()] == [claims.HOLDS, claims.DIFFERS]


def test_the_parameter_that_would_give_an_error_is_found_between():
    assert shown._crossings([1, 2, 3], [1e-1, 1e-3, 1e-1], 1e-2) == pytest.approx([1.5, 2.5])
    assert shown._crossings([1, 2], [1e-1, 1e-2], 1e-3) == []


def test_without_the_commands_there_are_no_images(folder):
    assert shown.tables_errors() == shown.images(folder) == shown.fig_7(folder) == ""
    assert claims._alike(None).verdict == claims._noise(None).verdict == claims._errors(None).verdict == claims.OPEN


@pytest.mark.parametrize("trajectory", ["radial:64", "spiral:8"])
def test_a_density_compensated_phantom_looks_like_one(tmp_path, monkeypatch, trajectory):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    scan = scans.scan(trajectory, 64, tmp_path / "scan")
    disk = np.hypot(*np.meshgrid(*2 * [np.arange(-32, 32)])) < 32
    raster = np.abs(exported.read(tmp_path / "scan/plain").image[0, 0])[disk]
    assert np.corrcoef(np.abs(scan.truth[0])[disk], raster)[0, 1] > .9


def test_density_is_the_area_of_a_sample():
    angle = np.pi * np.arange(20)[:, None] / 20
    along = np.arange(-32, 32)
    radial = scans.density(np.stack([along * np.cos(angle), along * np.sin(angle)], 2)
                           .reshape(-1, 2), 20).reshape(20, 64)
    assert np.allclose(radial[:, [0, 16, 31, 32, 33]], [32, 16, 1, .25, 1])
    turn = 2 * np.pi * 16 * np.sqrt((np.arange(4000) + .5) / 4000)
    spiral = scans.density(np.stack([turn * np.cos(turn), turn * np.sin(turn)], 1), 1)
    halves = spiral[:1000].sum(), spiral.sum()  # a quarter of the samples is half of the radius
    assert halves[1] / halves[0] == pytest.approx(4, rel=.02)


def test_the_difference_of_two_engines_is_by_place():
    a, truth = np.zeros((1, 8, 8)), np.full((1, 8, 8), 2.)
    a[0, 4, 4], a[0, 0, 0] = 2, 4  # the centre and a corner
    found = phantom.difference(a, np.zeros_like(a), truth)
    assert found["most"] == 2 and found["all"] == pytest.approx(np.sqrt(5 / 64))
    assert found["inside"] == pytest.approx(np.sqrt(1 / 9)) and found["outside"] == pytest.approx(np.sqrt(4 / 55))


def test_all_images_of_a_small_phantom(folder, monkeypatch):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    built = [f"{v['name']}.{v['backend']}" for v in program.variants()["variants"] if v["built"]]
    variant = next((v for v in built if re.fullmatch(r"nufft_(hybrid|scatter)[.]cpu", v)), None)
    if not variant:
        pytest.skip("neither nufft_hybrid nor nufft_scatter is built for the processor")
    found = phantom.run(variant, None, 32, folder)
    of = {(e["oversampling"], e["width"], e["window"]): e["errors"]["radial:32"] for e in found["errors"]}
    assert of[2, 6, "kb"][0] < 1e-4 < of[2, 4, "gaussian"][0] < 3e-2 < .1 < of[1, 4, "gaussian"][0]
    assert of[2, 4, "gaussian"] == pytest.approx([of[2, 4, "gaussian"][0]] * 2, rel=1e-2), "f32 beside f64"
    assert all(1e-9 < d["all"] < 1e-6 for d in found["difference"].values())
    into = folder / "page"
    into.mkdir()
    text = shown.images(into) + shown.fig_7(into)
    assert f"{variant} less {variant} in double" in text and "| 2 | 6 | kb |" in text
    for name in (phantom.PAIR, phantom.SPOKES):
        assert (into / name).read_bytes().startswith(b"\x89PNG")
