# SPDX-License-Identifier: Apache-2.0
"""What ndft doctor says of a machine that is made up: its programs, folders and environment."""

import json
import re

from program import ndft

TOOLS = ["gcc", "clang", "cmake", "ninja", "nvcc", "ncu", "nsys", "compute-sanitizer", "cuobjdump",
         "valgrind"]


def examine(cwd, **environment):
    """The exit status, and the findings by what they are of."""
    result = ndft("doctor", "--json", cwd=cwd, **environment)
    report = json.loads(result.stdout)
    assert report["usable"] == (result.returncode == 0)
    return result.returncode, {finding["what"]: finding for finding in report["findings"]}


def test_programs_are_looked_for_in_path(tmp_path):
    for name in TOOLS[::2]:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / TOOLS[1]).write_text("no program")
    (tmp_path / TOOLS[3]).mkdir()
    status, found = examine(tmp_path, PATH=f"/nosuch:{tmp_path}")
    assert status == 0, "none of them is needed to run"
    for name in TOOLS[::2]:
        assert found[name] == {"what": name, "state": "works", "found": str(tmp_path / name),
                               "advice": None}
    for name in TOOLS[1::2]:
        assert found[name]["state"] == "absent" and found[name]["advice"]


def test_folders_that_cannot_be_written_to(tmp_path):
    (tmp_path / "results").write_text("a file where a folder should be")
    (tmp_path / "results").chmod(0o755)
    status, found = examine(tmp_path, NDFT_CACHE=str(tmp_path / "results" / "cache"))
    assert status == 3 and found["results"]["state"] == "broken"
    assert "-o" in found["results"]["advice"]
    assert found["cache"]["state"] == "note" and "NDFT_CACHE" in found["cache"]["advice"]


def test_folders_that_can_be_made(tmp_path):
    status, found = examine(tmp_path, NDFT_CACHE=str(tmp_path / "deep" / "cache"))
    assert status == 0 and found["results"]["state"] == found["cache"]["state"] == "works"
    assert not list(tmp_path.iterdir()), "looking changes nothing"
    assert examine(tmp_path, NDFT_CACHE="")[1]["cache"]["found"].startswith("off")


def test_the_processor_and_the_build_are_described(tmp_path):
    found = examine(tmp_path, OMP_NUM_THREADS="3")[1]
    assert "3 threads, x86-64-v" in found["cpu"]["found"] and found["cpu"]["state"] == "works"
    assert "up to 3 threads" in found["OpenMP"]["found"]
    assert re.search(r"commit \w+.*, Release|Debug|RelWithDebInfo", found["build"]["found"])
    assert {"memory", "governor", "turbo", "load", "driver", "jansson"} <= set(found)


def test_threads_that_sleep_are_noted(tmp_path):
    found = examine(tmp_path, OMP_WAIT_POLICY="PASSIVE")[1]["OpenMP"]
    assert found["state"] == "note" and "unset it" in found["advice"] and "PASSIVE" in found["found"]
    found = examine(tmp_path, OMP_WAIT_POLICY="active")[1]["OpenMP"]
    assert found["state"] == "works" and "active" in found["found"]


def test_without_a_hosts_fft_what_is_left_out_is_told(tmp_path):
    status, found = examine(tmp_path, NDFT_HOST_FFT="fftw3")
    assert status == 0 and found["host FFT"]["state"] == "absent"
    assert "NDFT_HOST_FFT=fftw3 found none; fftw, mkl or" in found["host FFT"]["advice"]


def test_without_a_gpu_cuda_is_absent_and_nothing_is_broken(tmp_path):
    status, found = examine(tmp_path, CUDA_VISIBLE_DEVICES="")
    assert status == 0 and found["cuda"]["state"] == "absent"
    assert "variants built" in found["cuda"]["found"]


def test_text_says_the_same_as_json(tmp_path):
    text = ndft("doctor", cwd=tmp_path, PATH="/nosuch").stdout
    assert re.search(r"^ncu +absent  not in PATH\n +->  needed by", text, re.M)
    assert re.search(r"^jansson +works  ", text, re.M)
