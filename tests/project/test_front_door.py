# SPDX-License-Identifier: Apache-2.0
"""The script ./ndft: what it answers before it builds, from where it can be called, how it builds,
and what a demo leaves behind."""

import importlib.util
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from program import PROGRAM, ROOT
from synthetic import case_line, run_line, write
from terminal import on_a_terminal

DOOR = ROOT / "ndft"


def door(*arguments, program=DOOR, **options):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120,
                          **options)


@pytest.fixture
def folder(tmp_path):
    """A folder of somebody else's, with records and with modules named as ours."""
    write(tmp_path / "records.jsonl", run_line(), case_line("naive.cuda", .3e12))
    for name in ("analysis", "json", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')\n")
    return tmp_path


@pytest.mark.parametrize("verb", ["demo", "test", "setup", "help"])
def test_help_installs_and_builds_nothing(verb):
    result = door(verb, "--help")
    assert result.returncode == 0 and result.stdout.startswith("usage: ./ndft VERB")
    assert verb == "help" or f"  {verb} " in result.stdout
    assert not result.stderr


@pytest.mark.parametrize("verb", ["compare", "help"])
def test_help_of_a_verb_is_its_own(verb):
    result = door("help", verb)
    assert result.returncode == 0 and result.stdout == door(verb, "--help").stdout
    assert verb == "help" or result.stdout.startswith(f"usage: ndft {verb} ")


def test_a_demo_of_something_else_is_refused():
    result = door("demo", "configs/cpu.ndft")
    assert result.returncode == 2 and "'configs/cpu.ndft'" in result.stderr


def test_it_can_be_called_from_any_folder(folder):
    result = door("report", "records.jsonl", cwd=folder)
    assert result.returncode == 0 and "naive.cuda" in result.stdout, result.stderr


@pytest.mark.parametrize("other, status", [("a", 0), ("slower", 1), ("nosuch", 2)])
def test_the_status_of_a_comparison_is_handed_on(other, status):
    files = (str(ROOT / "tests/data" / f"{name}.jsonl") for name in ("a", other))
    result = door("compare", *files, "--gate", "2%")
    assert result.returncode == status, result.stdout + result.stderr


def test_records_are_checked_through_a_link_to_it(folder):
    (folder / "a link").symlink_to(DOOR)
    result = door("results", "validate", "records.jsonl", program=folder / "a link", cwd=folder)
    assert result.returncode == 0 and result.stdout == "records.jsonl: valid\n", result.stderr


STUBS = {
    "cmake": 'echo "cmake $*" >>"$LOG"; mkdir -p build; touch build/build.ninja',
    "ninja": """echo "ninja $*" >>"$LOG"
[ ! -t 1 ] || echo in place
for i in 1 2 3; do echo "[$i/3] Building"; done
echo "ab.c:7: warning: of interest"
exit ${NINJA_STATUS:-0}""",
    "apt-get": 'echo "apt-get $*" >>"$LOG"; exit 100',
    "sudo": 'exec "$@"',
    "ctest": "exit 0",
    "build/ndft": '[ "$1" = peak ] || exec "$NDFT_PROGRAM" "$@"',
}


@pytest.fixture
def house(tmp_path):
    """A house whose builders only say what they were asked for, with a demo of a second and FFTW's header."""
    root = tmp_path / "house"
    (root / "include").mkdir(parents=True)
    (root / "include/fftw3.h").touch()
    shutil.copytree(ROOT / "analysis", root / "analysis")
    shutil.copy(DOOR, root)
    (root / "peers").mkdir()
    shutil.copy(ROOT / "peers/setup.sh", root / "peers")
    for name, text in STUBS.items():
        stub = root / (name if "/" in name else f"tools/{name}")
        stub.parent.mkdir(exist_ok=True)
        stub.write_text(f"#!/bin/sh\n{text}\n")
        stub.chmod(0o755)
    (root / "tests/project").mkdir(parents=True)
    for name in ("skips.sh", "skips.allowed"):
        shutil.copy(ROOT / "tests/project" / name, root / "tests/project")
    clock = Path("harness/measure/timing_version.h")
    (root / clock).parent.mkdir(parents=True)
    shutil.copy(ROOT / clock, root / clock)
    (root / "configs").mkdir()
    (root / "configs/demo.ndft").write_text("(naive|tiled)[.].* : forward 2d n=6x5 m=20\n")
    return root


def surroundings(root, **more):
    return {**os.environ, "PATH": f"{root}/tools:{os.environ['PATH']}", "LOG": f"{root}/build/log",
            "CPATH": f"{root}/include", "NDFT_PROGRAM": PROGRAM, **more}


def test_a_survey_is_the_programs_and_told_what_is_wrong(house, tmp_path):
    result = door("survey", "--minutes", "0", program=house / "ndft", cwd=tmp_path, env=surroundings(house))
    assert result.returncode == 2 and "nearest: 0.1" in result.stderr, result.stderr


def files_of(root):
    return {path: path.read_bytes() for path in root.rglob("*")
            if path.is_file() and root / "build" not in path.parents}


def test_recon_builds_the_library_and_hands_on_its_status(house, tmp_path):
    (house / "python").symlink_to(ROOT / "python")
    around = surroundings(house, NDFT_LIBRARY=str(Path(PROGRAM).with_name("libndft.so")))
    result = door("recon", "dta=x.npy", "-o", "x.png", program=house / "ndft", cwd=tmp_path, env=around)
    assert result.returncode == 2 and "nearest: data=PATH" in result.stderr, result.stderr
    assert f"ninja -C {house}/build ndft_python" in (house / "build/log").read_text()


def test_without_h5py_all_else_is_built(house):
    (house / "tools/python3").write_text('#!/bin/sh\ncase $* in *h5py*) exit 1 ;; esac\n')
    (house / "tools/python3").chmod(0o755)
    door_text = (house / "ndft").read_text().replace("/usr/bin/python3 python3", "python3")
    (house / "ndft").write_text(door_text)
    result = door("setup", program=house / "ndft", env=surroundings(house))
    assert result.returncode == 0 and "going on without h5py" in result.stderr, result.stderr


def test_a_demo_changes_nothing_but_the_build_folder(house, tmp_path):
    shutil.copytree(ROOT / "python", house / "python", ignore=shutil.ignore_patterns("__pycache__"))
    before = files_of(house)
    around = surroundings(house, NDFT_LIBRARY=str(Path(PROGRAM).with_name("libndft.so")))
    result = door("demo", program=house / "ndft", cwd=tmp_path, env=around)
    assert result.returncode == 0, result.stderr
    assert files_of(house) == before and not (tmp_path / "results").exists()
    (records,) = house.glob("build/demo/*/demo.jsonl")
    page = (records.parent / "report/report.html").read_text()
    assert page.count('src="data:image/png;base64,') == 2 and "With it" in page
    *_, last = result.stdout.splitlines()
    assert "naive.cpu" in last or "tiled.cpu" in last, "the winners come last"


def test_a_demo_without_a_winner_is_no_failure(house, tmp_path):
    """As where so much else runs that all times are of two modes."""
    write(house / "swept.jsonl", run_line(), case_line("naive.cpu", 1e9, two_modes=True))
    sweep = house / "build/ndft"
    sweep.write_text('#!/bin/sh\n[ "$1" != sweep ] || install -D swept.jsonl "$4"\n')
    around = surroundings(house, NDFT_LIBRARY="nowhere")
    result = door("demo", program=house / "ndft", cwd=tmp_path, env=around)
    assert result.returncode == 0, result.stderr
    assert "in doubt: no winner" in result.stdout
    assert "going on without an image" in result.stderr


def test_a_build_is_told_now_and_then(house):
    result = door("test", "--show-only", program=house / "ndft", env=surroundings(house))
    assert result.stderr.count("] Building") == 1, result.stderr
    assert "[1/3] Building\nab.c:7: warning: of interest\n" in result.stderr


@pytest.mark.parametrize("place, status", [("", 0), ("ci", 1)])
def test_an_unexpected_skip_fails_where_the_place_is_told(place, status, house):
    log = house / "build/Testing/Temporary/LastTest.log"
    log.parent.mkdir(parents=True)
    log.write_text("1/9 Testing: unit_case\nskipped: for a reason of its own\n")
    result = door("test", program=house / "ndft", env=surroundings(house, NDFT_PLACE=place))
    assert result.returncode == status and "unit_case: for a reason" in result.stdout


def test_on_a_terminal_a_build_tells_in_place(house):
    _, said = on_a_terminal(80, [house / "ndft", "setup"], surroundings(house))
    assert "in place" in said and said.count("] Building") == 3


def test_a_build_that_fails_ends_it(house):
    result = door("setup", program=house / "ndft", env=surroundings(house, NINJA_STATUS="1"))
    assert result.returncode == 3 and result.stderr.endswith("ndft: the build failed\n")


def test_options_of_the_build_are_handed_on(house):
    door("setup", program=house / "ndft",
         env=surroundings(house, NDFT_CMAKE_OPTIONS="-DNDFT_WERROR=ON -DNDFT_CUDA=OFF"))
    assert " -DNDFT_WERROR=ON -DNDFT_CUDA=OFF\n" in (house / "build/log").read_text()


def test_without_google_benchmark_all_else_is_built(house):
    (house / "tools/g++").write_text("#!/bin/sh\nexit 1\n")
    (house / "tools/g++").chmod(0o755)
    result = door("setup", program=house / "ndft", env=surroundings(house))
    assert result.returncode == 0 and "without Google Benchmark" in result.stderr
    asked = (house / "build/log").read_text()
    assert "apt-get update" in asked and "ninja -C" in asked


def test_nothing_is_asked_of_the_network_where_everything_is_installed(house):
    if not list(Path("/usr/include").glob("benchmark/benchmark.h")):
        pytest.skip("Google Benchmark is not installed")
    if subprocess.run(["/usr/bin/python3", "-c", "import h5py"], capture_output=True, check=False).returncode:
        pytest.skip("h5py is not installed")
    assert door("setup", program=house / "ndft", env=surroundings(house)).returncode == 0
    assert "apt-get" not in (house / "build/log").read_text()


NEEDS_PIP = pytest.mark.skipif(not (importlib.util.find_spec("pip") and shutil.which("git")),
                               reason="pip or git is not installed, which setup --peers installs")


def wheel(folder, name, files):
    """A package for pip."""
    info = f"{name}-9.8.7.dist-info"
    files = files | {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.8.7\n".encode(),
                     f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n"}
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in (*files, f"{info}/RECORD")).encode()
    with zipfile.ZipFile(folder / f"{name}-9.8.7-py3-none-any.whl", "w") as package:
        for file, content in files.items():
            package.writestr(file, content)


@NEEDS_PIP
def test_peers_are_installed_below_the_build_folder(house, tmp_path):
    index = tmp_path / "index"
    index.mkdir()
    wheel(index, "finufft", {"finufft/libfinufft.so": Path(os.environ["NDFT_FAKE_FINUFFT"]).read_bytes()})
    around = surroundings(house, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(index))
    around.pop("NDFT_FINUFFT", None)
    result = door("setup", "--peers", program=house / "ndft", cwd=tmp_path, env=around)
    assert result.returncode == 0, result.stderr
    assert "FINUFFT, Flatiron Institute 9.8.7; wheel, baseline x86-64" in result.stdout
    told = [line for line in result.stderr.splitlines() if "never ranks" in line]
    assert len(told) == 1 and "could not be built from its source" in told[0] and "ERROR" in told[0]
    assert (house / "build/peers/finufft/libfinufft.so").exists()
    later = door("list", "--variant", "finufft[.]cpu", program=house / "ndft", cwd=tmp_path, env=around)
    assert "9.8.7; wheel" in later.stdout, "what was installed is found"


@NEEDS_PIP
def test_a_gpu_without_a_network_goes_on_without_its_peers(house, tmp_path):
    wheel(tmp_path, "finufft", {"finufft/libfinufft.so": Path(os.environ["NDFT_FAKE_FINUFFT"]).read_bytes()})
    for tool in ("nvidia-smi", "nvcc"):
        (house / "tools" / tool).write_text("#!/bin/sh\n")
        (house / "tools" / tool).chmod(0o755)
    around = surroundings(house, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    result = door("setup", "--peers", program=house / "ndft", env=around)
    assert result.returncode == 0, result.stderr
    for name in ("cuFINUFFT", "VkFFT"):
        assert f"going on without {name}" in result.stderr


# A backend for pip that needs none: its wheel holds the library that lies beside it.
BACKEND = """
import zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    info = "finufft-9.8.7.dist-info"
    files = {"finufft/libfinufft.so": open("libfinufft.so", "rb").read(),
             info + "/METADATA": b"Metadata-Version: 2.1\\nName: finufft\\nVersion: 9.8.7\\n",
             info + "/WHEEL": b"Wheel-Version: 1.0\\nRoot-Is-Purelib: false\\nTag: py3-none-any\\n"}
    files[info + "/RECORD"] = "".join(f"{file},,\\n" for file in files).encode()
    with zipfile.ZipFile(folder + "/finufft-9.8.7-py3-none-any.whl", "w") as package:
        for file, content in files.items():
            package.writestr(file, content)
    return "finufft-9.8.7-py3-none-any.whl"
"""


@NEEDS_PIP
def test_finufft_is_built_from_its_source_and_may_rank(house, tmp_path):
    index, source = tmp_path / "index", tmp_path / "finufft-9.8.7"
    index.mkdir()
    source.mkdir()
    (source / "backend.py").write_text(BACKEND)
    (source / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: finufft\nVersion: 9.8.7\n")
    (source / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "backend"\n'
                                           'backend-path = ["."]\n[project]\nname = "finufft"\nversion = "9.8.7"\n')
    shutil.copy(os.environ["NDFT_FAKE_FINUFFT"], source / "libfinufft.so")
    shutil.make_archive(str(index / "finufft-9.8.7"), "gztar", tmp_path, source.name)
    around = surroundings(house, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(index))
    around.pop("NDFT_FINUFFT", None)
    result = door("setup", "--peers", program=house / "ndft", cwd=tmp_path, env=around)
    assert result.returncode == 0, result.stderr
    assert "FINUFFT, Flatiron Institute 9.8.7; native: g++" in result.stdout, result.stderr
    assert "never ranks" not in result.stderr


@NEEDS_PIP
def test_peers_without_a_network_are_refused(house):
    result = door("setup", "--peers", program=house / "ndft",
                  env=surroundings(house, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(house)))
    assert result.returncode == 3
    assert result.stderr.splitlines()[-1].startswith("ndft: FINUFFT could not be installed: no network")
