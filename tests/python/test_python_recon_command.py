# SPDX-License-Identifier: Apache-2.0
"""ndft recon as a program: what it writes, says and refuses, and what an interruption leaves."""

import os
import re
import shutil
import signal
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from scans import SHAPE, blob, coil_maps, concomitant, decay, field, lines, noise, places, samples, times
from sums import error

from ndft import recon

K = lines()
T = times(K)
FILES = ["data=data.npy", "traj=traj.npy", "times=times.npy", "field=field.npy", "maps=maps.npy"]


@cache
def scan():
    """Of an object in a field that blurs it."""
    return {"data": samples(blob(), K, T, field(120), coil_maps(4)), "traj": K[..., ::-1], "times": T,
            "field": field(120), "maps": coil_maps(4)}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, values in scan().items():
        np.save(f"{name}.npy", values)


def call(*words, **options):
    return subprocess.run([sys.executable, "-m", "ndft.recon", *words], capture_output=True, text=True, timeout=100,
                          check=False, **options)


def refused(words, *arguments):
    result = call(*arguments)
    assert result.returncode == 2 and re.search(words, result.stderr), result.stderr
    assert "Traceback" not in result.stderr and result.stdout == ""


def test_an_image_in_every_format():
    result = call(*FILES, *(word for end in ("npy", "cfl", "nii", "png") for word in ("-o", f"new/image.{end}")))
    assert result.returncode == 0, result.stderr
    assert sorted(os.listdir("new")) == ["image.cfl", "image.hdr", "image.nii", "image.npy", "image.png"]
    assert error(np.load("new/image.npy")[0, 0], blob()) < .05
    assert re.search(r"sharpness against no map: \+\d+\.\d % with the map, -\d", result.stderr)
    assert "wrong sign" not in result.stderr
    assert re.search(r"new/image.png: \d+ iterations in [0-9.]+ s, residual \d\.\de-0\d", result.stderr)


def test_the_wrong_sign_is_noticed_and_can_be_turned():
    np.save("field.npy", -field(120))
    result = call(*FILES, "-o", "image.npy")
    assert result.returncode == 0, result.stderr
    assert "the field map seems to have the wrong sign" in result.stderr and "--field-sign -1 takes" in result.stderr
    assert "seems to have the wrong sign" in call(*FILES, "-o", "image.npy", "--density", "0").stderr
    result = call(*FILES, "-o", "image.npy", "--field-sign", "-1")
    assert "wrong sign" not in result.stderr and error(np.load("image.npy")[0, 0], blob()) < .05


def test_a_map_that_may_be_in_hz_is_doubted():
    np.save("field.npy", field(120) / np.float32(2 * np.pi))
    result = call(*FILES, "-o", "image.npy")
    assert result.returncode == 0 and "if the file is in Hz, --field-unit Hz is right" in result.stderr
    assert "field -4.355 to 22.73 Hz; 0.217 cycles of phase" in result.stderr
    assert "Hz is right" not in call(*FILES, "-o", "image.npy", "--field-unit", "Hz").stderr


def test_decay_and_field_together():
    np.save("data.npy", samples(blob(), K, T, field(120), coil_maps(4), decay()))
    np.save("decay.npy", decay())
    assert call(*FILES, "-o", "image.npy").returncode == 0
    assert error(np.load("image.npy")[0, 0], blob()) > .1
    result = call(*FILES, "decay=decay.npy", "-o", "image.npy")
    assert error(np.load("image.npy")[0, 0], blob()) < .05
    assert re.search(r"decay 0 to 120 1/s, which leaves 0\.34 at the last time; field", result.stderr)
    np.save("decay.npy", decay() / 1000)
    refused("--decay-unit 1/ms", *FILES, "decay=decay.npy", "-o", "other.npy")
    assert call(*FILES, "decay=decay.npy", "-o", "image.npy", "--decay-unit", "1/ms").returncode == 0
    assert error(np.load("image.npy")[0, 0], blob()) < .05


def test_a_phase_of_higher_order():
    """The image is that of arrays; the phase is in what tells the map's sign, without which it is called wrong."""
    phase = concomitant(K, T, *places())
    np.save("data.npy", samples(blob(), K, T, field(120), coil_maps(4), phase=phase))
    for name, values in zip(("phase_c", "phase_b"), phase):
        np.save(f"{name}.npy", values)
    assert "the two disagree on the map's sign" in call(*FILES, "-o", "image.npy").stderr
    assert error(np.load("image.npy")[0, 0], blob()) > .5
    result = call(*FILES, "phase_c=phase_c.npy", "phase_b=phase_b.npy", "-o", "image.npy")
    cycles = sum(abs(c).max() * abs(b).max() for c, b in zip(*phase)) / (2 * np.pi)
    assert f"to 9 ms; phase of higher order of 3 terms, at most {cycles:.3g} cycles; field" in result.stderr
    assert re.search(r"no map: \+\d\.\d % with the map, -1\d\.\d % with its negative", result.stderr), result.stderr
    assert "disagree" not in result.stderr and error(np.load("image.npy")[0, 0], blob()) < .05
    scan = recon.Acquisition(SHAPE, K, np.load("data.npy")[None, None], t=T, field=field(120), phase=phase,
                             maps=coil_maps(4))
    assert error(np.load("image.npy"), recon.reconstruct(scan).images) < 1e-6


def test_a_clock_that_stands_tells_no_sign():
    np.save("times.npy", np.float32(1e-3))
    result = call(*FILES, "-o", "image.npy")
    assert "the scan does not tell the map's sign" in result.stderr and "wrong sign" not in result.stderr
    np.save("times.npy", np.float32(0))
    said = call(*FILES, "-o", "image.npy").stderr
    assert said.count("ndft: warning: no effect of field, since all t are 0\n") == 1 and "UserWarning" not in said


def test_zeros_of_a_map_are_continued_unless_they_are_kept():
    np.save("field.npy", np.where(blob() != 0, field(120), 0))
    result = call(*FILES, "-o", "image.npy")
    assert "the field map is exactly 0 in " in result.stderr and error(np.load("image.npy")[0, 0], blob()) < .06
    assert "continued" not in call(*FILES, "-o", "image.npy", "--field-zeros", "keep").stderr
    few = field(120)
    few[3, 4] = 0
    np.save("field.npy", few)
    assert "continued" not in call(*FILES, "-o", "image.npy").stderr


def test_settings_are_handed_on():
    result = call(*FILES, "-o", "image.npy", "--iterations", "2", "--density", "0", "--tol", "1e-3", "--threads", "1")
    assert ": 2 iterations in" in result.stderr


def test_several_devices():
    one, two = (call(*FILES, "-o", f"{device}.npy", "--iterations", "3", "--device", device)
                for device in ("cpu", "cpu,cpu"))
    assert (one.returncode, two.returncode) == (0, 0), two.stderr
    assert error(np.load("cpu,cpu.npy"), np.load("cpu.npy")) < 1e-3


@pytest.mark.skipif(not shutil.which("bart"), reason="bart is not installed")
def test_what_bart_simulates():
    """Its phantom comes out with its axes and its orientation, and no worse than by its own pics."""
    for words in ("traj -r -x96 -y160 t", "phantom -k -t t -s 4 d", "phantom -x96 -S 4 c", "phantom -x96 truth",
                  "pics -i20 -l2 -r0.001 -t t d c theirs"):
        subprocess.run(["bart", *words.split()], check=True, capture_output=True, timeout=100)
    assert call("data=d.cfl", "traj=t.cfl", "maps=c.cfl", "-o", "ours.cfl", "--iterations", "20").returncode == 0
    truth, ours, theirs = (abs(np.fromfile(f"{name}.cfl", "<c8")) for name in ("truth", "ours", "theirs"))
    errors = [error(image * (image @ truth) / (image @ image), truth) for image in (ours, theirs)]
    assert errors[0] < .3 and errors[0] < 1.05 * errors[1]


@pytest.mark.parametrize("words, arguments", [
    ("no files; SCAN.h5, or", ["-o", "a.npy"]),
    ("nowhere to write; -o PATH", FILES),
    ("nearest: data=PATH", ["dta=data.npy", "-o", "a.npy"]),
    (r"data.npy: what is it\? SCAN.h5", ["data.npy", "-o", "a.npy"]),
    ("data is data.npy already", [*FILES, "data=maps.npy", "-o", "a.npy"]),
    ("a.jpg: images are written as", [*FILES, "-o", "a.jpg"]),
    ("data.npy is read from", [*FILES, "-o", "./data.npy"]),
    ("iterations=0; 1 or more", [*FILES, "-o", "a.npy", "--iterations", "0"]),
    ("stop=nan", [*FILES, "-o", "a.npy", "--stop", "nan"]),
    ("tol=7", [*FILES, "-o", "a.npy", "--tol", "7"]),
    ("^ndft: argument --shape: '0x3'; 1 to 3 sizes of at least 1", [*FILES, "-o", "a.npy", "--shape", "0x3"]),
    ("^ndft: argument --fov: '-3'; 1 to 3 lengths above 0", [*FILES, "-o", "a.npy", "--fov", "-3"]),
    ("^ndft: there is no option '--iteratons'; nearest: --iterations", [*FILES, "--iteratons", "3"]),
    ("^ndft: argument --k-unit: invalid choice: '1/mm'", [*FILES, "--k-unit", "1/mm"]),
    (r"maps has the shape \(4, 20, 24\); \(4, 24, 20\)", [*FILES[:3], FILES[4], "-o", "a.npy", "--shape", "24x20"]),
    ("phase_c is given without phase_b", [*FILES, "phase_c=times.npy", "-o", "a.npy"]),
    ("--demo takes no files", [*FILES, "--demo", "-o", "a"]),
    ("data.npy is there and is no folder", ["--demo", "-o", "data.npy"]),
    ("nowhere.h5: No such file|h5py is not installed", ["nowhere.h5", "-o", "a.npy"]),
])
def test_what_is_refused_writes_nothing(words, arguments):
    before = {name: os.path.getmtime(name) for name in os.listdir()}
    refused(words, *arguments)
    assert {name: os.path.getmtime(name) for name in os.listdir()} == before


def test_only_what_was_written_is_named():
    """A folder is made in the place of a file after it was looked at: the others are written."""
    script = ("import os, sys\nfrom ndft.recon import __main__ as m\ncheck = m.check_outputs\n"
              "def late(*a): check(*a); os.mkdir('late.npy')\n"
              "m.check_outputs = late\nsys.exit(m.main(sys.argv[1:]))")
    for more, named in (["-o", "image.png"], "image.png: "), ([], "nothing was written: "):
        result = subprocess.run([sys.executable, "-c", script, *FILES, "-o", "late.npy", *more, "--iterations", "1"],
                                capture_output=True, text=True, timeout=100, check=False)
        assert result.returncode == 2 and "late.npy: Is a directory" in result.stderr, result.stderr
        assert result.stderr.splitlines()[-1].startswith(f"ndft: {named}1 iterations")
        os.rmdir("late.npy")


def test_an_interruption_keeps_what_was_found():
    """Of frames with too few samples, so that nothing ends them; the line of progress tells that some are done."""
    np.save("data.npy", noise((400, 1, 4, *K[::4].shape[:-1])))
    np.save("traj.npy", K[::4, :, ::-1])
    with subprocess.Popen([sys.executable, "-m", "ndft.recon", *FILES[:3], "maps=maps.npy", "--shape", "20x24", "-o",
                           "image.npy", "--iterations", "100000", "--stop", "0"], stderr=subprocess.PIPE,
                          text=True) as process:
        said = []
        for line in process.stderr:
            said.append(line)
            if "iteration " in line:
                process.send_signal(signal.SIGINT)
                break
        said += process.stderr.readlines()
        status = process.wait(timeout=60)
    assert status == 130, "".join(said)
    assert re.search(r"interrupted: image.npy has what \d+ of at most 100000 iterations found", said[-1])
    assert re.search(r"iteration \d+ of at most \d+, residual \S+, at most \d+ s left", "".join(said))
    image = np.load("image.npy")
    assert image[0].any() and not image[-1].any() and np.isfinite(image).all()


def test_an_interruption_before_there_is_anything_writes_nothing():
    with open("image.npy", "wb") as file:
        np.save(file, np.ones(3))
    script = ("import sys\nfrom ndft.recon import __main__ as m, _reconstruct as r\n"
              "def stop(*a): raise KeyboardInterrupt\n"
              "r.density_weights = stop if sys.argv[1] == 'early' else r.density_weights\n"
              "r.conjugate_gradients = stop\n"
              "sys.exit(m.main(sys.argv[2:]))")
    for when in ("early", "late"):
        result = subprocess.run([sys.executable, "-c", script, when, *FILES, "-o", "image.npy"], capture_output=True,
                                text=True, timeout=100, check=False)
        assert result.returncode == 130 and "nothing was written" in result.stderr, result.stderr
    assert (np.load("image.npy") == 1).all()


def test_the_demo():
    """Its figures: the map brings the image as near to the truth as a homogeneous field would."""
    result = call("--demo", "-o", "demo")
    assert result.returncode == 0, result.stderr
    assert {"report.txt", "all.png", "with_map.png", "without_map.png", "error_with_map.png", "error_without_map.png",
            "truth.png", "with_map.nii"} == set(os.listdir("demo"))
    with open("demo/report.txt", encoding="utf-8") as file:
        report = file.read()
    assert report == result.stdout
    rows = {name: [float(word) for word in rest.split()[:3]] for name, rest in re.findall(
        r"^(without the field map|with the field map|homogeneous field) +(.*)$", report, re.MULTILINE)}
    without, with_map, homogeneous = (rows[name] for name in ("without the field map", "with the field map",
                                                              "homogeneous field"))
    assert without[0] > .25 and with_map[0] < .065 and homogeneous[0] < .065
    assert with_map[1] > without[1] + .2 and with_map[2] > 1.3 * without[2]
    signs = re.search(r"no map: \+(\S+) % with the map, -\S+ % with its negative", report)
    assert signs and float(signs.group(1)) > 30
