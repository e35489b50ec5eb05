# SPDX-License-Identifier: Apache-2.0
"""Images without and with field map and decay, beside other software's: tables, pictures, times.

    ./ndft study reconstruction proof -o FOLDER [--data FOLDER] [--head FILE] [--python PROGRAM] [--bart PROGRAM]

Leaves proof.md and pictures in the folder. What is not there, data or other software, is said, and the rest is done.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator

if TYPE_CHECKING:
    from .cases import Case
    from .measured import Result
    from .ways import Found, Setup

HEAD = Path("/usr/share/mricron/templates/ch2.nii.gz")


def say(text: str) -> None:
    print(f"ndft: {text}", file=sys.stderr, flush=True)


def _picture(folder: Path, case: Case, ways: list[Found]) -> None:
    """A row of images, and one of their errors."""
    from . import pictures, table
    images = [(found.name, table.best(case, found).values) for found in ways if found.images]
    errors = [("", abs(values) - abs(case.truth)) for _, values in images]
    white = float(case.truth.max())
    pictures.write(folder / f"{case.name.lower().replace(',', '').replace(' ', '_')}.png",
                   [pictures.Row([(case.name, case.truth), *images], white),
                    pictures.Row([("", None), *errors], white / pictures.BRIGHTER)])


def _cases(path: Path, n: int, setup: Setup) -> Iterator[Case]:
    from . import cases
    from .head import HIGH, LOW, head
    for place, every in ((HIGH, cases.of_high), (LOW, cases.of_low)):
        made = head(path, place, n, cases.FINE, cases.MOST_HZ)
        say(f"{path}: {cases.MOST_HZ} Hz at {place.mm} mm {'with' if place.shim else 'without'} a shim are those of "
            f"{made.tesla:.2g} T")
        yield from every(made, n, **setup.options)


def of_head(path: Path, folder: Path, n: int, setup: Setup) -> Iterator[str]:
    """Tables of the head's scans one by one; pictures of those with maps."""
    from . import table, ways
    started = time.monotonic()
    for case in _cases(path, n, setup):
        found = ways.every(case, setup)
        say(f"{case.name}: after {time.monotonic() - started:.0f} s")
        yield f"**{case.name}**"
        yield table.of_truth(case, found)
        if case.scan.field is not None:
            _picture(folder, case, found)


def _of_spiral(result: Result) -> str:
    from . import table
    return "\n\n".join([table.of_scan(result), f"Weighted adjoint, the map as it is: {result.adjoint}.",
                        f"The map continued: {result.continued}."])


def of_spiral(data: Path, folder: Path, setup: Setup) -> str:
    """The table of the measured spiral, and spiral.png."""
    from . import measured, pictures
    result = measured.run(data, setup)
    images = [(found.name, found.images[-1].values) for found in result.found if found.images]
    white = float(abs(measured.exact_of(result)).max())
    pictures.write(folder / "spiral.png", [pictures.Row(images, white)])
    return _of_spiral(result)


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="ndft study reconstruction proof", description=__doc__.splitlines()[0])
    found.add_argument("-o", "--out", type=Path, default=Path("build/proof"), metavar="FOLDER")
    found.add_argument("--data", type=Path, metavar="FOLDER", help="sample_data of OCTOPUS: the measured spiral")
    found.add_argument("--head", type=Path, default=HEAD, metavar="FILE",
                       help="ch2.nii.gz of mricron (Debian: mricron-data); %(default)s")
    found.add_argument("--python", default=sys.executable, metavar="PROGRAM", help="a Python that has mri-nufft")
    found.add_argument("--bart", default="bart", metavar="PROGRAM")
    found.add_argument("--device", metavar="NAME", help="cpu, cuda or cuda:N (cpu)")
    found.add_argument("-n", type=int, default=192, help="voxels of the head along an axis, a multiple of 4")
    return found


def _sections(options: argparse.Namespace, setup: Setup) -> Iterator[str]:
    """What there is the data for; ValueError where that is nothing."""
    if not options.head.is_file():
        say(f"{options.head} is not there: no head (apt-get install mricron-data, or --head FILE)")
    if options.data is None:
        say("no measured spiral: --data names no folder")
    if not options.head.is_file() and options.data is None:
        raise ValueError("nothing to do: neither --head nor --data is there")
    yield f"{os.cpu_count()} processors, device {options.device or 'cpu'}"
    if options.head.is_file():
        yield "## A head"
        yield from of_head(options.head, options.out, options.n, setup)
    if options.data is not None:
        yield "## A measured spiral"
        yield of_spiral(options.data, options.out, setup)


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    from .ways import Setup
    device: dict[str, Any] = {"device": options.device} if options.device else {}
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        sections = []
        for section in _sections(options, Setup(options.bart, options.python, device)):
            print(section, end="\n\n", flush=True)
            sections.append(section)
            (options.out / "proof.md").write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    except (ValueError, OSError) as error:
        say(str(error))
        return 2
    return 0
