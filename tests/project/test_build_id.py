# SPDX-License-Identifier: Apache-2.0
"""A build id follows what a variant is made of, and nothing else."""

import re
import subprocess
from pathlib import Path

import pytest

from program import BUILD, ROOT, symbols

SCRIPT = ROOT / "cmake" / "build_id.cmake"


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "variants" / "family").mkdir(parents=True)
    (tmp_path / "include" / "ndft").mkdir(parents=True)
    (tmp_path / "library" / "base").mkdir(parents=True)
    (tmp_path / "variants" / "family" / "part").mkdir()
    write = {
        "library/base/variant.h": '#include "base/status.h"\n',
        "library/base/status.h": "#include <ndft/types.h>\n",
        "include/ndft/types.h": "/* reached through variant.h */\n",
        "include/ndft/plan.h": "/* reached by nobody */\n",
        "variants/coords.h": '#  include "base/variant.h"\n',
        "variants/other.h": "/* another variant's */\n",
        "variants/family/x_cpu.c": '#include "coords.h"\n#include "shared.h"\n#include <math.h>\n',
        "variants/family/shared.h": "/* what shared.c holds */\n",
        "variants/family/shared.c": '#include "beneath.cuh"\n',
        "variants/family/shared_called.cuh": "/* what plans of shared.c compile */\n",
        "variants/family/beneath.cuh": "/* reached through shared.c */\n",
        "variants/family/beneath.cu": "/* its source */\n",
        "variants/family/part.c": '#include "shared.h"\n',
        "variants/family/alone.c": "/* beside no header that is included */\n",
        "variants/family/own.h": "/* included by nobody else */\n",
        "variants/family/own.c": '#include "own.h"\n#include "shared.h"\n',
        "variants/family/y_cpu.c": '#include "shared.h"\n',
        "variants/family/y_loop.c": '#include "shared.h"\n',
        "variants/family/spread_y_loop.c": '#include "shared.h"\n',
        "variants/family/on_gpu.cu": '#include "shared.h"\n',
    }
    for name, text in write.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def build_id(tree, flags="-O3", backend="cpu"):
    script = tree / "id.cmake"
    script.write_text("cmake_minimum_required(VERSION 3.25)\n"
                      f'set(PROJECT_SOURCE_DIR "{tree}")\ninclude("{SCRIPT}")\n'
                      f'ndft_include_closure(files {backend} "{tree}/variants/family/x_cpu.c")\n'
                      f'ndft_build_id(id "{flags}" ${{files}})\nmessage(${{id}})\n')
    made = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
    assert len(made.stderr.strip()) == 16
    return made.stderr.strip()


def changes(tree, name, text="enum { CHANGED };\n", **more):
    """Whether the id is another when a file has more text at its end."""
    before = build_id(tree, **more)
    with open(tree / name, "a") as file:
        file.write(text)
    return build_id(tree, **more) != before


@pytest.mark.parametrize("name", ["variants/family/x_cpu.c", "variants/coords.h",
                                  "library/base/variant.h", "library/base/status.h",
                                  "include/ndft/types.h",
                                  "variants/family/shared.c", "variants/family/beneath.cu",
                                  "variants/family/part.c"])
def test_what_it_includes_counts(tree, name):
    assert changes(tree, name)


@pytest.mark.parametrize("text", ["/* changed */\n", "/* more\n * than **one** line / */\n", "\n\n"])
def test_comments_and_breaks_of_lines_do_not(tree, text):
    assert not changes(tree, "variants/coords.h", text)


def test_code_between_comments_counts(tree):
    assert changes(tree, "variants/coords.h", "/* one */ enum { CHANGED }; /* two */\n")


@pytest.mark.parametrize("name", ["variants/other.h", "include/ndft/plan.h",
                                  "variants/family/alone.c", "variants/family/own.c",
                                  "variants/family/y_cpu.c", "variants/family/y_loop.c",
                                  "variants/family/spread_y_loop.c", "variants/family/on_gpu.cu",
                                  "variants/family/shared_called.cuh"])
def test_what_it_does_not_include_does_not(tree, name):
    assert not changes(tree, name)


@pytest.mark.parametrize("name", ["on_gpu.cu", "shared_called.cuh"])
def test_code_of_a_gpu_counts_there(tree, name):
    assert changes(tree, f"variants/family/{name}", backend="cuda")


def test_flags_count(tree):
    assert build_id(tree) != build_id(tree, "-O2")


def test_the_place_does_not_count(tree, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("another place") / "tree"
    before = build_id(tree)
    (tree / "id.cmake").unlink()
    tree.rename(elsewhere)
    assert build_id(elsewhere) == before


def test_the_folder_does_not_count(tree):
    before = build_id(tree)
    (tree / "variants/coords.h").rename(tree / "variants/family/coords.h")
    assert build_id(tree) == before


def test_names_and_guards_do_not_count(tree):
    before = build_id(tree)
    (tree / "variants/family/part.c").rename(tree / "variants/family/piece.c")
    (tree / "variants/coords.h").unlink()
    (tree / "variants/places.h").write_text('#ifndef NDFT_PLACES_H\n#define NDFT_PLACES_H\n'
                                            '#include "base/variant.h"\n#endif\n')
    source = tree / "variants/family/x_cpu.c"
    source.write_text(source.read_text().replace("coords.h", "places.h"))
    assert build_id(tree) == before


def test_a_join_of_files_does_not_count(tree):
    family = tree / "variants/family"
    (family / "first.h").write_text("#ifndef FIRST_H\n#define FIRST_H\nenum { FIRST };\n#endif\n")
    (family / "shared.h").write_text('#ifndef SHARED_H\n#define SHARED_H\n#include "first.h"\n'
                                     "enum { SECOND };\n#endif\n")
    (family / "shared.c").write_text("int one(void);\n")
    (family / "spare.c").write_text('#include "shared.h"\nint two(void);\n')
    before = build_id(tree)
    (family / "first.h").unlink()
    (family / "spare.c").unlink()
    (family / "shared.h").write_text("#ifndef SHARED_H\n#define SHARED_H\n"
                                     "enum { FIRST };\nenum { SECOND };\n#endif\n")
    (family / "shared.c").write_text("int one(void);\nint two(void);\n")
    assert build_id(tree) == before


def test_every_source_that_a_variant_is_linked_of_counts():
    """As what is counted refers to it; a stage that a knob chooses counts for those who choose it."""
    defined, needed = symbols("variants|library/base")
    chosen = re.compile(r"/(spread|interpolate)_[a-z_]+[.]cu?$|_sm90a[.]cu$")
    missing = []
    for line in (BUILD / "generated/closures.txt").read_text().splitlines():
        name, backend, files = line.split(" ", 2)
        counted = [str(Path(file).relative_to(ROOT)) for file in files.split(";")]
        for file in counted:
            for symbol in needed.get(file, ()):
                source = defined.get(symbol)
                if source and source not in counted and not chosen.search(source):
                    missing.append(f"{name}.{backend}: {source}, for {symbol} of {file}")
    assert not missing
