# SPDX-License-Identifier: Apache-2.0
"""Coil maps of a plan: one image, and the samples of all coils."""

import numpy as np
import pytest

import ndft
from sums import OPERATIONS, complex_noise, error, matrix

RNG = np.random.default_rng(11)
SHAPE, SAMPLES, COILS = (8, 5), (3, 10), 4
K, T = RNG.uniform(-4, 4, (*SAMPLES, 2)), RNG.uniform(0, 8e-3, SAMPLES)
FIELD, MAPS = RNG.normal(0, 300, SHAPE), complex_noise(RNG, (COILS, *SHAPE))
IMAGES, DATA = complex_noise(RNG, (2, *SHAPE)), complex_noise(RNG, (2, COILS, *SAMPLES))


def of_coils(maps=MAPS, k=K, mask=None):
    """(coils, samples, voxels)"""
    a = matrix(SHAPE, k, T, FIELD) * maps.reshape(COILS, 1, -1)
    return a if mask is None else a[:, :, mask.ravel()]


def wanted(operation, a, data):
    """Of images (lead, voxels) or samples (lead, coils, samples)."""
    if operation == "forward":
        return np.einsum("cjv,lv->lcj", a, data)
    if operation == "adjoint":
        return np.einsum("cjv,lcj->lv", a.conj(), data)
    return wanted("adjoint", a, wanted("forward", a, data))


def test_an_image_to_all_coils_and_back():
    plan = ndft.Plan(SHAPE, K, t=T, field=FIELD, maps=MAPS, ops=OPERATIONS)
    a = of_coils()
    assert plan.coils == COILS and plan.maps == {"field", "maps"}
    samples = plan.forward(IMAGES)
    assert samples.shape == (2, COILS, *SAMPLES)
    assert error(samples.reshape(2, COILS, -1), wanted("forward", a, IMAGES.reshape(2, -1))) < 1e-9
    images = plan.adjoint(DATA)
    assert images.shape == (2, *SHAPE)
    assert error(images.reshape(2, -1), wanted("adjoint", a, DATA.reshape(2, COILS, -1))) < 1e-9
    assert error(plan.normal(IMAGES[0]).ravel(), wanted("normal", a, IMAGES[:1].reshape(1, -1))[0]) < 1e-9
    assert {operation["maps"] for operation in plan.describe()["operations"]} <= {"around", "engine"}
    out = np.empty((COILS, *SAMPLES), complex)
    assert plan.forward(IMAGES[1], out=out) is out
    assert error(out, samples[1]) < 1e-15


def test_interleaved_coils_are_the_last_axis_of_samples():
    planar = ndft.Plan(SHAPE, K, maps=MAPS)
    plan = ndft.Plan(SHAPE, K, maps=MAPS, interleaved=True)
    samples = plan.forward(IMAGES)
    assert samples.shape == (2, *SAMPLES, COILS)
    assert error(np.moveaxis(samples, -1, 1), planar.forward(IMAGES)) < 1e-9
    assert error(plan.adjoint(samples), planar.adjoint(planar.forward(IMAGES))) < 1e-9


def test_frames_a_mask_and_new_maps():
    mask = IMAGES[0].real > -.5
    ks = np.stack([K, K[::-1] / 2])
    plan = ndft.Plan(SHAPE, ks, t=T, field=FIELD, maps=MAPS, mask=mask, frames=True)
    images = complex_noise(RNG, (2, 3, np.count_nonzero(mask)))
    samples = plan.forward(images)
    assert samples.shape == (2, 3, COILS, *SAMPLES)
    for maps in (MAPS, 2 * MAPS[::-1]):
        for frame, k in enumerate(ks):
            right = wanted("forward", of_coils(maps, k, mask), images[frame])
            assert error(samples[frame].reshape(3, COILS, -1), right) < 1e-9
        plan.set_maps(2 * MAPS[::-1])
        samples = plan.forward(images)
    assert error(plan.of_grid(plan.on_grid(images)), images) == 0


def test_real_maps_of_another_precision():
    plan = ndft.Plan(SHAPE, K.astype("float32"), maps=MAPS.real)
    right = np.einsum("cjv,v->cj", matrix(SHAPE, K) * MAPS.real.reshape(COILS, 1, -1), IMAGES[0].ravel())
    assert error(plan.forward(IMAGES[0].astype("complex64")).reshape(COILS, -1), right) < 1e-4


def test_one_call():
    a = of_coils()
    found = ndft.forward(IMAGES, K, t=T, field=FIELD, maps=MAPS)
    assert error(found.reshape(2, COILS, -1), wanted("forward", a, IMAGES.reshape(2, -1))) < 1e-9
    back = ndft.adjoint(DATA, K, SHAPE, t=T, field=FIELD, maps=MAPS)
    assert error(back.reshape(2, -1), wanted("adjoint", a, DATA.reshape(2, COILS, -1))) < 1e-9


def with_nan():
    maps = MAPS.copy()
    maps[2, 3, 1] = np.nan
    return maps


REFUSED = [
    (dict(maps=MAPS[0]), r"maps has the shape \(8, 5\); \(coils, 8, 5\), a map of each coil"),
    (dict(maps=MAPS.swapaxes(1, 2)), r"maps has the shape \(4, 5, 8\); \(coils, 8, 5\)"),
    (dict(maps=MAPS, coils=3), r"maps has the shape \(4, 8, 5\); \(3, 8, 5\)"),
    (dict(maps=MAPS[:0]), "maps has 0 coils; 1 to 256"),
    (dict(maps=MAPS.real > 0), r"maps is bool; complex128 is wanted"),
    (dict(maps=with_nan()), r"maps\[2, 3, 1\] is nan; it must be finite"),
    (dict(maps=0 * MAPS), "maps is 0 everywhere; it leaves no image"),
]


@pytest.mark.parametrize("wrong,message", REFUSED, ids=[message for _, message in REFUSED])
def test_refused(wrong, message):
    with pytest.raises(ndft.InvalidError, match=message):
        ndft.Plan(SHAPE, K, **wrong)


def test_shapes_of_data():
    plan = ndft.Plan(SHAPE, K, maps=MAPS)
    with pytest.raises(ndft.InvalidError, match=r"samples has the shape \(4, 30\); \(\*lead, 4, 3, 10\) is wanted"):
        plan.adjoint(DATA[0].reshape(COILS, -1))
    with pytest.raises(ndft.InvalidError, match=r"samples has the shape \(2, 3, 3, 10\); \(\*lead, 4, 3, 10\)"):
        plan.adjoint(np.ascontiguousarray(DATA[:, :3]))
    before = plan.forward(IMAGES)
    with pytest.raises(ndft.InvalidError, match=r"maps\[2, 3, 1\] is nan"):
        plan.set_maps(with_nan())
    with pytest.raises(ndft.InvalidError, match=r"maps has the shape \(3, 8, 5\); \(4, 8, 5\)"):
        plan.set_maps(MAPS[:3])
    assert error(plan.forward(IMAGES), before) == 0
    with pytest.raises(ndft.InvalidError, match="the plan was made without maps"):
        ndft.Plan(SHAPE, K, coils=COILS).set_maps(MAPS)


def test_torch():
    torch = pytest.importorskip("torch")
    import ndft.torch as ndft_torch
    k = torch.tensor(K)
    plan = ndft.Plan(SHAPE, k, t=torch.tensor(T), field=torch.tensor(FIELD), maps=torch.tensor(MAPS))
    image = torch.tensor(IMAGES[0], requires_grad=True)
    (0.5 * ndft_torch.forward(plan, image).abs() ** 2).sum().backward()
    right = wanted("normal", of_coils(), IMAGES[:1].reshape(1, -1))[0]
    assert error(image.grad.numpy().ravel(), right) < 1e-8
    gradient = np.zeros((2, *SHAPE))
    plan = ndft.Plan(SHAPE, k, t=torch.tensor(T), gradient=gradient, maps=torch.tensor(MAPS))
    with pytest.raises(ndft.UnsupportedError, match="derivatives by k of a plan with coil maps and gradient maps"):
        ndft_torch.forward(plan, image, k=k.requires_grad_())
