# SPDX-License-Identifier: Apache-2.0
"""Figs. 6 to 8: images of the phantom, gridded and exact, and the difference of two engines."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from analysis import table
from analysis.plots import style


class Row(NamedTuple):
    """Images (n, n) of a trajectory: exact, as on the paper's CPU and GPU, and by both with one window."""

    trajectory: str
    truth: np.ndarray
    first: np.ndarray
    second: np.ndarray
    alike: tuple[np.ndarray, np.ndarray]


def _show(axes: Axes, image: np.ndarray, title: str, brightest: float) -> None:
    axes.imshow(np.abs(image), cmap="gray", vmin=0, vmax=brightest, interpolation="nearest")
    axes.set_title(title, fontsize=8)
    axes.set_axis_off()


def of_two(rows: list[Row], first: str, second: str) -> Figure:
    """A row a trajectory: exact, by either engine, their difference with one window, and its profile."""
    figure = Figure(figsize=(2.5 * style.WIDTH, 2.7 * len(rows)), layout="constrained")
    for axes, row in zip(figure.subplots(len(rows), 5, squeeze=False), rows):
        brightest = np.abs(row.truth).max()
        difference = np.abs(row.alike[0] - row.alike[1]) / brightest
        _show(axes[0], row.truth, f"exact, {row.trajectory}", brightest)
        _show(axes[1], row.first, first, brightest)
        _show(axes[2], row.second, second, brightest)
        _show(axes[3], difference, f"difference, white: {table.error(difference.max())}", difference.max())
        axes[4].plot(difference[len(difference) // 2], color=style.ACCENT, linewidth=1)
        axes[4].set_title("of the brightest, middle row", fontsize=8)
        axes[4].set_ylim(bottom=0)
    return figure


def beside(images: dict[str, np.ndarray]) -> Figure:
    """Images of one scale by their titles, the first the exact one."""
    figure = Figure(figsize=(2 * style.WIDTH, 2.3), layout="constrained")
    brightest = np.abs(next(iter(images.values()))).max()
    for axes, (title, image) in zip(figure.subplots(1, len(images)), images.items()):
        _show(axes, image, title, brightest)
    return figure


def save(figure: Figure, path: Path) -> None:
    FigureCanvasAgg(figure)
    figure.savefig(path, dpi=80, metadata={"Software": None})
