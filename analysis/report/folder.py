# SPDX-License-Identifier: Apache-2.0
"""The folder of a report: what goes into the page and beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterable, TypeVar

from .. import cores
from ..plots import sheet
from ..plots.drawing import Drawing
from . import html

Group = TypeVar("Group")


@dataclass
class Folder:
    """figures: their files beside the page, too. Names count up: size-1, size-2, ..."""

    path: Path
    figures: bool = False
    _count: dict[str, int] = field(default_factory=dict)

    def name(self, kind: str) -> str:
        self._count[kind] = self._count.get(kind, 0) + 1
        return f"{kind}-{self._count[kind]}"

    def figure(self, drawing: Drawing, caption: str = "") -> str:
        """The figure for the page, with a link to its numbers where its files are written."""
        if self.figures:
            drawing.write(self.path)
            caption += f' Numbers: {html.beside(f"{drawing.name}.csv")}'
        return html.figure(drawing.svg, drawing.alt, caption.strip())

    def figure_each(self, draw: Callable[[Group, str], Drawing | None], groups: Iterable[Group],
                kind: str, caption: str = "") -> list[str]:
        """A figure for each group that draw makes something of."""
        def one(named: tuple[Group, str]) -> str | None:
            drawing = draw(*named)
            return self.figure(drawing, caption) if drawing else None
        named = [(group, self.name(kind)) for group in groups]
        return [figure for figure in cores.each(one, named) if figure]

    def numbers(self, name: str, rows: Iterable[sheet.Row]) -> str:
        """Writes NAME.csv; the link to it for the page."""
        content = sheet.text(rows)
        (self.path / f"{name}.csv").write_text(content, encoding="utf-8")
        return html.beside(f"{name}.csv")
