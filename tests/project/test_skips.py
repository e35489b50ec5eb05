# SPDX-License-Identifier: Apache-2.0
"""skips.sh: what was skipped is told with its reason, and fails where it is not expected."""

import os
import subprocess
from pathlib import Path

import pytest

SKIPS = Path(__file__).resolve().parent / "skips.sh"
LOG = """3/9 Testing: variants.cuda
skipped: no NVIDIA driver is loaded, or it is older than this CUDA runtime
4/9 Testing: test_bart
SKIPPED [1] tests/test_bart.py:94: bart 0.8 has no field map; 1.0 has
"""
OTHER = """5/9 Testing: test_profile
SKIPPED [1] tests/test_profile.py:75: valgrind runs no program that was built with sanitizers
"""


def skips(tmp_path, log, place):
    (tmp_path / "log").write_text(log)
    result = subprocess.run([SKIPS, tmp_path / "log"], env={**os.environ, "NDFT_PLACE": place},
                            capture_output=True, text=True)
    assert not result.stderr
    return result.returncode, result.stdout.splitlines()


def test_nothing_skipped_is_nothing_said(tmp_path):
    assert skips(tmp_path, "1/9 Testing: unit_case\n", "ci") == (0, [])


def test_what_is_expected_is_told(tmp_path):
    code, told = skips(tmp_path, LOG, "ci")
    assert code == 0 and told == [
        "Skipped, and why:",
        "  variants.cuda: no NVIDIA driver is loaded, or it is older than this CUDA runtime",
        "  test_bart: [1] tests/test_bart.py:94: bart 0.8 has no field map; 1.0 has"]


@pytest.mark.parametrize("place, expected", [("", True), ("ci", False), ("ci asan", True),
                                             ("gpu", False)])
def test_what_is_expected_depends_on_the_place(place, expected, tmp_path):
    code, told = skips(tmp_path, OTHER, place)
    assert code == (not expected) and told[1].startswith("  " if expected else "! test_profile: ")
