# SPDX-License-Identifier: Apache-2.0
"""Record files that somebody else wrote, which a sweep is to go on with: as test_hostile, and the
program alone reads them."""

import subprocess

from program import PROGRAM, ndft, records, surroundings
from test_hostile import SECONDS, SEED, hostile, judge
from turns import of_today


def run_program(*arguments, cwd):
    result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, capture_output=True,
                            env=surroundings(), timeout=SECONDS)
    said = result.stderr.decode()
    said = "".join(f"{line}\n" for line in said.splitlines() if not line.startswith("["))
    judge(result.returncode, said, result.stdout.decode(), arguments)


def test_a_sweep_that_goes_on(tmp_path):
    line, path = "naive[.]cpu : forward 1d n=4 m=3", tmp_path / "hostile.jsonl"
    sweep = ["sweep", "--case", line, "--budget", "0.001", "-o", path]
    assert ndft(*sweep).returncode == 0
    lines = records(path)
    key = lines[1]["key"] if lines[1]["type"] == "case" else lines[-2]["key"]
    for text in of_today(hostile(lines, 40, SEED)):
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        run_program(*sweep, "--resume", cwd=tmp_path)
        run_program("repro", key, path, cwd=tmp_path)
