# SPDX-License-Identifier: Apache-2.0
"""The program under test, how to call it, what it prints and records, and how it refuses."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ.get("NDFT_PROGRAM", ROOT / "build" / "ndft")).resolve())
PLANTED = str(Path(os.environ.get("NDFT_PLANTED", ROOT / "build" / "tests" / "ndft-planted")).resolve())
BUILD = Path(PROGRAM).parent
SANITIZED = Path(PROGRAM).exists() and b"__asan_init" in Path(PROGRAM).read_bytes()


def surroundings(**more):
    """Its environment: without a cache, unless one is named."""
    return {**os.environ, "NDFT_CACHE": "", **more}


def ndft(*arguments, program=PROGRAM, cwd=None, input=None, stdout=subprocess.PIPE, preexec_fn=None, **environment):
    return subprocess.run([program, *map(str, arguments)], cwd=cwd, input=input, stdout=stdout, stderr=subprocess.PIPE,
                          text=True, preexec_fn=preexec_fn, env=surroundings(**environment), timeout=300)


def begun(*arguments, program=PROGRAM, **options):
    """The same while it goes on: what it says on stderr can be read."""
    usual = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "env": surroundings()}
    return subprocess.Popen([program, *map(str, arguments)], text=True, **usual | options)


def refused(result, code, *words):
    """The program exits with code and says why, in one line on stderr that begins with its name."""
    assert result.returncode == code, result.stdout + result.stderr
    assert re.search(r"^ndft: ", result.stderr, re.MULTILINE), result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


def lines(text):
    """What it prints with --json."""
    return [json.loads(line) for line in text.splitlines()]


def records(path):
    return lines(Path(path).read_text())


def cases(path):
    """The records of cases in a file."""
    return [record for record in records(path) if record["type"] == "case"]


def listed(*arguments, **environment):
    """The variants that it lists."""
    return json.loads(ndft("list", "--json", *arguments, **environment).stdout)["variants"]


def symbols(folders):
    """({symbol: source that defines it}, {source: symbols that it needs}) of the objects built of these
    folders, "a|b/c", as paths from the root."""
    defined, needed = {}, {}
    objects = [file for file in BUILD.rglob("*.o")
               if re.search(rf"[.]dir/({folders})/", file.as_posix()) and "/tests/" not in file.as_posix()]
    listed = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        place, _, rest = line.partition(".o:")
        source = place.partition(".dir/")[2]
        if not (ROOT / source).exists():  # an object of what was moved or joined
            continue
        kind, name = rest.split()[-2:]
        if kind == "U":
            needed.setdefault(source, set()).add(name)
        elif kind in "TDBR":
            defined[name] = source
    assert defined
    return defined, needed
