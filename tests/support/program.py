# SPDX-License-Identifier: Apache-2.0
"""The program under test, how to call it, and how it refuses."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ.get("NDFT_PROGRAM", ROOT / "build" / "ndft")).resolve())
PLANTED = str(Path(os.environ.get("NDFT_PLANTED", ROOT / "build" / "tests" / "ndft-planted")).resolve())


def ndft(*arguments, cwd=None, program=PROGRAM, **environment):
    return subprocess.run([program, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          env={**os.environ, "NDFT_CACHE": "", **environment}, timeout=300)


def refused(result, code, *words):
    """The program exits with code and says why, in one line on stderr that begins with its name."""
    assert result.returncode == code, result.stdout + result.stderr
    assert re.search(r"^ndft: ", result.stderr, re.MULTILINE), result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


def records(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]
