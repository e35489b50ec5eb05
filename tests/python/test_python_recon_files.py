# SPDX-License-Identifier: Apache-2.0
"""Scans from files and images into files: what is read right, and what is refused with which words."""

import os
import struct
import zlib

import numpy as np
import pytest

from scans import SHAPE, coil_maps, concomitant, decay, field, lines, noise, places, times

import ndft
from ndft.recon import Acquisition, Units
from ndft.recon.files import Asked, check_outputs, load, save

K = lines()
SAMPLES = K.shape[:-1]
XY = np.ascontiguousarray(K[..., ::-1])
C, B = concomitant(K, times(K), *places())


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A folder to be in, with a scan of 3 coils that nobody would doubt."""
    monkeypatch.chdir(tmp_path)
    for name, values in {"data": noise((3, *SAMPLES)), "traj": XY, "times": times(K), "field": field(),
                         "decay": decay(), "phase_c": C, "phase_b": B, "maps": coil_maps(3)}.items():
        np.save(f"{name}.npy", values)


def phase_from(end):
    return ("phase_c", f"phase_c.{end}"), ("phase_b", f"phase_b.{end}")


def asked(*more, without=(), **options):
    files = {name: f"{name}.npy" for name in ("data", "traj", "times", "field", "decay", "maps")
             if name not in without}
    return load(Asked(files | dict(more), **options), lambda line: None)


def refused(match, *more, error=ndft.InvalidError, **options):
    with pytest.raises(error, match=match) as found:
        asked(*more, **options)
    return str(found.value)


def cfl(name, values, *dimensions):
    """values in C order, under BART's dimensions, the first fastest."""
    with open(f"{name}.hdr", "w", encoding="ascii") as file:
        file.write("# Dimensions\n" + " ".join(map(str, dimensions)) + "\n")
    np.asarray(values, "<c8").tofile(f"{name}.cfl")


def test_arrays_of_numpy():
    scan = asked().scan
    assert scan.shape == SHAPE and scan.data.shape == (1, 1, 3, *SAMPLES)
    np.testing.assert_array_equal(scan.k, K)
    np.testing.assert_array_equal(scan.field, field())
    np.testing.assert_array_equal(scan.decay, decay())
    np.save("data.npy", noise((2, 5, 3, *SAMPLES)))
    np.save("traj.npy", np.stack([XY, -XY]))
    scan = asked().scan
    assert scan.own_k and (scan.frames, scan.slices, scan.coils) == (2, 5, 3)


def test_positions_in_other_units():
    for unit, factor in (("1/m", 1 / .24), ("rad/m", 2 * np.pi / .24), ("cycles/voxel", 1 / np.array(SHAPE)),
                         ("rad/voxel", 2 * np.pi / np.array(SHAPE))):
        np.save("traj.npy", (K * factor)[..., ::-1])
        np.testing.assert_allclose(asked(units=Units(k=unit), fov=(.24,)).scan.k, K, rtol=1e-5, atol=1e-6)
    np.save("times.npy", 1e3 * times(K))
    np.save("field.npy", np.rint(field()))
    np.save("traj.npy", XY)
    np.save("decay.npy", decay() / 1000)
    scan = asked(units=Units(t="ms", field="Hz", decay="1/ms")).scan
    np.testing.assert_allclose(scan.t, times(K), rtol=1e-6)
    np.testing.assert_allclose(scan.decay, decay(), rtol=1e-6)
    np.testing.assert_allclose(scan.field, 2 * np.pi * np.rint(field()), rtol=1e-6)


def test_arrays_of_bart():
    """[3, samples, shots], [1, samples, shots, coils, ..., frames at 10, slices at 13]; fields of the other sign."""
    data = noise((2, 5, 3, *SAMPLES))
    shots, points = SAMPLES
    cfl("traj", np.concatenate([XY, 0 * XY[..., :1]], -1), 3, points, shots)
    cfl("data", data.transpose(1, 0, 2, 3, 4), 1, points, shots, 3, 1, 1, 1, 1, 1, 1, 2, 1, 1, 5)
    cfl("field", field(), SHAPE[1], SHAPE[0])
    cfl("decay", decay(), SHAPE[1], SHAPE[0])
    cfl("maps", coil_maps(3), SHAPE[1], SHAPE[0], 1, 3)
    cfl("times", np.broadcast_to(times(K), SAMPLES), 1, points, shots)
    scan = asked(*((name, f"{name}.cfl") for name in ("traj", "data", "field", "decay", "maps", "times"))).scan
    np.testing.assert_array_equal(scan.data, data)
    np.testing.assert_array_equal(scan.k, K)
    np.testing.assert_array_equal(scan.field, -field())
    np.testing.assert_array_equal(scan.decay, decay())
    np.testing.assert_array_equal(scan.maps, coil_maps(3))


def test_a_phase_of_higher_order():
    """Terms at 6 of BART's dimensions, and its sign is not turned; its maps tell the image's shape."""
    shots, points = SAMPLES
    cfl("phase_c", C, 1, points, shots, 1, 1, 1, 3)
    cfl("phase_b", B, *SHAPE[::-1], 1, 1, 1, 1, 3)
    for end in ("npy", "cfl"):
        c, b = asked(*phase_from(end), without=("field", "decay", "maps")).scan.phase
        np.testing.assert_array_equal(c, C)
        np.testing.assert_array_equal(b, B)


def test_a_phase_of_each_frame_and_slice():
    shots, points = SAMPLES
    own = np.stack([C, -C], 1), np.stack([n * B for n in range(5)], 1)
    np.save("data.npy", noise((2, 5, 3, *SAMPLES)))
    np.save("traj.npy", np.stack([XY, -XY]))
    for name, values in zip(("phase_c", "phase_b"), own):
        np.save(f"{name}.npy", values)
    cfl("phase_c", own[0].swapaxes(0, 1), 1, points, shots, 1, 1, 1, 3, 1, 1, 1, 2)
    cfl("phase_b", own[1].swapaxes(0, 1), *SHAPE[::-1], 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 5)
    for end in ("npy", "cfl"):
        for found, wanted in zip(asked(*phase_from(end)).scan.phase, own):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("name, place", [("traj", (3, 5, 1)), ("data", (1, 2, 3)), ("field", (4, 7)), ("decay", (0, 3)),
                                         ("times", (9,)), ("phase_c", (1, 2, 3)), ("phase_b", (2, 3, 4)),
                                         ("maps", (2, 1, 0))])
def test_what_is_not_finite_has_its_place(name, place):
    values = np.load(f"{name}.npy")
    values[place] = np.nan
    np.save(f"{name}.npy", values)
    ours = {"data": "data[0, 0, 1, 2, 3]", "phase_c": "phase[0][1, 2, 3]", "phase_b": "phase[1][2, 3, 4]"}.get(
        name, f"{name}[{', '.join(map(str, place))}]")
    more = phase_from("npy") if name.startswith("phase") else ()
    assert refused("one of 1; 0 is valid", *more).startswith(f"{ours} is not finite, ")
    if name == "traj":  # no map, by which the image has a shape
        refused(r"traj\[3, 5, 1\] is not finite", without=("field", "decay", "maps"))


@pytest.mark.parametrize("change, words", [
    ({"traj": XY / np.float32(24)}, r"traj\[\d+, \d+, \d\] is 0\.[45].*, as far .* any: cycles/voxel\?"),
    ({"traj": XY * np.float32(2 * np.pi / 24)}, "rad/voxel"),
    ({"traj": XY / np.float32(.24)}, r"beyond N/2 = 1[02]: 1/m or rad/m\? --k-unit 1/m"),
    ({"times": 1e6 * times(K)}, r"times\[47\] is 9000, longer .* us\? --t-unit us is valid"),
    ({"times": -times(K)}, "seconds since excitation"),
    ({"field": np.rint(field())}, r"field\[\d+, \d+\] is -?\d+ and all of the map are whole numbers: Hz\?"),
    ({"field": field().T}, r"field has the shape \(24, 20\); .*may be transposed"),
    ({"decay": decay() - 7}, r"decay\[\d+, \d+\] is -7; R2\* in 1/s, 0 or more, is valid"),
    ({"decay": decay() / 1000}, r"decay\[\d+, \d+\] is 0\.1\d+, the fastest of all: 1/ms, or T2\* in s\?"),
    ({"decay": decay().T}, r"decay has the shape \(24, 20\); .*may be transposed"),
    ({"decay": 1j * decay()}, r"decay.npy\[\d+, \d+\] has the imaginary part"),
    ({"maps": coil_maps(4)}, r"maps has the shape \(4, 20, 24\); \(3, 20, 24\) or \(1, 3, 20, 24\)"),
    ({"maps": coil_maps(3).swapaxes(1, 2)}, "transposed"),
    ({"data": noise((3, *SAMPLES[::-1]))}, r"data have the shape \(3, 48, 40\), traj has \(40, 48, 2\)"),
    ({"data": noise(SAMPLES)[:, :-1]}, "data have the shape"),
    ({"times": times(K)[:-1]}, r"t has the shape \(47,\), which does not broadcast to the samples \(40, 48\)"),
    ({"traj": XY[..., :1]}, "traj has 1 columns, of an image of 2 axes; no more is valid"),
    ({"traj": np.concatenate([XY, XY[..., :1]], -1)}, "traj has 3 columns, of an image of 2 axes; the others 0"),
    ({"data": abs(noise((3, *SAMPLES)))}, "data.npy is float32; data of complex numbers is valid"),
    ({"field": 1j + field()}, r"field.npy\[0, 0\] has the imaginary part 1; real numbers"),
    ({"data": noise((0, *SAMPLES))}, "mmap an empty array|at least one of everything"),
    ({"maps": 0 * coil_maps(3)}, "maps are 0 everywhere"),
    ({"phase_c": C}, r"phase_c is given without phase_b; phase_b=PATH of \(terms, \*shape\) or .* is wanted"),
    ({"phase_b": B}, r"phase_b is given without phase_c; phase_c=PATH of \(terms, \*samples\)"),
    ({"phase_c": C[:, 1:], "phase_b": B}, r"phase\[0\] has the shape \(3, 39, 48\); \(3, 40, 48\), of each sample"),
    ({"phase_c": np.stack([C, C], 1), "phase_b": B}, r"phase\[0\] has the shape \(3, 2, 40, 48\); \(3, 40, 48\)"),
    ({"phase_c": C, "phase_b": B[:2]}, r"phase\[1\] has the shape \(2, 20, 24\); \(3, 20, 24\), a map for each of"),
    ({"phase_c": C, "phase_b": np.stack([B, B], 1)}, r"phase\[1\] has the shape \(3, 2, 20, 24\); \(3, 1, 20, 24\)"),
    ({"phase_c": np.stack([C[0]] * 17), "phase_b": np.stack([B[0]] * 17)}, "1 to 16 terms along its first axis"),
    ({"phase_c": 1j + C, "phase_b": B}, r"phase_c.npy\[0, 0, 0\] has the imaginary part 1; real numbers"),
    ({"traj": np.float64(3)}, r"traj has the shape \(\); \(\*samples, 2 or 3\) is valid"),
    ({"weights": -np.ones(SAMPLES)}, "weights are -1 to -1; 0 and more, not all 0"),
    ({"weights": np.where(K[..., 0] > 0, 1, np.nan)}, r"weights\[0, 0\] is not finite, nan"),
])
def test_what_lies_is_refused(change, words):
    for name, values in change.items():
        np.save(f"{name}.npy", values)
    refused(words, *((name, f"{name}.npy") for name in change), shape=SHAPE)


def test_an_image_far_larger_than_k_space_is_refused():
    refused(r"traj\[\d+, \d+, 0\] is 12.1\d, .* of N/2 = 300: a smaller --shape",
            without=("field", "decay", "maps"),
            shape=(600, 600))


def test_ms_that_are_short_are_seen_in_the_clock_only():
    """9 ms told as 9 s."""
    np.save("times.npy", 1e3 * times(K))
    refused(r"times\[47\] is 9, longer than a signal lasts in s: ms\?")


@pytest.mark.parametrize("change, words", [
    (dict(k=K / np.float32(24)), r"k\[\d+, \d+, 0\] is 0\.4\d+, .*/voxel\? N times that is valid; .*k='cycles/FOV'"),
    (dict(k=K * np.float32(4)), r"k\[\d+, \d+, \d\] is .*: 1/m or rad/m\? the field of view in m times it, or a"),
    (dict(t=1e3 * times(K)), r"t\[47\] is 9, .* ms\? 0.001 times it is valid; units=Units\(t='s'\) if it is so"),
    (dict(field=np.rint(field())), r"Hz\? 2 pi times it is valid; units=Units\(field='rad/s'\) if it is so"),
    (dict(decay=decay() / 1000), r"1000 times it, or 1 / T2\*, is valid; units=Units\(decay='1/s'\)")])
def test_from_python_no_option_is_named(change, words):
    given = dict(k=K, t=times(K), field=field(), decay=decay()) | change
    with pytest.raises(ndft.InvalidError, match=words) as caught:
        Acquisition(SHAPE, data=noise((1, 1, 3, *SAMPLES)), **given)
    assert "--" not in str(caught.value)


def test_what_the_caller_vouches_for_is_taken():
    np.save("field.npy", np.rint(field()))
    np.save("times.npy", 1e3 * times(K))
    np.save("traj.npy", XY / np.float32(24))
    np.save("decay.npy", decay() / 1000)
    scan = asked(units=Units("cycles/FOV", "s", "rad/s", "1/s")).scan
    assert scan.t.max() == 9 and (scan.field == np.rint(field())).all() and abs(scan.k).max() < .51
    assert scan.decay.max() < .13


def test_what_is_missing_is_said():
    refused("no traj: traj=PATH", without=("traj",))
    refused("field is given without t", without=("times",))
    refused("decay is given without t", without=("times", "field"))
    refused("--shape 22x26 does", without=("field", "decay", "maps"))
    refused("k is in 1/m, and the field of view is not known", units=Units(k="1/m"))
    refused("data and traj are in the .h5|no whole HDF5|h5py is not", ("scan", "traj.npy"),
            error=(ndft.InvalidError, ndft.UnsupportedError))
    refused("weights have the shape", ("weights", "times.npy"))
    refused(r"data=data.mat: \.npy, \.cfl and \.hdr are read", ("data", "data.mat"))


@pytest.mark.parametrize("cut", [3, 40, 500])
def test_a_truncated_npy_is_refused(cut):
    with open("data.npy", "r+b") as file:
        file.truncate(cut)
    refused("data.npy is no whole .npy file" if cut > 6 else "data.npy does not begin as .npy files do")


def test_what_is_no_npy_is_refused():
    with open("data.npy", "ab") as file:
        file.write(b"more")
    refused("data.npy has [0-9]+ bytes, of which its header tells [0-9]+ alone")
    np.save("data.npy", np.array([{}, 1], object))
    refused("data.npy is no whole .npy file")
    refused("nowhere.npy: No such file", ("data", "nowhere.npy"), error=ndft.FileError)
    os.mkfifo("pipe.npy")
    refused("pipe.npy is no file but", ("data", "pipe.npy"), error=ndft.FileError)


@pytest.mark.parametrize("header, size, words", [
    ("1 48 40 3", 8 * 48 * 40 * 3 - 8, "data.cfl has 46072 bytes; data.hdr tells"),
    ("1 48 40 3", 8 * 48 * 40 * 3 + 1, "data.cfl has 46081 bytes"),
    ("1 48 -40 3", 0, "no line '# Dimensions'"), ("", 0, "no line '# Dimensions'"), ("1 48 40 x", 0, "no line"),
    ("48 40 1 3", 8 * 48 * 40 * 3, "48 along BART's first dimension"),
    ("1 48 40 3 1 2", 8 * 48 * 40 * 6, "lengths above 1 are valid at"),
])
def test_a_cfl_that_lies_is_refused(header, size, words):
    with open("data.hdr", "w", encoding="ascii") as file:
        file.write(f"# Dimensions\n{header}\n")
    with open("data.cfl", "wb") as file:
        file.write(bytes(size))
    refused(words, ("data", "data.cfl"))


def test_sets_of_maps_are_refused():
    cfl("maps", np.stack([coil_maps(3)] * 2), SHAPE[1], SHAPE[0], 1, 3, 2)
    refused("2 sets of maps; one is valid: bart slice 4 0", ("maps", "maps.cfl"))


IMAGES = noise((2, 3, 5, 7))


def test_images_are_written_as_they_are():
    save("images.npy", IMAGES)
    np.testing.assert_array_equal(np.load("images.npy"), IMAGES)
    assert not [name for name in os.listdir() if "part" in name]
    save("images.cfl", IMAGES)
    with open("images.hdr", encoding="ascii") as file:
        assert file.read().split() == "# Dimensions 7 5 1 1 1 1 1 1 1 1 2 1 1 3 1 1".split()
    found = np.fromfile("images.cfl", "<c8").reshape(3, 2, 5, 7)
    np.testing.assert_array_equal(found.swapaxes(0, 1), IMAGES)


def test_nifti():
    save("images.nii", IMAGES, (.1, .21))
    with open("images.nii", "rb") as file:
        content = file.read()
    assert struct.unpack_from("<i", content) == (348,) and content[344:348] == b"n+1\0"
    assert struct.unpack_from("<8h", content, 40) == (4, 7, 5, 3, 2, 1, 1, 1)
    np.testing.assert_allclose(struct.unpack_from("<8f", content, 76)[1:4], (30, 20, 1))
    found = np.frombuffer(content, "<f4", offset=352).reshape(2, 3, 5, 7)
    np.testing.assert_allclose(found, abs(IMAGES), rtol=1e-6)


def test_nifti_as_others_read_it():
    nibabel = pytest.importorskip("nibabel")
    save("images.nii", IMAGES, (.1, .21))
    found = nibabel.load("images.nii")
    np.testing.assert_allclose(found.get_fdata(), abs(IMAGES).transpose(3, 2, 1, 0), rtol=1e-6)
    assert found.header.get_xyzt_units()[0] == "mm"
    volume = noise((1, 1, 4, 5, 7))
    save("volume.nii", volume)
    np.testing.assert_allclose(nibabel.load("volume.nii").get_fdata()[..., 0], abs(volume[0, 0]).T, rtol=1e-6)


def picture(name):
    """Grey values of a PNG, by its own chunks."""
    with open(name, "rb") as file:
        content = file.read()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, *kind = struct.unpack(">2I5B", content[16:29])
    length = struct.unpack(">I", content[33:37])[0]
    assert content[37:41] == b"IDAT" and kind == [8, 0, 0, 0, 0]
    assert struct.unpack(">I", content[41 + length:45 + length])[0] == zlib.crc32(content[37:41 + length])
    return np.frombuffer(zlib.decompress(content[41:41 + length]), np.uint8).reshape(height, width + 1)[:, 1:]


def test_png():
    image = np.zeros((1, 2, 6, 8), complex)
    image[0, 0, 1, 2], image[0, 1, 5, 7] = 2j, -1
    save("images.png", image)
    found = picture("images.png")
    assert found.shape == (6, 16) and found[1, 2] == 255 and 0 < found[5, 15] < 255 and (found != 0).sum() == 2


def test_outputs_are_checked_before():
    with open("notes.nii", "w", encoding="ascii") as file:
        file.write("not an image")
    for path, words in (("a.jpg", "images are written as .cfl"), ("data.npy", "data.npy is read from"),
                        ("notes.nii", "notes.nii is there and does not begin as .nii files do"),
                        ("notes.nii/a.png", "no file can be written in .*notes.nii|Not a directory")):
        with pytest.raises(ndft.Error, match=words):
            check_outputs([path], ["data.npy"])
    os.symlink("loop.npy", "loop.npy")
    check_outputs(["new/a.npy", "traj.npy"], ["data.npy", "loop.npy"])


def test_what_was_there_stays_where_nothing_can_be_written(monkeypatch):
    save("images.npy", IMAGES)

    def full(path, content):
        path.touch()
        raise OSError(28, "No space left on device")
    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(ndft.FileError, match="images.npy: No space left"):
        save("images.npy", 0 * IMAGES)
    np.testing.assert_array_equal(np.load("images.npy"), IMAGES)
    assert not [name for name in os.listdir() if "part" in name]
