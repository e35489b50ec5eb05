# SPDX-License-Identifier: Apache-2.0
"""Raw data of ISMRMRD, in files that are written here as its format says."""

import numpy as np
import pytest

from scans import SHAPE, coil_maps, lines, samples, times

import ndft
from ndft import recon
from ndft.recon.files import Asked, ismrmrd, load

h5py = pytest.importorskip("h5py")

COUNTERS = [(name, "<u2") for name in ("kspace_encode_step_1", "kspace_encode_step_2", "average", "slice", "contrast",
                                       "phase", "repetition", "set", "segment")] + [("user", "<u2", (8,))]
HEAD = np.dtype([("version", "<u2"), ("flags", "<u8"), ("measurement_uid", "<u4"), ("scan_counter", "<u4"),
                 ("acquisition_time_stamp", "<u4"), ("physiology_time_stamp", "<u4", (3,)),
                 ("number_of_samples", "<u2"), ("available_channels", "<u2"), ("active_channels", "<u2"),
                 ("channel_mask", "<u8", (16,)), ("discard_pre", "<u2"), ("discard_post", "<u2"),
                 ("center_sample", "<u2"), ("encoding_space_ref", "<u2"), ("trajectory_dimensions", "<u2"),
                 ("sample_time_us", "<f4"), ("position", "<f4", (3,)), ("read_dir", "<f4", (3,)),
                 ("phase_dir", "<f4", (3,)), ("slice_dir", "<f4", (3,)), ("patient_table_position", "<f4", (3,)),
                 ("idx", COUNTERS), ("user_int", "<i4", (8,)), ("user_float", "<f4", (8,))])
XML = """<?xml version="1.0"?><ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD">
<sequenceParameters><TR>20</TR><TE>3.5</TE></sequenceParameters><encoding>
<encodedSpace><matrixSize><x>48</x><y>40</y><z>1</z></matrixSize>
<fieldOfView_mm><x>480</x><y>400</y><z>5</z></fieldOfView_mm></encodedSpace>
<reconSpace><matrixSize><x>24</x><y>20</y><z>1</z></matrixSize>
<fieldOfView_mm><x>240</x><y>200</y><z>5</z></fieldOfView_mm></reconSpace>
<trajectory>other</trajectory></encoding></ismrmrdHeader>"""
K = lines() * np.float32(.9)
N_SHOTS, POINTS = K.shape[:-1]
FLOATS = h5py.vlen_dtype(np.float32)


def readouts(data, traj):
    """Of data (frames, slices, coils, shots, points) and traj (shots, points, dims)."""
    frames, slices, coils, shots, points = data.shape
    found = np.zeros(frames * slices * shots, [("head", HEAD), ("traj", object), ("data", object)])
    at = 0
    for frame in range(frames):
        for shot in range(shots):
            for slice_ in range(slices):
                head = found[at]["head"]
                head["number_of_samples"], head["active_channels"] = points, coils
                head["trajectory_dimensions"], head["sample_time_us"] = traj.shape[-1], 10
                head["idx"]["repetition"], head["idx"]["slice"] = frame, slice_
                found[at]["traj"] = traj[shot].astype("f4").ravel()
                found[at]["data"] = data[frame, slice_, :, shot].astype("c8").ravel().view("f4")
                at += 1
    return found


def write(found, xml=XML, path="scan.h5"):
    with h5py.File(path, "w") as file:
        group = file.create_group("dataset")
        group.create_dataset("xml", data=[xml.encode()], dtype=h5py.special_dtype(vlen=bytes))
        as_stored = np.dtype([("head", HEAD), ("traj", FLOATS), ("data", FLOATS)])
        group.create_dataset("data", data=found.astype(as_stored), dtype=as_stored)


def per_voxel():
    """x, y in cycles a voxel of the encoded matrix, of which the image is half as wide with as large voxels."""
    return K[..., ::-1] / np.array(SHAPE[::-1])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def data():
    rng = np.random.default_rng(4)
    images = rng.standard_normal((2, 3, *SHAPE)).astype("c8")
    return samples(images, K, maps=coil_maps(2))


def read(**more):
    return load(Asked({"scan": "scan.h5", **more}), lambda line: None).scan


def refused(words, found=None, xml=XML):
    if found is not None:
        write(found, xml)
    with pytest.raises(ndft.InvalidError, match=words):
        read()


@pytest.mark.parametrize("factor", [1, 2 * np.pi, np.array([48, 40]), 48 / .48], ids=["cycles/voxel", "rad/voxel",
                                                                                      "cycles/FOV", "1/m"])
def test_a_scan(data, factor):
    write(readouts(data, per_voxel() * factor))
    scan = read()
    assert scan.shape == SHAPE and scan.fov == (.2, .24) and (scan.frames, scan.slices, scan.coils) == (2, 3, 2)
    np.testing.assert_array_equal(scan.data, data)
    np.testing.assert_allclose(scan.k, K, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(scan.t, 3.5e-3 + 1e-5 * np.arange(POINTS), rtol=1e-5)


def test_what_is_of_no_image_is_left_out(data):
    found = readouts(data, per_voxel())
    noise = found[:1].copy()
    noise["head"]["flags"], noise["head"]["number_of_samples"] = 1 << 18, 7
    calibration = noise.copy()
    calibration["head"]["flags"] = 1 << 19
    found["head"]["flags"] = 1 << 20 | 1 << 24  # calibration and imaging; the last of a measurement
    found["head"]["flags"][0] = 1 << 19 | 1 << 20 | 1 << 24
    write(np.concatenate([noise, calibration, found]))
    np.testing.assert_array_equal(read().data, data)


def test_samples_to_be_discarded_and_a_middle(data):
    found = readouts(data, per_voxel())
    found["head"]["discard_pre"], found["head"]["discard_post"], found["head"]["center_sample"] = 3, 2, 20
    write(found)
    scan = read()
    np.testing.assert_array_equal(scan.data, data[..., 3:-2])
    np.testing.assert_allclose(scan.t, 3.5e-3 + 1e-5 * (np.arange(POINTS) - 20)[3:-2], rtol=1e-5)


def test_an_echo_has_its_own_time(data):
    found, xml = readouts(data, per_voxel()), XML.replace("</TE>", "</TE><TE>7.5</TE>")
    for contrast, echo in ((0, 3.5e-3), (1, 7.5e-3)):
        found["head"]["idx"]["contrast"] = contrast
        write(found, xml)
        assert read().t[0] == np.float32(echo)
    found["head"]["idx"]["contrast"] = 2
    refused("of contrast 2, counted from 0, and its header has 2 TE", found, xml)


def test_partitions_without_z_are_no_one_slice(data):
    found = readouts(data, per_voxel())
    found["head"]["idx"]["kspace_encode_step_2"] = np.arange(len(found)) % 4
    refused("several partitions .kspace_encode_step_2., and trajectories have 2 numbers", found)
    with_z = np.concatenate([per_voxel(), 0 * per_voxel()[..., :1]], -1)
    found = readouts(data, with_z)
    found["head"]["idx"]["kspace_encode_step_2"] = np.arange(len(found)) % 4
    write(found)
    assert read().k.shape[-1] == 2


def test_times_of_powergrid(data):
    clock = np.broadcast_to(times(K), K.shape[:-1])[..., None]
    write(readouts(data, np.concatenate([per_voxel(), 0 * clock, clock], -1)))
    np.testing.assert_allclose(read().t, clock[..., 0], rtol=1e-6)


def test_a_trajectory_for_each_frame(data):
    found = readouts(data, per_voxel())
    second = found["head"]["idx"]["repetition"] == 1
    for at in np.flatnonzero(second):
        found["traj"][at] = -found["traj"][at]
    write(found)
    scan = read()
    assert scan.own_k
    np.testing.assert_allclose(scan.k, [K, -K], rtol=1e-5, atol=1e-5)


def test_images_are_found(data):
    write(readouts(data, per_voxel()))
    np.save("maps.npy", coil_maps(2))
    scan = read(maps="maps.npy")
    settings = recon.Settings(iterations=60, stop=1e-5, density=0)
    again = recon.Sense(recon.fourier(SHAPE, scan.k), coil_maps(2), None, data)
    image = recon.reconstruct(scan, settings).images
    assert np.linalg.norm(again.forward(image) - data) < 2e-3 * np.linalg.norm(data)


def changed(data, name, value, at=5):
    found = readouts(data, per_voxel())
    place = found["head"]["idx"] if name in HEAD["idx"].names else found["head"]
    place[name][at] = value
    return found


@pytest.mark.parametrize("name, value, words", [
    ("number_of_samples", 7, "readout 5 has number_of_samples 7, readout 0 48"),
    ("active_channels", 3, "readout 5 has active_channels 3"),
    ("contrast", 1, "several values of contrast"),
    ("encoding_space_ref", 1, "readout 5 has encoding_space_ref 1"),
    ("sample_time_us", np.inf, "a readout has sample_time_us inf"),
    ("repetition", 1, "its images have 39 to 41 readouts"),
])
def test_heads_that_differ_are_refused(data, name, value, words):
    refused(words, changed(data, name, value))


def test_what_lies_is_refused(data):
    found = readouts(data, per_voxel())
    found["data"][7] = found["data"][7][:-2]
    refused("readout 7 has 190 numbers of data; its head tells 192", found)
    found = readouts(data, per_voxel())
    found["traj"][0] = found["traj"][0][:-1]
    refused("readout 0 has 95 numbers of traj", found)
    found = readouts(data, per_voxel())
    found["data"][0][4] = np.nan
    refused(r"data\[0, 0, 0, 0, 2\] is not finite", found)
    refused("its trajectory reaches .* neither cycles/voxel", readouts(data, 1e-4 * per_voxel()))
    refused("trajectories of 1 numbers", readouts(data, per_voxel()[..., :1]))
    found = readouts(data, per_voxel())
    found["traj"][0] = -found["traj"][0]
    refused("its slices have different trajectories", found)
    found = readouts(data, per_voxel())
    found["traj"][3][2] = np.nan
    refused(r"traj of readouts\[3, 1, 0\] is not finite", found)
    found = readouts(data, per_voxel())
    found["head"]["discard_pre"], found["head"]["discard_post"] = 40, 8
    refused("of 48 samples its readouts discard 40 before and 8 behind; one", found)
    found = readouts(data, per_voxel())
    found["head"]["flags"] = 1 << 18
    refused("none of its 240 readouts is of an image", found)


@pytest.mark.parametrize("xml, words", [
    (XML[:200], "its header is no XML"), (XML.replace("<x>24</x>", ""), "no encoding/reconSpace/matrixSize"),
    (XML.replace("<x>480</x>", "<x>0</x>"), "no encoding/encodedSpace/fieldOfView_mm"),
    (XML.replace("<x>24</x>", "<x>24.5</x>"), "matrixSize of 24.5; whole numbers up to 65535"),
    (XML.replace("<x>24</x>", "<x>1e300</x>"), r"matrixSize of 1e\+300; whole numbers up to 65535"),
    (XML.replace("<TE>3.5", "<TE>three"), "the TE 'three'; milliseconds"), ("<a/>", "encodedSpace/matrixSize")])
def test_a_header_that_lies_is_refused(data, xml, words):
    refused(words, readouts(data, per_voxel()), xml)


def test_the_encoding_of_the_readouts_counts(data):
    found = readouts(data, per_voxel())
    found["head"]["encoding_space_ref"] = 1
    begin, end = XML.index("<encoding>"), XML.index("</ismrmrdHeader>")
    other = XML[begin:end].replace("480", "960").replace("400", "800")
    write(found, XML[:begin] + other + XML[begin:])
    assert read().fov == (.2, .24)
    refused("its readouts are of encoding 1, counted from 0, and its header has 1", found)


@pytest.mark.parametrize("share", [.02, .5, .97])
def test_a_truncated_file_is_refused(data, share):
    write(readouts(data, per_voxel()))
    with open("scan.h5", "r+b") as file:
        file.truncate(int(share * file.seek(0, 2)))
    refused("scan.h5 is no (whole HDF5|ISMRMRD) file")


@pytest.mark.parametrize("place", [2478, 3782, 27547])
def test_what_libhdf5_crashes_on_is_refused(data, place):
    """Bytes at which version 1.10.8 ends the process that reads them."""
    write(readouts(data[:1, :1], per_voxel()))
    with open("scan.h5", "r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([255 - byte]))
    try:
        read()
    except ndft.InvalidError as error:
        assert "scan.h5" in str(error)


@pytest.mark.parametrize("ends, words", [("os.kill(os.getpid(), 11)", "ended by SIGSEGV"), ("os._exit(3)",
                                                                                           "ended with status 3")])
def test_a_crash_of_libhdf5_is_told(data, monkeypatch, ends, words):
    with open("child.py", "w", encoding="utf-8") as file:
        file.write(f"import os, pickle, sys\nsys.stdout.buffer.write(pickle.dumps(b'a')[:4])\n{ends}\n")
    monkeypatch.setattr(ismrmrd, "_CHILD", "child.py")
    refused(f"scan.h5 is no whole HDF5 file: libhdf5 {words} as it read it", readouts(data, per_voxel()))


def test_more_readouts_than_bytes_are_refused(data):
    write(readouts(data[:1, :1], per_voxel()))
    with h5py.File("scan.h5", "a") as file:
        readout = file["dataset/data"].dtype
        del file["dataset/data"]
        file["dataset"].create_dataset("data", shape=(10**12,), chunks=(1000,), dtype=readout)
    refused("tells of 1000000000000 readouts, more than the file has bytes")


def test_other_hdf5_is_refused():
    with h5py.File("scan.h5", "w") as file:
        file["dataset/xml"] = [1]
    refused("scan.h5 is no ISMRMRD file")
    with h5py.File("scan.h5", "a") as file:
        file.create_group("dataset/data")
    refused("scan.h5 is no whole HDF5 file")


def test_heads_of_other_fields_are_refused(data):
    kept = [name for name in HEAD.names if name not in ("discard_pre", "idx")]
    readout = np.dtype([("head", [(name, HEAD[name]) for name in kept]), ("traj", FLOATS), ("data", FLOATS)])
    write(readouts(data, per_voxel()))
    with h5py.File("scan.h5", "a") as file:
        del file["dataset/data"]
        file["dataset"].create_dataset("data", shape=(1,), dtype=readout)
    refused("heads of its readouts have no discard_pre, contrast, phase, set, repetition, slice, "
            "kspace_encode_step_2")


def test_arrays_beside_it(data):
    write(readouts(data, per_voxel()))
    np.save("data.npy", data)
    with pytest.raises(ndft.InvalidError, match="data and traj are in the .h5"):
        read(data="data.npy")
