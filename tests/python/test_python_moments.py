# SPDX-License-Identifier: Apache-2.0
"""Sums that derivatives by a trajectory are made of, against their formula: layouts, frames, masks, refusals."""

import numpy as np
import pytest

import ndft
from sums import complex_noise, matrix

SHAPE, SAMPLES = (8, 5), (6, 5)


def made(seed=3, **options):
    rng = np.random.default_rng(seed)
    k = rng.uniform(-4, 4, (*options.pop("frames_of", ()), *SAMPLES, 2))
    t, field = rng.uniform(0, 8e-3, SAMPLES), rng.normal(0, 300, SHAPE)
    return rng, k, ndft.Plan(SHAPE, k, t=t, field=field, **options), lambda k: matrix(SHAPE, k, t, field=field)


def wanted(a, weights, images, samples):
    """Of columns (columns, voxels) and (columns, samples)."""
    return np.stack([np.imag((w * images) @ a.T * samples.conj()).sum(0) for w in weights], -1)


@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
def test_all_columns_are_summed(lead):
    rng, k, plan, a = made(coils=3 if lead else 1)
    weights = rng.normal(size=(4, *SHAPE))
    image, samples = complex_noise(rng, (*lead, *SHAPE)), complex_noise(rng, (*lead, *SAMPLES))
    found = plan.moments(weights, image, samples)
    right = wanted(a(k), weights.reshape(4, -1), image.reshape(-1, 40), samples.reshape(-1, 30))
    assert found.shape == (*SAMPLES, 4) and found.dtype == "float64"
    assert np.allclose(found.reshape(-1, 4), right, atol=1e-7)


def test_interleaved_coils_and_a_mask():
    mask = np.arange(40).reshape(SHAPE) % 3 != 1
    rng, k, plan, a = made(coils=2, interleaved=True, mask=mask)
    weights = rng.normal(size=(2, mask.sum()))
    image, samples = complex_noise(rng, (mask.sum(), 2)), complex_noise(rng, (*SAMPLES, 2))
    right = wanted(a(k)[:, mask.ravel()], weights, image.T, samples.reshape(-1, 2).T)
    assert np.allclose(plan.moments(weights, image, samples).reshape(-1, 2), right, atol=1e-7)


@pytest.mark.parametrize("interleaved", [False, True])
def test_coil_maps_make_one_image(interleaved):
    maps = complex_noise(np.random.default_rng(5), (3, *SHAPE))
    rng, k, plan, a = made(maps=maps, interleaved=interleaved)
    weights, image = rng.normal(size=(3, *SHAPE)), complex_noise(rng, (2, *SHAPE))
    samples = complex_noise(rng, (2, 3, *SAMPLES))
    of_coils = (image[:, None] * maps).reshape(6, 40)
    right = wanted(a(k), weights.reshape(3, -1), of_coils, samples.reshape(6, 30))
    laid = np.ascontiguousarray(np.moveaxis(samples, 1, -1)) if interleaved else samples
    assert np.allclose(plan.moments(weights, image, laid).reshape(-1, 3), right, atol=1e-7)


def test_each_frame_has_its_own():
    rng, k, plan, a = made(frames_of=(2,), frames=True)
    weights = rng.normal(size=(1, *SHAPE))
    image, samples = complex_noise(rng, (2, *SHAPE)), complex_noise(rng, (2, *SAMPLES))
    found = plan.moments(weights, image, samples)
    for frame in range(2):
        right = wanted(a(k[frame]), weights.reshape(1, -1), image[frame].reshape(1, -1), samples[frame].reshape(1, -1))
        assert np.allclose(found[frame].reshape(-1, 1), right, atol=1e-7)


def test_what_is_refused():
    rng, _, plan, _ = made()
    weights, image, samples = rng.normal(size=(2, *SHAPE)), complex_noise(rng, SHAPE), complex_noise(rng, SAMPLES)
    for given, words in [((weights.astype("float32"), image, samples), "weights is float32; float64"),
                         ((weights[:, 1:], image, samples), "weights is not packed"),
                         ((weights[:, 1:].copy(), image, samples), r"weights has the shape \(2, 7, 5\)"),
                         ((weights, image, samples[1:]), r"samples has the shape \(5, 5\); \(6, 5\)"),
                         ((rng.normal(size=(5, *SHAPE)), image, samples), "weights=5; 1 to 4"),
                         ((weights, image[1:], samples), "image has the shape")]:
        with pytest.raises(ndft.InvalidError, match=words):
            plan.moments(*given)
    with pytest.raises(ndft.InvalidError, match="moments need NDFT_FORWARD"):
        made(ops=("adjoint",))[2].moments(weights, image, samples)
