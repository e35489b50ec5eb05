# SPDX-License-Identifier: Apache-2.0
"""Images and their errors beside each other, as grey pictures."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ndft.recon.files.png import written

INCHES, DPI = 1.1, 100
BRIGHTER = 5  # times, errors


class Row(NamedTuple):
    """Images, or None, with their names; what is as bright as white is white."""

    images: Sequence[tuple[str, np.ndarray | None]]
    white: float


def _show(axes: Axes, name: str, image: np.ndarray | None, white: float) -> None:
    axes.set_axis_off()
    axes.set_title(name, fontsize=5, pad=2)
    if image is not None:
        axes.imshow(abs(image), cmap="gray", vmin=0, vmax=white, interpolation="nearest")


def write(path: Path, rows: Sequence[Row]) -> None:
    """A picture of 8 bits, since all is grey."""
    across = max(len(row.images) for row in rows)
    figure = Figure(figsize=(INCHES * across, (INCHES + .12) * len(rows)), dpi=DPI)
    figure.subplots_adjust(0, 0, 1, 1 - .12 / (INCHES + .12) / len(rows), .02, .12)
    for line, row in zip(figure.subplots(len(rows), across, squeeze=False), rows):
        for axes in line:
            axes.set_axis_off()
        for axes, (name, image) in zip(line, row.images):
            _show(axes, name, image, row.white)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    path.write_bytes(written(np.asarray(canvas.buffer_rgba())[..., 0].astype(float), 255))
