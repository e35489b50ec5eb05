# SPDX-License-Identifier: Apache-2.0
"""The report's page of made-up records, and the sections of a page."""

from pathlib import Path

from analysis.__main__ import main
from synthetic import run_line, write


def reported(folder: Path, *lines: dict, figures: bool = True) -> str:
    """The page of these lines, of a run on both backends, in the folder, with its figures beside it."""
    path = write(folder / "a.jsonl", run_line(backends=("cpu", "cuda")), *lines)
    assert main(["report", str(path), "-o", str(folder), *["--figures"] * figures]) == 0
    return (folder / "report.html").read_text()


def section(page: str, name: str) -> str:
    start = page.index(f'id="{name}"')
    return page[start:page.index("</section>", start)]
