# SPDX-License-Identifier: Apache-2.0
"""A build id follows what a variant is made of, and nothing else."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "cmake" / "build_id.cmake"


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "variants" / "family").mkdir(parents=True)
    (tmp_path / "include" / "ndft").mkdir(parents=True)
    (tmp_path / "library" / "base").mkdir(parents=True)
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
        "variants/family/beneath.cuh": "/* reached through shared.c */\n",
        "variants/family/beneath.cu": "/* its source */\n",
        "variants/family/alone.c": "/* beside no header that is included */\n",
    }
    for name, text in write.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def build_id(tree, flags="-O3"):
    script = tree / "id.cmake"
    script.write_text("cmake_minimum_required(VERSION 3.25)\n"
                      f'set(PROJECT_SOURCE_DIR "{tree}")\ninclude("{SCRIPT}")\n'
                      f'ndft_include_closure(files "{tree}/variants/family/x_cpu.c")\n'
                      f'ndft_build_id(id "{flags}" ${{files}})\nmessage(${{id}})\n')
    made = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
    assert len(made.stderr.strip()) == 16
    return made.stderr.strip()


@pytest.mark.parametrize("name", ["variants/family/x_cpu.c", "variants/coords.h",
                                  "library/base/variant.h", "library/base/status.h",
                                  "include/ndft/types.h",
                                  "variants/family/shared.c", "variants/family/beneath.cu"])
def test_what_it_includes_counts(tree, name):
    before = build_id(tree)
    with open(tree / name, "a") as file:
        file.write("enum { CHANGED };\n")
    assert build_id(tree) != before


@pytest.mark.parametrize("text", ["/* changed */\n", "/* more\n * than **one** line / */\n", "\n\n"])
def test_comments_and_breaks_of_lines_do_not(tree, text):
    before = build_id(tree)
    with open(tree / "variants" / "coords.h", "a") as file:
        file.write(text)
    assert build_id(tree) == before


def test_code_between_comments_counts(tree):
    before = build_id(tree)
    with open(tree / "variants" / "coords.h", "a") as file:
        file.write("/* one */ enum { CHANGED }; /* two */\n")
    assert build_id(tree) != before


@pytest.mark.parametrize("name", ["variants/other.h", "include/ndft/plan.h",
                                  "variants/family/alone.c"])
def test_what_it_does_not_include_does_not(tree, name):
    before = build_id(tree)
    (tree / name).write_text("enum { CHANGED };\n")
    assert build_id(tree) == before


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
