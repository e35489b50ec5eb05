# SPDX-License-Identifier: Apache-2.0
"""Follows docs/adding-a-variant.md in a copy of the tree: writes its files, runs its commands. What is
not compiled anew there is of the build under test."""

import os
import re
import shutil
import subprocess

from program import BUILD, ROOT

PAGE = ROOT / "docs" / "adding-a-variant.md"
FENCE = re.compile(r"^```\w+ (file|append|run)(?:=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(tree, command):
    around = {**os.environ, "NDFT_TREE": str(ROOT), "NDFT_BUILT": str(BUILD)}
    result = subprocess.run(command, cwd=tree, shell=True, capture_output=True, text=True, env=around)
    assert result.returncode == 0, f"{command}\n{result.stdout[-4000:]}{result.stderr[-4000:]}"
    return result.stdout


def follow(tree):
    """Applies the page's blocks to tree in order; returns what its commands printed."""
    printed = []
    for verb, name, text in FENCE.findall(PAGE.read_text()):
        if verb == "run":
            printed += [run(tree, command) for command in text.splitlines()]
        else:
            with open(tree / name, "w" if verb == "file" else "a") as file:
                file.write(text)
    return printed


def test_the_page_adds_a_variant(tmp_path):
    tree = tmp_path / "a tree"
    ignored = shutil.ignore_patterns("build", "build-*", ".git", "results", ".deps", "__pycache__")
    shutil.copytree(ROOT, tree, ignore=ignored)
    watched = "sanitize" in (BUILD / "CMakeCache.txt").read_text()  # whose objects go with their like alone
    launcher = "" if watched else f"-DCMAKE_C_COMPILER_LAUNCHER={ROOT}/tests/support/built.sh"
    run(tree, f"cmake -B build -G Ninja -DNDFT_CUDA=OFF -DCMAKE_C_FLAGS_RELEASE=-O0 {launcher}")
    listed, forward, adjoint = follow(tree)
    assert "in_double.cpu" in listed
    for checked in (forward, adjoint):
        verdicts = [line for line in checked.splitlines() if "in_double.cpu" in line]
        assert verdicts and all(re.search(r"\bpass\b", line) for line in verdicts), checked
