# SPDX-License-Identifier: Apache-2.0
"""Plans over several devices are those of one: of as many processors as there are to be."""

import numpy as np
import pytest

import ndft
from ndft import recon
from scans import blob, coil_maps, field, lines, samples as measured, times
from sums import complex_noise

SHAPE, COILS = (10, 12), 3
RANDOM = np.random.default_rng(5)
K = RANDOM.uniform(-4, 4, (40, 2))
T = np.linspace(0, 1e-2, 40)
FIELD = RANDOM.uniform(-300, 300, SHAPE)


def plan_of(n, **options):
    where = {"devices": ["cpu"] * n} if n else {"device": "cpu"}
    return ndft.Plan(SHAPE, K, t=T, field=FIELD, coils=COILS, ops=("forward", "adjoint", "normal"), **where, **options)


IMAGE, SAMPLES = complex_noise(RANDOM, (COILS, *SHAPE)), complex_noise(RANDOM, (COILS, 40))


def results(plan):
    return [plan.forward(IMAGE), plan.adjoint(SAMPLES), plan.normal(IMAGE)]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("options", [{}, {"interleaved": False, "mask": RANDOM.uniform(size=SHAPE) > .3},
                                     {"maps": complex_noise(RANDOM, (COILS, *SHAPE))}])
def test_as_one_device(n, options):
    one, several = plan_of(0, **options), plan_of(n, **options)
    image = complex_noise(RANDOM, (() if "maps" in options else (COILS,)) + one.voxels_shape)
    for name, given in (("forward", image), ("adjoint", SAMPLES), ("normal", image)):
        right = getattr(one, name)(given)
        assert np.linalg.norm(getattr(several, name)(given) - right) < 1e-8 * np.linalg.norm(right)


def test_same_bits():
    first, *others = (results(plan_of(n, deterministic=True)) for n in (1, 2, 4, 8))
    for other in others:
        for a, b in zip(first, other):
            assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("frames,n,dealt", [(2, 2, True), (4, 2, True), (3, 2, False), (5, 1, True), (11, 4, True)])
def test_frames(frames, n, dealt):
    """Whole ones are dealt where no device waits for long, else each is cut; data are of several images a frame."""
    k = RANDOM.uniform(-4, 4, (frames, 40, 2))
    several, one = (ndft.Plan(SHAPE, k, frames=True, coils=2, ops=("forward", "adjoint", "normal"), **where)
                    for where in ({"devices": ["cpu"] * n}, {"device": "cpu"}))
    image, samples = (complex_noise(RANDOM, (frames, 3, 2, *own)) for own in (SHAPE, (40,)))
    for name, given in (("forward", image), ("adjoint", samples), ("normal", image)):
        assert np.allclose(getattr(several, name)(given), getattr(one, name)(given), rtol=1e-8, atol=1e-8)
    assert several.forward(image[:, :0]).shape == (frames, 0, 2, 40)
    said = several.describe()["frames"]
    assert len(said) == frames and all(("operations" in one) == dealt for one in said)
    with pytest.raises(ndft.UnsupportedError, match="a plan of several devices has no"):
        several.clone()


@pytest.mark.parametrize("frames", [8, 3])
def test_frames_have_the_same_bits(frames):
    k, image = RANDOM.uniform(-4, 4, (frames, 40, 2)), complex_noise(RANDOM, (frames, *SHAPE))
    first, *others = (ndft.Plan(SHAPE, k, frames=True, devices=["cpu"] * n, deterministic=True).forward(image)
                      for n in (1, 2, 8))
    assert all(other.tobytes() == first.tobytes() for other in others)


@pytest.mark.parametrize("density", [0, 10])
def test_images_are_reconstructed(density):
    """By conjugate gradients on all of them, with coil maps and a field."""
    k, maps, of = lines(), coil_maps(4), field()
    data = measured(blob()[None, None], k, times(k), of, maps)
    acquisition = recon.Acquisition(blob().shape, k, data, t=times(k), field=of, maps=maps)
    one, two = (recon.reconstruct(acquisition, recon.Settings(iterations=5, density=density, options=options)).images
                for options in ({"device": "cpu"}, {"devices": ["cpu", "cpu"]}))
    assert np.linalg.norm(two - one) < 1e-3 * np.linalg.norm(one)


def test_described():
    said = plan_of(2).describe()
    assert (said["devices"], said["parts"], said["device"]["backend"]) == (2, 2, "cpu")
    assert said["plans"][0]["part"]["operations"][0]["variant"].partition(":")[0].endswith(".cpu")


@pytest.mark.parametrize("options,sentence", [
    (dict(devices=[]), r"devices=\[\]; a list of 'cpu', 'cuda:N'"),
    (dict(devices="cpu"), "devices='cpu'; a list"),
    (dict(devices=["cpu", "gpu"]), "there is no device 'gpu'; nearest: cpu"),
    (dict(devices=["cpu"], device="cpu"), r"device='cpu' and devices=\['cpu'\]; one of them"),
    (dict(devices=["cpu"] * 3, deterministic=True), "8 parts are not as many on each of 3 devices; nearest: 2 devices")])
def test_refused(options, sentence):
    with pytest.raises(ndft.InvalidError, match=sentence):
        ndft.Plan(SHAPE, K, **options)


def test_numbers_are_gpus():
    with pytest.raises((ndft.Error), match="cuda|CUDA"):
        ndft.Plan(SHAPE, K, devices=[0, 99])


def test_what_it_has_not():
    plan = plan_of(2)
    for call in (plan.clone, lambda: plan.set_samples(K, T), lambda: plan.set_field(FIELD),
                 lambda: plan.moments(np.ones((1, *SHAPE)), IMAGE, SAMPLES)):
        with pytest.raises(ndft.UnsupportedError, match="a plan of several devices has no"):
            call()
