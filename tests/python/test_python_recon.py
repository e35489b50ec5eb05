# SPDX-License-Identifier: Apache-2.0
"""ndft.recon against dense least squares: coils, fields, weights, frames, slices, and what ends it."""

from dataclasses import replace

import numpy as np
import pytest

from scans import SHAPE, blob, coil_maps, decay, field, lines, noise, samples, spokes, times
from sums import error, matrix

import ndft
from ndft import recon
from ndft.recon._coil_maps import middle_window, normalised
from ndft.recon._field import extended
from ndft.recon._quality import nrmse, ssim
from ndft.recon._reconstruct import estimated_maps, weights_of

K = lines()
T = times(K)
CLOSE = recon.Settings(iterations=60, stop=1e-5, density=0, options={"tol": 1e-5})


def scan(images, maps=None, of=None, rates=None):
    """Of images (frames, slices, *SHAPE)."""
    return recon.Acquisition(SHAPE, K, samples(images, K, T, of, maps, rates), t=T, field=of, decay=rates, maps=maps)


def found(acquisition, settings=CLOSE, **more):
    return recon.reconstruct(acquisition, settings, **more).images


@pytest.mark.parametrize("density", [0, 10])
@pytest.mark.parametrize("of", [None, field()], ids=["homogeneous", "field"])
@pytest.mark.parametrize("coils", [1, 4])
def test_images_are_found_again(coils, of, density):
    maps = coil_maps(coils)
    image = found(scan(blob()[None, None], maps, of), replace(CLOSE, density=density))[0, 0]
    assert error(image, blob()) < 3e-3


@pytest.mark.parametrize("density", [0, 10])
@pytest.mark.parametrize("of", [None, field()], ids=["homogeneous", "field"])
def test_images_that_decayed_are_found_again(of, density):
    """As they were at the excitation; without the decay they are not."""
    maps, rates = coil_maps(4), decay()
    given = scan(blob()[None, None], maps, of, rates)
    settings = replace(CLOSE, density=density)
    assert error(found(given, settings)[0, 0], blob()) < 3e-3
    assert error(found(replace(given, decay=None), settings)[0, 0], blob()) > .1


def test_what_is_found_is_the_weighted_least_squares_fit():
    """Of samples that no image has, with weights and damping, against dense equations."""
    maps, of, weights = coil_maps(3), field(), np.linspace(.5, 2, K[..., 0].size).reshape(K.shape[:-1])
    data = noise((1, 1, 3, *K.shape[:-1]))
    weights = weights.astype("f4") / K[..., 0].size
    acquisition = recon.Acquisition(SHAPE, K, data, t=T, field=of, maps=maps)
    image = found(acquisition, replace(CLOSE, damping=.02), weights=[weights])[0, 0]
    a = matrix(SHAPE, K, np.broadcast_to(T, K.shape[:-1]), of)
    e = np.concatenate([a * one.ravel() for one in maps])
    w = np.tile(weights.ravel(), 3)
    wanted = np.linalg.solve((e.conj().T * w) @ e + .02 * np.eye(e.shape[1]), e.conj().T @ (w * data.ravel()))
    assert error(image.ravel(), wanted) < 2e-3


def test_frames_and_slices_of_their_own():
    """Fields, maps and images of each slice, images of each frame, in groups and one by one."""
    images = blob() * np.array([[1, 2j], [3, -1], [.5, 1]])[..., None, None]
    fields = np.stack([field(), field(-90)])
    maps = np.stack([coil_maps(4), coil_maps(4)[::-1]])
    data = np.stack([samples(images[:, s], K, T, fields[s], maps[s]) for s in range(2)], 1)
    image = found(recon.Acquisition(SHAPE, K, data, t=T, field=fields, maps=maps))
    assert image.shape == (3, 2, *SHAPE) and error(image, images) < 3e-3
    one = samples(images, K, T, fields[0], maps[0])
    image = found(recon.Acquisition(SHAPE, K, one, t=T, field=fields[0], maps=maps[0]))
    assert error(image, images) < 3e-3


@pytest.mark.parametrize("own", ["field decay", "field", "decay"])
def test_slices_with_decays_of_their_own(own):
    images = blob() * np.array([[1, 2j], [3, -1]])[..., None, None]
    fields, rates = (np.stack([both[0], both[name in own]]) for name, both in (
        ("field", [field(), field(-90)]), ("decay", [decay(), decay(40)])))
    data = np.stack([samples(images[:, s], K, T, fields[s], coil_maps(4), rates[s]) for s in range(2)], 1)
    given = recon.Acquisition(SHAPE, K, data, t=T, field=fields if "field" in own else fields[0],
                              decay=rates if "decay" in own else rates[0], maps=coil_maps(4))
    assert error(found(given), images) < 3e-3


def test_a_decay_needs_a_clock_and_at_excitation_there_is_none_yet():
    given = scan(blob()[None, None], coil_maps(4))
    with pytest.raises(ndft.InvalidError, match="decay is given without t; the time of each sample in s"):
        replace(given, t=None, decay=decay())
    image = found(replace(given, t=np.zeros(1, "f4"), decay=decay()))
    assert error(image[0, 0], blob()) < 3e-3


def test_the_misfit_knows_the_decay_of_the_slice_in_the_middle():
    images = blob() * np.ones((1, 3, 1, 1))
    rates = np.stack([decay(10), decay(), decay(30)])
    data = np.stack([samples(images[:, s], K, T, None, coil_maps(4), rates[s]) for s in range(3)], 1)
    given = recon.Acquisition(SHAPE, K, data, t=T, decay=rates, maps=coil_maps(4))
    middle = replace(given, data=data[:, 1:2], decay=rates[1])
    found, alone, other = (recon.misfit(one, recon.Settings(density=0))
                           for one in (given, middle, replace(middle, decay=rates[2])))
    assert found == pytest.approx(alone, rel=1e-3) and found != pytest.approx(other, rel=.1)


def test_a_trajectory_for_each_frame():
    ks = np.stack([K, K[::-1, ::-1]])
    images = blob() * np.array([1, 2j])[:, None, None]
    maps = coil_maps(4)
    data = np.stack([samples(images[f], ks[f], T, field(), maps) for f in range(2)])[:, None]
    acquisition = recon.Acquisition(SHAPE, ks, data, t=T, field=field(), maps=maps)
    for settings in (CLOSE, replace(CLOSE, density=10)):
        assert error(found(acquisition, settings)[:, 0], images) < 3e-3


def test_more_images_than_one_execution_takes():
    images = np.arange(1, 66).reshape(65, 1, 1, 1) * blob()
    image = found(scan(images, coil_maps(4)), replace(CLOSE, stop=1e-3))
    assert error(image, images) < 2e-2


def test_three_dimensions():
    shape, rng = (6, 8, 10), np.random.default_rng(2)
    k = (rng.uniform(-.5, .5, (3000, 3)) * shape).astype("f4")
    image = noise(shape)
    data = (matrix(shape, k) @ image.ravel()).astype("c8")[None, None, None]
    acquisition = recon.Acquisition(shape, k, data, maps=np.ones((1, *shape), "c8"))
    assert error(found(acquisition)[0, 0], image) < 2e-2


def test_double_precision():
    k, image = lines(float), blob().astype(complex)
    data = (matrix(SHAPE, k) @ image.ravel()).reshape(1, 1, 1, *k.shape[:-1])
    settings = recon.Settings(iterations=200, stop=1e-10, density=0)
    image_found = found(recon.Acquisition(SHAPE, k, data, maps=np.ones((1, *SHAPE))), settings)
    assert image_found.dtype == "complex128" and error(image_found[0, 0], image) < 1e-7


def test_maps_are_estimated_from_the_middle():
    """Of smooth coils the image has the modulus that maps lead to whose squares sum to 1."""
    acquisition = replace(scan(blob()[None, None], coil_maps(4), field()), maps=None)
    result = recon.reconstruct(acquisition, recon.Settings(iterations=10, stop=0, middle=6))
    assert result.maps.shape == (1, 4, *SHAPE)
    np.testing.assert_allclose((abs(result.maps) ** 2).sum(1), 1, atol=1e-5)
    assert nrmse(result.images[0, 0], abs(blob())) < .1


def test_maps_are_as_smooth_as_the_middle_of_k_space_is():
    """Of an object that has every frequency."""
    data = samples(noise((1, 1, *SHAPE)), K, maps=coil_maps(4))
    maps = [estimated_maps(recon.Acquisition(SHAPE, K, data), recon.Settings(middle=middle), [])[0]
            for middle in (2, 12)]
    low, high = (abs(np.diff(found, axis=-1)).mean() for found in maps)
    assert low < .3 * high


def test_forward_and_adjoint_are_a_matched_pair():
    operator = recon.Sense(recon.fourier(SHAPE, K, T, field()), coil_maps(3), None, noise(1))
    image, data = noise(SHAPE, 1), noise((3, *K.shape[:-1]), 2)
    one, other = np.vdot(operator.forward(image), data), np.vdot(image, operator.adjoint(data))
    assert abs(one - other) < 1e-5 * np.linalg.norm(image) * np.linalg.norm(data)
    k = np.random.default_rng(0).uniform(-12, 12, (2000, 2)).astype("f4")
    plan = recon.fourier((24, 24), k).plan(noise((1, 24, 24)), 2)
    assert len({chosen["variant"] for chosen in plan.describe()["operations"]}) == 1, "where two would be faster"
    assert error(operator.normal(image), operator.adjoint(operator.forward(image))) < 2e-4


def test_one_coil_has_the_map_1():
    assert (normalised(noise((1, 4, 5))) == 1).all()


def test_no_sample_in_the_middle_is_said():
    with pytest.raises(ndft.InvalidError, match=r"within 2 cycles/FOV .* the next at 3"):
        middle_window(np.array([[3, 0], [0, 5]], "f4"), 2)


def test_density_weights_make_a_flat_image_flat():
    k = spokes()
    weights = recon.density_weights(k, SHAPE)
    reach = np.hypot(*np.moveaxis(k / np.array(SHAPE), -1, 0))
    inner, outer = (weights[(reach > low) & (reach < high)].mean() for low, high in ((.1, .2), (.3, .4)))
    assert 1.8 < outer / inner < 2.8, "spokes are as dense as 1 / radius"
    a = matrix(SHAPE, k)
    assert abs(a.conj().T @ (weights.ravel() * (a @ np.ones(a.shape[1])))).mean() == pytest.approx(1, abs=.01)


def test_it_ends_at_the_residual_or_after_the_iterations():
    few = recon.reconstruct(scan(blob()[None, None], coil_maps(4)), recon.Settings(iterations=50, stop=1e-2))
    assert few.finished and len(few.steps[0]) < 50 and few.steps[0][-1] <= 1e-2 < few.steps[0][-2]
    three = recon.reconstruct(scan(blob()[None, None], coil_maps(4)), recon.Settings(iterations=3, stop=0))
    assert len(three.steps[0]) == 3


@pytest.mark.parametrize("density", [0, 10])
def test_samples_of_nothing_have_an_image_of_nothing(density):
    data = scan(0 * blob()[None, None], coil_maps(2))
    result = recon.reconstruct(data, recon.Settings(density=density))
    assert result.finished and not result.images.any()


def test_a_slice_without_signal_leaves_the_others_theirs():
    """Whose maps are estimated from nothing."""
    data = np.stack([samples(blob(), K, maps=coil_maps(4)), np.zeros((4, *K.shape[:-1]), complex)])
    both = recon.reconstruct(recon.Acquisition(SHAPE, K, data[None].astype("complex64"))).images[0]
    alone = recon.reconstruct(recon.Acquisition(SHAPE, K, data[None, :1].astype("complex64"))).images[0, 0]
    assert error(both[0], alone) < 1e-5 and not both[1].any()


def test_samples_of_any_size():
    """Whose squares are no floats."""
    maps, settings = coil_maps(4), recon.Settings(iterations=5, stop=0)
    usual = scan(blob()[None, None], maps, field())
    wanted = recon.reconstruct(usual, settings).images
    for factor in (np.float32(1e27), np.float32(1e-27)):
        for given in (maps, None):
            other = replace(usual, data=factor * usual.data, maps=given)
            same = recon.reconstruct(replace(usual, maps=given), settings).images
            assert error(recon.reconstruct(other, settings).images / factor, same) < 1e-3
    assert error(wanted[0, 0], blob()) < .05
    with (np.errstate(all="ignore"),
          pytest.raises(ndft.InvalidError, match="maps is .* where it is largest, .* 9.09e-13 to 1.1e.12 is valid")):
        recon.reconstruct(replace(usual, maps=np.float32(1e30) * maps), settings)


def test_an_interruption_keeps_the_last_whole_iteration():
    def interrupt(done, total, residual):
        assert total == 20
        if done == 4:
            raise KeyboardInterrupt
    acquisition = scan(blob()[None, None], coil_maps(4))
    result = recon.reconstruct(acquisition, recon.Settings(iterations=20, stop=0), told=interrupt)
    four = recon.reconstruct(acquisition, recon.Settings(iterations=4, stop=0))
    assert not result.finished and len(result.steps[0]) == 4
    np.testing.assert_array_equal(result.images, four.images)


def test_steps_that_do_not_stay_finite_end_before():
    def normal(image):
        calls.append(1)
        return image * (np.nan if len(calls) == 3 else np.arange(1, 5))
    calls = []
    with np.errstate(all="ignore"):
        steps = list(recon.conjugate_gradients(normal, np.ones((1, 4), complex), 1, 10, 0))
    assert [step.iteration for step in steps] == [1, 2] and np.isfinite(steps[-1].image).all()


def test_each_image_has_its_own_steps():
    matrices = [np.diag([1., 2, 3]), np.diag([5., 1, 9])]
    right = np.array([[1, 1, 1], [2, 0, 1j]])
    *_, last = recon.conjugate_gradients(lambda x: np.stack([m @ one for m, one in zip(matrices, x)]), right, 1, 3, 0)
    np.testing.assert_allclose(last.image, [np.linalg.solve(m, one) for m, one in zip(matrices, right)], atol=1e-12)


def test_tensors_stay_tensors():
    torch = pytest.importorskip("torch")
    acquisition = scan(np.stack([blob(), 2 * blob()])[:, None], coil_maps(4), field())
    for density in (0, 10):
        settings = replace(CLOSE, density=density)
        image = found(replace(acquisition, data=torch.tensor(acquisition.data)), settings)
        assert isinstance(image, torch.Tensor)
        assert error(image.numpy(), found(acquisition, settings)) < 1e-3
    estimated = found(replace(acquisition, data=torch.tensor(acquisition.data), maps=None), recon.Settings())
    assert error(estimated.numpy(), found(replace(acquisition, maps=None), recon.Settings())) < 1e-3


def test_sharpness():
    image = np.zeros((8, 9))
    image[2:5, 3:7] = 1
    assert recon.sharpness(image) == pytest.approx((2 * 4 + 2 * 3) / 12), "its edges, over its energy"
    assert recon.sharpness(3j * image) == pytest.approx(recon.sharpness(image)), "whatever the scale and phase"
    assert recon.sharpness(image[1:] + image[:-1]) < recon.sharpness(image) and recon.sharpness(0 * image) == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_the_sign_of_a_field_is_seen(sign):
    data = samples(blob(), K, T, field(120), coil_maps(4))
    said = recon.signs(SHAPE, K, T, sign * field(120), data, weights_of(scan(blob()[None, None]), recon.Settings())[0])
    assert said.wrong == (sign == -1)
    assert str(said).startswith("sharpness against no map: ")


def test_a_field_is_continued_where_it_was_not_measured():
    y, x = np.meshgrid(np.arange(24.), np.arange(20.), indexing="ij")
    plane = (1 + y + 2 * x).astype("f4")
    measured = (y - 12) ** 2 + (x - 9) ** 2 < 36
    whole = extended(np.where(measured, plane, 0))
    assert (whole[measured] == plane[measured]).all() and (whole != 0).all()
    around = np.abs(np.diff(whole, axis=0)).max(), np.abs(np.diff(whole, axis=1)).max()
    assert max(around) < 5, "no jump, where there would be one of 40"
    for same in (plane, 0 * plane):
        assert (extended(same) == same).all()


def test_quality():
    rng = np.random.default_rng(3)
    truth = rng.random((30, 40))
    assert nrmse(2 * truth, truth) == pytest.approx(1) and nrmse(-1j * truth, truth) == pytest.approx(0, abs=1e-12)
    assert ssim(truth, truth) == pytest.approx(1) and abs(ssim(rng.random((30, 40)), truth)) < .2
    assert .9 < ssim(1.2 * truth, truth) < 1
