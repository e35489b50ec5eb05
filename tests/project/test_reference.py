# SPDX-License-Identifier: Apache-2.0
"""The reference of ndft.h, by Doxygen: every call, type and member is documented, every name found."""

import shutil
import subprocess

import pytest

from program import ROOT


def reference(root, where):
    for part in ("include", "docs"):
        shutil.copytree(root / part, where / part)
    (where / "build").mkdir()
    return subprocess.run(["doxygen", "docs/Doxyfile"], cwd=where, capture_output=True, text=True)


@pytest.fixture(autouse=True)
def has_doxygen():
    if not shutil.which("doxygen"):
        pytest.skip("doxygen is not installed")


def test_it_is_whole(tmp_path):
    done = reference(ROOT, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "build/reference/html/plan_8h.html").read_text()
    assert "All allocations are finished on return" in page


def test_what_is_not_documented_is_told(tmp_path):
    shutil.copytree(ROOT / "include", tmp_path / "source/include")
    shutil.copytree(ROOT / "docs", tmp_path / "source/docs")
    header = tmp_path / "source/include/ndft/version.h"
    header.write_text(header.read_text().replace("(void);", "(void);\nNDFT_API int ndft_secret(void);"))
    done = reference(tmp_path / "source", tmp_path / "where")
    assert done.returncode != 0 and "ndft_secret" in done.stderr
