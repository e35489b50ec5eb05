# SPDX-License-Identifier: Apache-2.0
"""A finished figure: as SVG for the page and the folder, as PNG, and its numbers as CSV."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image

from ..records.record import Record
from ..table import error, rate, seconds
from . import palette, sheet, style

TIP = "tip:"  # begins the gid of an artist whose rest is shown when it is pointed at
FONT = "system-ui, 'DejaVu Sans', sans-serif"


@dataclass
class Drawing:
    """name is that of its files; alt says in a sentence what is seen; rows are its numbers."""

    name: str
    alt: str
    figure: Figure
    rows: list[sheet.Row]

    def __post_init__(self) -> None:
        """Places everything once; savefig would do so twice for every file, and draw it twice."""
        self.figure.get_layout_engine().execute(self.figure)
        self.figure.set_layout_engine("none")

    @cached_property
    def svg(self) -> str:
        """Text stays text, colours are the page's variables, and points tell where they are from.

        The same figure gives the same bytes.
        """
        out = io.StringIO()
        FigureCanvasSVG(self.figure).print_svg(out, metadata={"Date": None, "Creator": None})
        text = out.getvalue()
        text = text[text.index("<svg"):]
        text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
        text = re.sub(rf'<g id="{TIP}([^"]*)">', r"<g><title>\1</title>", text)
        text = re.sub(r'<g id="[^"]*">', "<g>", text)
        text = re.sub(r"(font: [^;\"]*?px) [^;\"]*sans-serif", rf"\1 {FONT}", text)
        ids = dict.fromkeys(re.findall(r'id="([a-z][0-9a-f]{10})"', text))
        for number, known in enumerate(ids):
            text = text.replace(known, f"{self.name}-{number}")
        return _slim(palette.with_variables(text))

    def csv(self) -> str:
        return sheet.text(self.rows)

    def write(self, folder: Path) -> None:
        """Writes NAME.svg, NAME.csv and NAME.png into the folder."""
        (folder / f"{self.name}.svg").write_text(self.svg, encoding="utf-8")
        (folder / f"{self.name}.csv").write_text(self.csv(), encoding="utf-8")
        self.write_png(folder)

    def write_png(self, folder: Path, colours: int | None = None) -> None:
        """colours: at most so many, for a file of a third the size that is kept for long."""
        self.figure.dpi = style.PNG_DPI
        canvas, path = FigureCanvasAgg(self.figure), folder / f"{self.name}.png"
        if colours is None:
            canvas.print_png(path, metadata={"Software": None}, pil_kwargs={"compress_level": 1})
            return
        canvas.draw()
        Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").quantize(
            colours, dither=Image.Dither.NONE).save(path, optimize=True)


def _slim(svg: str) -> str:
    """The same picture in fewer characters: tenths of a point, no space that says nothing."""
    def rounded(attribute: re.Match[str]) -> str:
        value = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), attribute[2])
        return attribute[1] + re.sub(r"\s*([A-Za-z]|$)\s*", r"\1", " ".join(value.split())) + '"'
    svg = re.sub(r'( (?:d|x|y|transform)=")([^"]*)"', rounded, svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r'(?<= style=")[^"]*', lambda style: re.sub(r"([;:]) ", r"\1", style[0]), svg)
    svg = re.sub(r">\s*\n\s*<", "><", svg)
    svg = re.sub(r'<g id="[^"]*"/>', "", svg)
    for _ in range(2):  # groups of one
        svg = re.sub(r"<g>(<(?:use|path) [^>]*/>|<text [^>]*>[^<]*</text>)</g>", r"\1", svg)
    return svg


def tip(record: Record, *more: str) -> str:
    """The gid of a record's mark: what was measured, and the command that measures it again."""
    lines = [f"{rate(record.coil_pairs_per_s)} coil_pairs/s, {seconds(record.median_s)}, rel_l2 {error(record.rel_l2)}",
             *more, record.repro]
    return TIP + "\n".join(lines)
