# SPDX-License-Identifier: Apache-2.0
"""Peers' records held against what alone.py has of them: the same command, the same time.

    python3 peers/agree.py FILE... [--within 5] [--match ERE]

Runs the command of every passing record of a peer, on the machine that measured it, and prints both
times. Records of field maps are left out: of those the command has the transforms alone. Exit status 1
where one differs by more than --within percent; 2 where there is none.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def records(files):
    for file in files:
        for line in file.read_text().splitlines():
            record = json.loads(line)
            command = (record.get("peer") or {}).get("alone")
            if command and record["verdict"] == "pass" and "--terms" not in command:
                yield record


def shell(command):
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"agree: {command}\n{done.stderr or done.stdout}")
    return done.stdout


def alone(record, folder, seconds):
    """The time by the record's command, in seconds; exports its case where no other record has."""
    export, run = record["peer"]["alone"].replace("FOLDER", str(folder)).split(" && ")
    export = export.replace("./ndft", os.environ.get("NDFT_PROGRAM", "./ndft"), 1)
    if not folder.exists():
        shell(export)
    run = run.replace("python3", sys.executable, 1)
    return float(re.search(r"execute (\S+) s,", shell(f"{run} --seconds {seconds}"))[1])


def arguments():
    parser = argparse.ArgumentParser(description="peers' records held against alone.py")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--within", type=float, default=5, help="percent (5)")
    parser.add_argument("--match", default="", metavar="ERE", help="only records with this in 'VARIANT MODE CASE'")
    parser.add_argument("--seconds", type=float, default=1, help="as of alone.py (1)")
    return parser.parse_args()


def main():
    given, outside, folders = arguments(), 0, {}
    with tempfile.TemporaryDirectory() as place:
        for record in records(given.files):
            name = f"{record['variant']} {record['mode']} {record['problem']['label']}"
            if not re.search(given.match, name):
                continue
            folder = folders.setdefault(record["case"], Path(place) / str(len(folders)))
            found = alone(record, folder, given.seconds)
            change = 100 * (found / record["median_s"] - 1)
            outside += abs(change) > given.within
            print(f"{record['median_s']:.4g} s, alone {found:.4g} s, {change:+.1f} %  {name}", flush=True)
    print(f"{outside} outside of {given.within:g} %")
    return 2 if not folders else outside > 0


if __name__ == "__main__":
    sys.exit(main())
