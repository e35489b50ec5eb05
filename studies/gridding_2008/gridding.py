# SPDX-License-Identifier: Apache-2.0
"""Gridding in double by NumPy, with any Gaussian and any oversampling, 1 too: what the engines do not offer, since
they refuse what loses a fifth of an image to aliases.

Widths and parameters are in cells of the oversampled grid; samples in cycles per field of view, images square.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

import numpy as np

ALIASES = 8  # on either side, that the parameter of least aliasing counts


class Window(NamedTuple):
    """Zero beyond half a width; of(x) at distances in cells."""

    width: float
    of: Callable[[np.ndarray], np.ndarray]

    def transform(self, frequency: np.ndarray) -> np.ndarray:
        """At cycles per cell."""
        place, weight = np.polynomial.legendre.leggauss(256)
        place = self.width / 2 * place
        return np.cos(2 * np.pi * np.multiply.outer(frequency, place)) @ (self.of(place) * weight)


def gaussian(width: float, sigma: float) -> Window:
    """exp(-x²/(2 sigma²))."""
    return Window(width, lambda x: np.exp(-x * x / (2 * sigma * sigma)) * (np.abs(x) <= width / 2))


def kaiser_bessel(width: float, oversampling: float) -> Window:
    """With Beatty's parameter."""
    beta = np.pi * np.sqrt((width / oversampling * (oversampling - .5)) ** 2 - .8)
    return Window(width, lambda x: np.i0(beta * np.sqrt(np.maximum(0, 1 - (2 * x / width) ** 2)))
                  * (np.abs(x) <= width / 2))


def least_aliasing(width: float, oversampling: float) -> float:
    """The Gaussian's sigma for which the energy of aliases within the field of view is least beside that of the
    image, as J. I. Jackson et al., IEEE Trans. Med. Imaging 10, 1991, choose it."""
    sigmas = np.arange(.3, 1.2, .002)
    own = np.linspace(-.5, .5, 65) / oversampling
    places, weight = np.polynomial.legendre.leggauss(256)
    shapes = np.exp(-(width / 2 * places[:, None] / sigmas) ** 2 / 2) * weight[:, None]
    def energy(frequency: np.ndarray) -> np.ndarray:
        return ((np.cos(np.pi * width * np.multiply.outer(frequency, places)) @ shapes) ** 2).sum(0)
    aliases = sum(energy(own + n) for n in range(-ALIASES, ALIASES + 1) if n)
    return float(sigmas[np.argmin(aliases / energy(own))])


def _onto_grid(k: np.ndarray, values: np.ndarray, window: Window, cells: int) -> np.ndarray:
    """Values at k in cells, convolved onto a periodic grid of cells x cells."""
    first = np.ceil(k - window.width / 2).astype(int)
    reach = int(window.width) + 1
    weights = [[window.of(first[:, d] + i - k[:, d]) for i in range(reach)] for d in range(2)]
    grid = np.zeros(cells * cells, complex)
    for y in range(reach):
        row = (first[:, 1] + y) % cells * cells
        for x in range(reach):
            at, added = row + (first[:, 0] + x) % cells, values * weights[0][x] * weights[1][y]
            grid += np.bincount(at, added.real, grid.size) + 1j * np.bincount(at, added.imag, grid.size)
    return grid.reshape(cells, cells)


def adjoint(k: np.ndarray, values: np.ndarray, n: int, window: Window, oversampling: float) -> np.ndarray:
    """The image (n, n) of samples at k (m, 2), rows y."""
    cells = round(oversampling * n)
    grid = _onto_grid(k * (cells / n), values, window, cells)
    image = np.fft.fftshift(np.fft.ifft2(grid)) * cells ** 2
    edge = cells // 2 - n // 2
    rolloff = window.transform(np.arange(-(n // 2), n - n // 2) / cells) * window.width / 2
    return image[edge:edge + n, edge:edge + n] / np.multiply.outer(rolloff, rolloff)
