# SPDX-License-Identifier: Apache-2.0
"""ISMRMRD's raw data (Inati et al., MRM 77, 2017), read by h5py: readouts with their trajectories, and the header."""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator, NamedTuple
from xml.etree import ElementTree

import numpy as np

from ...errors import InvalidError, UnsupportedError
from .._acquisition import refuse_infinite
from .regular import size_of

Array = np.ndarray[Any, Any]

_CHILD = Path(__file__).with_name("ismrmrd_child.py")
# Bits of a readout's flags: noise, navigator, phase correction, feedback, dummy, real-time feedback, surface coils.
_NO_IMAGE = sum(1 << bit - 1 for bit in (19, 23, 24, 26, 27, 28, 29))
_CALIBRATION, _CALIBRATION_AND_IMAGE = 1 << 19, 1 << 20
_LARGEST = 65535  # a size of a matrix, by the format's schema
_ALIKE = ("number_of_samples", "active_channels", "trajectory_dimensions", "encoding_space_ref", "center_sample",
          "discard_pre", "discard_post", "sample_time_us")
_ONE_OF = ("contrast", "phase", "set")  # counters of images that are not told apart here


class Scan(NamedTuple):
    """What the file has, axes x, y, z."""

    data: Array  # (frames, slices, coils, readouts, samples)
    traj: Array  # (readouts, samples, 2 or 3), or (frames, readouts, samples, 2 or 3); cycles/FOV of the image
    times: Array | None  # (samples) s, or as PowerGrid stores them (readouts, samples)
    matrix: tuple[int, ...]  # of the image
    fov: tuple[float, ...]  # of the image, m
    unit: str  # that the trajectory was found to be in


class _Header(NamedTuple):
    encoded: tuple[int, ...]
    encoded_fov: tuple[float, ...]
    matrix: tuple[int, ...]
    fov: tuple[float, ...]
    echo_s: float


def _numbers(encoding: Any, path: str, file: str) -> tuple[float, ...]:
    """x, y and z of an element."""
    found = encoding.find(path)
    try:
        values = tuple(float(found.find(f"{{*}}{axis}").text) for axis in "xyz")
    except (AttributeError, TypeError, ValueError):
        values = ()
    if not values or not all(math.isfinite(value) and value > 0 for value in values):
        words = path.replace("{*}", "")
        raise InvalidError(f"{file}: its header has no encoding/{words} with x, y and z above 0")
    return values


def _sizes(encoding: Any, path: str, file: str) -> tuple[int, ...]:
    values = _numbers(encoding, f"{path}/{{*}}matrixSize", file)
    for value in values:
        if value > _LARGEST or value != int(value):
            raise InvalidError(f"{file}: its header has a matrixSize of {value:g}; whole numbers up to {_LARGEST} are "
                               "valid")
    return tuple(map(int, values))


def _header(xml: bytes, file: str, which: int, contrast: int) -> _Header:
    """Of the encoding that readouts refer to, and of their echo where there are times of several."""
    try:
        root = ElementTree.fromstring(xml)
    except ElementTree.ParseError as error:
        raise InvalidError(f"{file}: its header is no XML ({error})") from None
    encodings, spaces = root.findall("{*}encoding") or [root], ("{*}encodedSpace", "{*}reconSpace")
    if which >= len(encodings):
        raise InvalidError(f"{file}: its readouts are of encoding {which}, counted from 0, and its header has "
                           f"{len(encodings)}")
    sizes = [_sizes(encodings[which], space, file) for space in spaces]
    views = [tuple(1e-3 * mm for mm in _numbers(encodings[which], f"{space}/{{*}}fieldOfView_mm", file))
             for space in spaces]
    echoes = [element.text for element in root.findall("{*}sequenceParameters/{*}TE")]
    if len(echoes) > 1 and contrast >= len(echoes):
        raise InvalidError(f"{file}: its readouts are of contrast {contrast}, counted from 0, and its header has "
                           f"{len(echoes)} TE")
    echo = echoes[contrast if len(echoes) > 1 else 0] if echoes else None
    try:
        echo_s = 1e-3 * float(echo or 0)
    except ValueError:
        raise InvalidError(f"{file}: its header has the TE {echo!r}; milliseconds are valid") from None
    return _Header(sizes[0], views[0], sizes[1], views[1], echo_s)


def _shown(path: str) -> Iterator[Any]:
    """What the program beside this file shows of another, whatever libhdf5 does to it."""
    modules = os.pathsep.join(filter(None, sys.path))
    with subprocess.Popen([sys.executable, str(_CHILD), path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=os.environ | {"PYTHONPATH": modules}) as child:
        assert child.stdout is not None
        try:
            while not isinstance(found := pickle.load(child.stdout), tuple):
                yield found
        except (EOFError, pickle.UnpicklingError):
            found = "end", ("", f"libhdf5 ended {_how(child.wait())} as it read it")
    if found[1] is not None:
        raise _refusal(path, *found[1])


def _how(status: int) -> str:
    return f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"


def _refusal(path: str, kind: str, words: str) -> InvalidError | UnsupportedError:
    if kind in ("ImportError", "ModuleNotFoundError"):
        return UnsupportedError(f"{path}: h5py is not installed, which reads it: apt-get install python3-h5py, or pip "
                                "install h5py")
    if kind == "KeyError":
        return InvalidError(f"{path} is no ISMRMRD file: {words.strip(chr(34))}; dataset/xml and dataset/data are "
                            "wanted")
    return InvalidError(f"{path} is no whole HDF5 file: {words or kind}")


def _opened(path: str) -> tuple[bytes, Array]:
    """The header and the readouts that are of images."""
    size_of(path)
    xml, *blocks = _shown(path)
    readouts = np.concatenate(blocks)
    if readouts.dtype.names is None or not {"head", "traj", "data"} <= set(readouts.dtype.names):
        raise InvalidError(f"{path}: dataset/data has no head, traj and data of readouts")
    _hold_fields(path, readouts["head"].dtype)
    flags = readouts["head"]["flags"]
    calibration = flags & np.uint64(_CALIBRATION | _CALIBRATION_AND_IMAGE) == _CALIBRATION
    kept = readouts[(flags & np.uint64(_NO_IMAGE) == 0) & ~calibration]
    if not len(kept):
        raise InvalidError(f"{path}: none of its {len(readouts)} readouts is of an image")
    return xml if isinstance(xml, bytes) else str(xml).encode(), kept


def _hold_fields(path: str, head: Any) -> None:
    """Of the type of heads."""
    counters = head["idx"].names if "idx" in (head.names or ()) else None
    there = {*(head.names or ()), *(counters or ())}
    wanted = ("flags", *_ALIKE, *_ONE_OF, "repetition", "slice", "kspace_encode_step_2")
    missing = [name for name in wanted if name not in there]
    if missing:
        raise InvalidError(f"{path}: heads of its readouts have no {', '.join(missing)}")


def _hold_alike(path: str, readouts: Array) -> None:
    """Readouts of one length, and of one kind of image."""
    head = readouts["head"]
    if not np.isfinite(head["sample_time_us"]).all():
        raise InvalidError(f"{path}: a readout has sample_time_us {head['sample_time_us'].max()}; microseconds are "
                           "valid")
    for name in _ALIKE:
        other = head[name] != head[name][0]
        if other.any():
            at = int(np.argmax(other))
            raise InvalidError(f"{path}: readout {at} has {name} {head[name][at]}, readout 0 {head[name][0]}; the "
                               "same for all is valid")
    for name in _ONE_OF:
        if (head["idx"][name] != head["idx"][name][0]).any():
            raise InvalidError(f"{path}: readouts are of several values of {name}; one is valid in a file")


def _stacked(path: str, readouts: Array, name: str, width: int) -> Array:
    """(readouts, width) floats of an array that each readout has."""
    for at, values in enumerate(readouts[name]):
        if len(values) != width:
            raise InvalidError(f"{path}: readout {at} has {len(values)} numbers of {name}; its head tells {width}")
    return np.stack([np.asarray(values, np.float32) for values in readouts[name]])


def _sorted(path: str, readouts: Array) -> Array:
    """Numbers (frames, slices, readouts) of readouts in the order of the file."""
    frames, slices = readouts["head"]["idx"]["repetition"], readouts["head"]["idx"]["slice"]
    parts = [[np.flatnonzero((frames == frame) & (slices == slice_)) for slice_ in np.unique(slices)]
             for frame in np.unique(frames)]
    counts = {len(part) for parts_ in parts for part in parts_}
    if len(counts) > 1:
        raise InvalidError(f"{path}: its images have {min(counts)} to {max(counts)} readouts; as many each are valid")
    return np.array(parts)


def _unit_of(traj: Array, header: _Header, path: str) -> tuple[str, Array]:
    """No unit is laid down: it is told by how far the trajectory reaches, and the factors to cycles/encoded FOV."""
    reach = np.abs(traj).reshape(-1, traj.shape[-1]).max(0)
    size, fov = (np.array(values[:traj.shape[-1]], float) for values in (header.encoded, header.encoded_fov))
    used = size > 1
    for unit, factors in (("cycles/voxel", size), ("rad/voxel", size / (2 * math.pi)), ("cycles/FOV", 0 * size + 1),
                          ("1/m", fov)):
        if (reach * factors <= .51 * size)[used].all() and (reach * factors > .2 * size)[used].any():
            return unit, factors
    raise InvalidError(f"{path}: its trajectory reaches {np.round(reach, 4).tolist()}, of a matrix of "
                       f"{list(header.encoded)}: neither cycles/voxel, rad/voxel, cycles/FOV nor 1/m")


def _same_for_slices(path: str, traj: Array) -> Array:
    """(frames, slices, readouts, samples, dims) -> (readouts, samples, dims), or with frames before"""
    if (traj != traj[:, :1]).any():
        raise InvalidError(f"{path}: its slices have different trajectories; one for all slices is valid")
    found: Array = traj[0, 0] if (traj == traj[:1]).all() else traj[:, 0]
    return found


def read(path: str) -> Scan:
    """FileError, InvalidError with the readout that is wrong, UnsupportedError without h5py."""
    xml, readouts = _opened(path)
    _hold_alike(path, readouts)
    head = readouts["head"][0]
    header = _header(xml, path, int(head["encoding_space_ref"]), int(head["idx"]["contrast"]))
    n, coils, dims = (int(head[name]) for name in ("number_of_samples", "active_channels", "trajectory_dimensions"))
    if dims not in (2, 3, 4):
        raise InvalidError(f"{path}: its readouts have trajectories of {dims} numbers a sample; 2, 3, or 4 with times "
                           "in s as PowerGrid's, are valid, or traj= beside it")
    if dims == 2 and len(np.unique(readouts["head"]["idx"]["kspace_encode_step_2"])) > 1:
        raise InvalidError(f"{path}: its readouts are of several partitions (kspace_encode_step_2), and trajectories "
                           "have 2 numbers a sample; 3, with z, are valid")
    places = _sorted(path, readouts)
    kept = slice(int(head["discard_pre"]), n - int(head["discard_post"]))
    if kept.start >= kept.stop:
        raise InvalidError(f"{path}: of {n} samples its readouts discard {kept.start} before and {n - kept.stop} "
                           "behind; one that is left is valid")
    samples = _stacked(path, readouts, "data", 2 * coils * n).view(np.complex64).reshape(-1, coils, n)[..., kept]
    traj = _stacked(path, readouts, "traj", dims * n).reshape(-1, n, dims)[:, kept]
    refuse_infinite(f"{path}: traj of readouts", traj)
    own = _same_for_slices(path, traj[places])
    unit, factors = _unit_of(own[..., :min(dims, 3)], header, path)
    view = np.array(header.fov)[:len(factors)] / np.array(header.encoded_fov)[:len(factors)]
    times = _times(head, header, kept) if dims < 4 else own[..., 3]
    return Scan(samples[places].swapaxes(2, 3), (own[..., :len(factors)] * (factors * view)).astype(np.float32), times,
                header.matrix, header.fov, unit)


def _times(head: Any, header: _Header, kept: slice) -> Array | None:
    """s since excitation, of which the sample in the middle of the echo has TE; without TE since the first sample."""
    dwell_s = 1e-6 * float(head["sample_time_us"])
    if dwell_s <= 0:
        return None
    middle = int(head["center_sample"]) if header.echo_s else 0
    found = header.echo_s + dwell_s * (np.arange(int(head["number_of_samples"])) - middle)
    return found[kept].astype(np.float32)
