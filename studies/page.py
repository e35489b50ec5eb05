# SPDX-License-Identifier: Apache-2.0
"""A study's page, generated from records: its suite is swept, and each block of its README.md,

    <!-- study:begin BLOCK -->
    <!-- study:end -->

is written anew from what was measured. The page in the repository is of studies/NAME/records.

    ./ndft study NAME [--backend B] [--budget S] [-o FOLDER]    sweep, then the page of it
    ./ndft study NAME [-o FOLDER] FILE|DIR...                   the page of records
    ./ndft study NAME --write                                   the repository's page of its records
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from analysis import program
from analysis.records import load
from analysis.records.errors import RecordsError
from analysis.records.record import Record

BLOCK = re.compile(r"(<!-- study:begin (\S+) -->\n).*?(<!-- study:end -->)", re.DOTALL)
NOTHING = "Not measured in these records.\n"
OK, BAD_INPUT = 0, 2


@dataclass(frozen=True)
class Page:
    """folder: of the study. suite, modes, budget: what is swept, in which timing modes, those of each backend
    where they differ, for at most so many seconds a measurement. blocks: by name what writes a block from records
    that pass, in markdown; pictures that it shows go into the folder that it is given, beside the page."""

    folder: Path
    suite: str
    modes: str | dict[str, str]
    budget: float
    blocks: dict[str, Callable[[list[Record], Path], str]]

    def records(self) -> Path:
        return self.folder / "records"

    def text(self, records: list[Record], into: Path) -> str:
        """The page's text with every block of these records; pictures are written into a folder."""
        def written(block: re.Match) -> str:
            found = self.blocks[block[2]](records, into).rstrip("\n")
            return f"{block[1]}{found or NOTHING.rstrip()}\n{block[3]}"
        return BLOCK.sub(written, (self.folder / "README.md").read_text(encoding="utf-8"))

    def main(self, words: list[str]) -> int:
        asked = _options(self, words)
        into = asked.out or (self.folder if asked.write else program.ROOT / "build" / "studies" / self.folder.name)
        try:
            into.mkdir(parents=True, exist_ok=True)
            sources = asked.records or ([self.records()] if asked.write else _swept(self, asked, into))
            records = passing(sources)
            (into / "README.md").write_text(self.text(records, into), encoding="utf-8")
        except (RecordsError, OSError) as error:
            print(f"ndft: {error}", file=sys.stderr)
            return BAD_INPUT
        print(f"ndft: {into / 'README.md'}: the page of {len(records)} measurements", file=sys.stderr)
        return OK


def passing(sources: list[Path]) -> list[Record]:
    """Records that count; RecordsError where there is none."""
    found = [r for r in load.load(sources).every if r.verdict == "pass" and r.median_s]
    if not found:
        raise RecordsError(f"no measurement that passed in {', '.join(map(str, sources))}")
    return found


def _swept(page: Page, asked: argparse.Namespace, into: Path) -> list[Path]:
    """The records of the suite, measured now: a file of those on each backend that has modes of its own."""
    if isinstance(page.modes, str):
        return [_sweep(page, page.modes, asked, into)]
    return [_sweep(page, page.modes.get(name, "batch"), argparse.Namespace(**vars(asked) | {"backend": name}), into)
            for name in ([asked.backend] if asked.backend else page.modes)]


def _sweep(page: Page, modes: str, asked: argparse.Namespace, into: Path) -> Path:
    """One that was interrupted goes on. Threads sleep while they wait, unless they are told to spin (docs/peers.md)."""
    out = into / f"{asked.backend or 'all'}.jsonl"
    command = [program.path(), "sweep", page.folder / page.suite, "--modes", modes, "--resume", "-o", out,
               "--budget", asked.budget or page.budget, *(["--backend", asked.backend] if asked.backend else [])]
    status = subprocess.run([str(word) for word in command], check=False,
                            env={"OMP_WAIT_POLICY": "passive"} | os.environ).returncode
    if status not in (program.OK, program.FAILED):
        raise RecordsError(f"{out}: the sweep ended with exit status {status}; the same command goes on with it")
    return out


def _options(page: Page, words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(f"ndft study {page.folder.name}")
    parser.add_argument("records", nargs="*", type=Path, metavar="FILE|DIR",
                        help="records to write the page of; default: a sweep of the study's suite")
    parser.add_argument("--backend", metavar="B", help="sweep on this one alone: cpu or cuda")
    parser.add_argument("--budget", type=float, metavar="S", help=f"seconds a measurement (default {page.budget:g})")
    parser.add_argument("-o", "--out", type=Path, metavar="FOLDER", help="default build/studies/NAME")
    parser.add_argument("--write", action="store_true", help="the repository's page, of studies/NAME/records")
    return parser.parse_args(words)
