# SPDX-License-Identifier: Apache-2.0
"""libndft as it is installed: moved elsewhere, found by CMake and by pkg-config, used from C and C++."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from program import PROGRAM, ROOT

BUILD = Path(PROGRAM).parent
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
CPLUSPLUS = """\
#include <ndft.h>

#include <complex>
#include <cstdio>
#include <vector>

int main()
{
    const std::vector<float> k = {-1, 0, 1};
    const std::vector<std::complex<float>> image(4, 1);
    std::vector<std::complex<float>> samples(k.size());
    ndft_problem_desc desc = {};
    desc.struct_size = sizeof desc;
    desc.dim = 1;
    desc.n[0] = 4;
    desc.n_samples = 3;
    desc.k[0] = k.data();
    ndft_device *device = nullptr;
    ndft_problem *problem = nullptr;
    ndft_plan *plan = nullptr;
    if (ndft_device_open("cpu", nullptr, &device) != NDFT_OK ||
        ndft_problem_create(device, &desc, &problem) != NDFT_OK ||
        ndft_plan_create(problem, NDFT_FORWARD, nullptr, &plan) != NDFT_OK ||
        ndft_execute_host(plan, NDFT_FORWARD, image.data(), samples.data()) != NDFT_OK) {
        std::fprintf(stderr, "%s\\n", ndft_message());
        return 1;
    }
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    return std::abs(samples[1] - 4.0f) < 1e-3f && std::abs(samples[0]) < 1e-3f ? 0 : 1;
}
"""


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def cache(name):
    return re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)


def generator():
    """What this build was made by: of others none need be installed."""
    return ["-G", cache("CMAKE_GENERATOR")]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """What was installed, in another place than it was installed to."""
    if "sanitize" in cache("CMAKE_C_FLAGS"):
        pytest.skip("a library with sanitizers needs programs with them")
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD, "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved")


@pytest.fixture(scope="module")
def environment(tree):
    if not shutil.which("pkg-config"):
        pytest.skip("pkg-config is not installed")
    return {**os.environ, "PKG_CONFIG_PATH": str(tree / "lib" / "pkgconfig"),
            "LD_LIBRARY_PATH": str(tree / "lib")}


def flags(environment, *options):
    return run("pkg-config", *options, "--cflags", "--libs", "ndft", env=environment).split()


def declared(tree):
    text = "".join(path.read_text() for path in sorted((tree / "include").rglob("*.h")))
    return set(re.findall(r"^NDFT_API [^;{]*?\b(ndft_\w+)\(", text, re.MULTILINE))


def test_symbols_are_those_that_the_headers_declare(tree):
    shown = run("nm", "-D", "--defined-only", tree / "lib" / "libndft.so")
    assert {line.split()[-1] for line in shown.splitlines()} == declared(tree)
    assert len(declared(tree)) >= 16


def test_it_needs_the_c_library_and_openmp_alone(tree):
    dynamic = run("readelf", "-d", tree / "lib" / "libndft.so")
    needed = re.findall(r"NEEDED.*\[(.+?)\.so", dynamic)
    assert set(needed) <= {"libc", "libm", "libgomp", "libomp", "libpthread", "ld-linux-x86-64"}
    assert "[libndft.so.0]" in re.search(r"SONAME.*", dynamic).group(0)
    assert not re.search(r"RPATH|RUNPATH", dynamic)


def test_cuda_is_one_entry_of_a_library_opened_by_name(tree):
    library = tree / "lib" / "libndft_cuda.so.0"
    if not library.exists():
        pytest.skip("no *.cu was built")
    shown = run("nm", "-D", "--defined-only", library)
    assert [line.split()[-1] for line in shown.splitlines()] == ["ndft_cuda_parts_of"]
    needed = re.findall(r"NEEDED.*\[(.+?)\.so", run("readelf", "-d", library))
    assert set(needed) <= {"libc", "libm", "libgomp", "libomp", "libpthread", "libstdc++", "libgcc_s",
                           "ld-linux-x86-64"}


@pytest.mark.parametrize("example", sorted(path.stem for path in (ROOT / "examples").glob("*.c")))
def test_examples_by_pkg_config(tree, environment, tmp_path, example):
    source = tree / "share" / "doc" / "ndft" / "examples" / f"{example}.c"
    run("cc", "-std=c11", *STRICT, source, *flags(environment), "-o", tmp_path / example)
    assert run(tmp_path / example, env=environment)


def test_the_static_library(tree, environment, tmp_path):
    link = [tree / "lib" / "libndft.a" if word == "-lndft" else word
            for word in flags(environment, "--static")]
    run("cc", ROOT / "examples" / "adjoint.c", *link, "-o", tmp_path / "adjoint")
    alone = {**environment, "LD_LIBRARY_PATH": ""}
    assert "brightest voxel: 768" in run(tmp_path / "adjoint", env=alone)


def test_a_project_of_its_own_by_cmake(tree, tmp_path):
    """With the one library and then the other: what is configured and compiled stays, all is linked anew."""
    shutil.copytree(tree / "share" / "doc" / "ndft" / "examples", tmp_path / "source")
    lists = tmp_path / "source" / "CMakeLists.txt"
    text = lists.read_text()
    for target in ("ndft::ndft", "ndft::ndft_static"):
        lists.write_text(text.replace("ndft::ndft ", target + " "))
        run("cmake", *generator(), "-S", tmp_path / "source", "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={tree}")
        run("cmake", "--build", tmp_path / "build")
        assert "100% tests passed" in run("ctest", "--test-dir", tmp_path / "build")
        assert ("libndft.so" in run("readelf", "-d", tmp_path / "build/adjoint")) == (target == "ndft::ndft")


def test_another_minor_version_is_not_taken(tree, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(p LANGUAGES C)\nfind_package(ndft 99.0 REQUIRED)\n")
    done = subprocess.run(["cmake", *generator(), "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={tree}"],
                          capture_output=True, text=True)
    assert done.returncode != 0 and "99.0" in done.stderr


def test_from_c_plus_plus(environment, tmp_path):
    (tmp_path / "program.cc").write_text(CPLUSPLUS)
    run("c++", "-std=c++17", *STRICT, tmp_path / "program.cc", *flags(environment), "-o", tmp_path / "program")
    run(tmp_path / "program", env=environment)


PACKAGE = """\
import numpy as np, ndft
image = np.arange(6, dtype=complex).reshape(2, 3)
found = ndft.forward(image, np.zeros((1, 2)))
print(abs(found[0] - 15) < 1e-6, ndft.describe()["library"])
"""


def test_the_component_that_a_wheel_holds(tree, tmp_path):
    run("cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path)
    alone = {key: value for key, value in os.environ.items() if key != "NDFT_LIBRARY"}
    said = run(sys.executable, "-c", PACKAGE, env={**alone, "PYTHONPATH": str(tmp_path)}, cwd="/").split()
    assert said == ["True", str(tmp_path / "ndft" / "libndft.so.0")]
    assert (tmp_path / "ndft" / "libndft_cuda.so.0").exists() == (tree / "lib" / "libndft_cuda.so.0").exists()


@pytest.mark.parametrize("compiler", [["cc", "-std=c11", "-xc"], ["c++", "-std=c++17", "-xc++"]])
def test_each_header_alone(tree, compiler):
    headers = sorted((tree / "include").rglob("*.h"))
    assert len(headers) >= 8
    for header in headers:
        source = f'#include "{header}"\nint unused;\n'
        run(*compiler, *STRICT, "-fsyntax-only", f"-I{tree / 'include'}", "-", input=source)
