# SPDX-License-Identifier: Apache-2.0
"""Holds the shape of the tree: which way includes and calls point, how long files are, what none contains."""

import os
import re
import subprocess
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from program import BUILD, ROOT, symbols

SKIPPED = re.compile(r"^(build.*|results|\..*|__pycache__)$")
CODE = {".c", ".h", ".cc", ".cu", ".cuh", ".py"}
MAX_LINES = 350

# Folders that a folder's files may include from; include/ndft is reached as <ndft/...>, library/base as
# "base/...".
ARROWS = {
    "include": {"include"},
    "library": {"include", "library"},
    "variants": {"include", "library/base", "variants"},
    "peers": {"include", "library/base", "peers"},
    "reference": {"include", "library/base", "reference"},
    "harness": {"include", "library/base", "library/harness.h", "reference", "harness"},
}
# The harness knows variants through the registry alone, and how their inner loops are compiled.
# Peers have a field map by our low-rank factors and our share of tol for them, so that they are
# given no fewer terms than ours, and weigh by a loop that is compiled as ours are.
EXCEPTIONS = {("harness", "variants/core/loop.h"),
              # Instruments are CUDA C++ too, which knows the backend alone, and its streams.
              ("harness", "library/device/backend.h"), ("harness", "library/device/stream_cuda.cuh"),
              # Cold caches are flushed by the size of the last one.
              ("harness", "library/device/processor.h"),
              # `best` shows what the planner ranked and why, and asks it of devices elsewhere.
              ("harness", "library/rank.h"), ("harness", "library/estimate.h"), ("harness", "library/model.h"),
              # `tune` searches knobs, and rounds are shuffled, as by plans that measure.
              ("harness", "library/search.h"), ("harness", "library/order.h"),
              # A uniform case is written by the descriptors that the library reads.
              ("harness", "library/descriptor.h"),
              ("peers", "variants/core/loop.h"), ("peers", "variants/nufft/field/rank.h"),
              ("peers", "variants/nufft/shape.h")}
# Inside variants: a folder includes from those before it alone.
FAMILIES = ["core", "phase", "fft", "convolve", "direct", "gemm", "chirp_z", "nufft", "uniform"]
# Inside the harness; "" is its own folder, where a group of variants is checked and measured.
FLOORS = {
    "case": set(),
    "instruments": set(),
    "files": {"case"},
    "make": {"case", "files"},
    "naming": {"case"},
    "problem": {"case", "files", "make", "naming"},
    "check": {"case", "files", "make", "naming", "problem", "instruments"},
    "measure": {"case", "files", "make", "naming", "problem", "instruments", "check"},
    "": {"case", "files", "make", "naming", "problem", "instruments", "check", "measure"},
    "records": {"case", "files", "make", "naming", "problem", "instruments", "check", "measure", ""},
    "peak": {"files", "make", "instruments", "measure"},
    "isolate": {"case", "files", "make", "naming", "problem", "instruments", "check", "measure", "", "records"},
    "cli": {"case", "files", "make", "naming", "problem", "instruments", "check", "measure", "",
            "records", "peak", "isolate"},
    "scaling": {"case", "files", "make", "naming", "problem", "instruments", "check", "measure", "",
                "records", "peak", "isolate", "cli"},
    "verbs": {"case", "files", "make", "naming", "problem", "instruments", "check", "measure", "",
              "records", "peak", "isolate", "cli", "scaling"},
    "gbench": {"case", "files", "make", "naming", "problem", "instruments", "check", "measure", "",
               "records", "peak", "isolate", "cli"},
}


def sources(root=ROOT):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if not SKIPPED.match(name)]
        for name in sorted(names):
            path = Path(folder) / name
            if path.suffix in CODE or name in {"ndft", "CMakeLists.txt"} or path.suffix == ".cmake":
                yield path


def includes(text):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.MULTILINE)


def resolve(path, name, root=ROOT):
    """The project file that an include means, relative to the root; None for the system's."""
    houses = ("include", "library", "reference", "variants", "harness")
    for place in [path.parent, *(root / house for house in houses)]:
        if (place / name).is_file():
            return (place / name).resolve().relative_to(root).as_posix()
    return None


def arrows(root=ROOT):
    """(file, project file that it includes), by their paths from the root."""
    for path in sources(root):
        for name in includes(path.read_text()):
            target = resolve(path, name, root)
            if target:
                yield path.relative_to(root).as_posix(), target


def floor_of(file):
    """The floor of a file of the harness."""
    parts = Path(file).parts
    return parts[1] if len(parts) == 3 else ""


def keeps_arrow(file, target):
    top = Path(file).parts[0]
    return top not in ARROWS or (top, target) in EXCEPTIONS or any(
        target == to or target.startswith(f"{to}/") for to in ARROWS[top])


def keeps_floor(file, target):
    if not (file.startswith("harness/") and target.startswith("harness/")):
        return True
    return floor_of(target) in FLOORS[floor_of(file)] | {floor_of(file)}


def keeps_family(file, target):
    if not (file.startswith("variants/") and target.startswith("variants/")):
        return True
    own, other = (FAMILIES.index(path.split("/")[1]) for path in (file, target))
    return other <= own


def bad_includes(keeps, root=ROOT):
    return [f"{file} includes {target}" for file, target in arrows(root) if not keeps(file, target)]


@pytest.mark.parametrize("keeps", [keeps_arrow, keeps_floor, keeps_family])
def test_includes_point_one_way(keeps):
    assert bad_includes(keeps) == []


@pytest.mark.parametrize("keeps, file, text, others, found", [
    (keeps_family, "variants/fft/fft.h", '#include "convolve/lines.h"\n', ["variants/convolve/lines.h"],
     "variants/convolve/lines.h"),
    (keeps_floor, "harness/case/case.c", '#include "../check.h"\n', ["harness/check.h"], "harness/check.h"),
    (keeps_arrow, "variants/x_cpu.c", '#include "../harness/check.h"\n', ["harness/check.h"], "harness/check.h"),
    (keeps_arrow, "harness/check.c", '#include "harness.h"\n#include "prepared.h"\n',  # a private header
     ["library/harness.h", "library/prepared.h"], "library/prepared.h")])
def test_a_wrong_one_is_seen(tmp_path, keeps, file, text, others, found):
    for name, content in {file: text, **dict.fromkeys(others, "")}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    assert bad_includes(keeps, tmp_path) == [f"{file} includes {found}"]


def calls_of_variants(root=ROOT):
    """Where the harness calls a variant itself, or prepares or executes one by itself: plans of the library are
    its one way to one, as they are its users'."""
    call = re.compile(r"\b(variant|v|engine)->(plan|execute|destroy|unsupported|chosen|cost|traits|open)\s*\("
                      r"|\bndft_prepare\s*\(|\bndft_prepared_(execute|destroy)\w*\s*\(")
    return [f"{path.relative_to(root)}: {match.group(0)}" for path in sources(root)
            if path.relative_to(root).parts[0] == "harness" for match in call.finditer(path.read_text())]


def test_the_harness_reaches_variants_by_the_library_alone():
    assert calls_of_variants() == []


def test_a_call_of_a_variant_is_seen(tmp_path):
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "check.c").write_text("status = plan->variant->execute(plan->state, op, in, out);\n"
                                                  "ndft_prepared_execute(&plan, op, in, out);\n")
    assert calls_of_variants(tmp_path) == ["harness/check.c: variant->execute(",
                                           "harness/check.c: ndft_prepared_execute("]


def hold_one_way(defined, needed):
    """CycleError where files need each other, directly or through others."""
    TopologicalSorter({file: {defined[name] for name in names & defined.keys()} - {file}
                       for file, names in needed.items()}).prepare()


def test_calls_point_one_way():
    """Of C. The table of a device's functions, in CUDA, names files that ask it for what they share, and the
    registry's engines that are made of the others in it."""
    defined, needed = symbols("harness|library|peers|reference")
    hold_one_way(defined, {file: names for file, names in needed.items()
                           if file.endswith(".c") and file != "library/registry.c"})


def test_a_circle_is_seen():
    with pytest.raises(CycleError):
        hold_one_way({"f": "a.c", "g": "b.c"}, {"a.c": {"g"}, "b.c": {"f"}})


def test_analysis_reads_records_only():
    for path in sources(ROOT / "analysis"):
        assert not re.search(r"\b(ctypes|cffi|libndft)\b", path.read_text()), path


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_file(path):
    text = path.read_text()
    lines = text.splitlines()
    assert len(lines) <= MAX_LINES, "too long: can a wall move?"
    assert sum("SPDX-License-" + "Identifier: Apache-2.0" in line for line in lines[:2]) == 1
    for pattern in FORBIDDEN:
        match = re.search(pattern, text, re.MULTILINE)
        assert not match, f"contains {match.group(0)!r}"
    if path.suffix in CODE - {".py"} and "backend_" not in path.name:
        match = re.search(r"^\s*#\s*(el)?if.*(__CUDACC__|HAVE_CUDA)", text, re.MULTILINE)
        assert not match, "CUDA is decided in the backend table only"


def test_what_an_archive_holds_is_defined_once():
    """Of two definitions a program takes either: that for builds without CUDA in place of CUDA's."""
    listed = subprocess.run(["nm", "-g", BUILD / "libndft_core.a"], capture_output=True, text=True).stdout
    defined = Counter(name for kind, name in re.findall(r"^[0-9a-f]+ ([TDRB]) (ndft_\w+)$", listed, re.MULTILINE))
    assert defined and [name for name, times in defined.items() if times > 1] == []


# Spelt in two pieces, so that this file passes its own test.
FORBIDDEN = [
    r"^\s*#\s*if\s+0" + r"\b",
    r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b",
    r"clang-format " + r"off",
    r"/(home|work|root|Users)" + r"/\w",
]
