# SPDX-License-Identifier: Apache-2.0
"""Tables as text and markdown, and numbers as people read them."""

from __future__ import annotations

import math
import re
from typing import Callable, Sequence

Rows = Sequence[Sequence[str]]
TIMES = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
ENERGIES = (("J", 1.0), ("mJ", 1e-3), ("µJ", 1e-6))


def text_table(head: Sequence[str], rows: Rows) -> str:
    """Columns padded to their widest cell, two spaces between."""
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    def line(cells: Sequence[str]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()
    return "\n".join([line(head), line(["-" * width for width in widths]), *map(line, rows)])


def markdown_table(head: Sequence[str], rows: Rows, right: Sequence[int] = ()) -> str:
    """right lists the columns that are numbers."""
    rule = ["---:" if i in right else "---" for i in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule, *rows])


def rate(value: float | None) -> str:
    """coil_pairs/s in three figures: 1.79e12, 85.0e9; '-' where unmeasured."""
    if not value:
        return "-"
    power = 3 * (math.floor(math.log10(float(f"{value:.3g}"))) // 3)
    return figures(value / 10.0**power) + (f"e{power}" if power else "")


def seconds(value: float | None) -> str:
    """A time with the unit that suits it: 2.43 ms."""
    if not value:
        return "-"
    unit, scale = time_unit(value)
    return f"{figures(value / scale)} {unit}"


def energy(value: float | None) -> str:
    """Of an execution: 12.3 mJ."""
    if not value:
        return "-"
    unit, scale = next((unit for unit in ENERGIES if value >= unit[1]), ENERGIES[-1])
    return f"{figures(value / scale)} {unit}"


def working_set(size: float | None, l2: float | None) -> str:
    """84.0 MB, 1.68 L2: beside the cache of the device, where that is known."""
    if size is None:
        return "-"
    return f"{figures(size / 1e6)} MB" + (f", {size / l2:.2g} L2" if l2 else "")


def time_unit(value: float) -> tuple[str, float]:
    """The largest unit in which a time is at least 1, and its length in s."""
    return next((unit for unit in TIMES if value >= unit[1]), TIMES[-1])


def tick(text_of: Callable[[float], str]) -> Callable[[float, int], str]:
    """The same for an axis, without needless zeros: 10 ms, 1e12."""
    def short(value: float, _: int) -> str:
        return re.sub(r"\.0+(?=\D|$)|(\.\d*?)0+(?=\D|$)", r"\1", text_of(value)) if value else "0"
    return short


def figures(value: float) -> str:
    """Three significant figures, never in exponent form between 1 and 1000."""
    digits = max(0, 2 - math.floor(math.log10(float(f"{abs(value):.3g}")))) if value else 0
    return f"{value:.{min(digits, 6)}f}"


def error(value: float | None) -> str:
    """A relative error in two figures; '-' where unmeasured."""
    return "-" if value is None else f"{value:.1e}".replace("e-0", "e-").replace("e+00", "")


def percent(value: float) -> str:
    """0.084 -> +8.4 %; 4.2 -> 5.20x."""
    return f"{100 * value:+.1f} %" if value < 1 else f"{figures(1 + value)}x"
