# SPDX-License-Identifier: Apache-2.0
"""How far it is, in one line on standard error that changes in place on a terminal and is said anew elsewhere."""

from __future__ import annotations

import sys
import time

_EVERY_S = 5  # elsewhere


class Progress:
    """Called after each iteration."""

    def __init__(self) -> None:
        self._started = self._said = time.monotonic()
        self._in_place = sys.stderr.isatty()

    def __call__(self, done: int, total: int, residual: float) -> None:
        now = time.monotonic()
        if not self._in_place and now - self._said < _EVERY_S:
            return
        self._said = now
        left = (now - self._started) / done * (total - done)
        line = f"ndft: iteration {done} of at most {total}, residual {residual:.1e}, at most {left:.0f} s left"
        print(f"\r{line}\x1b[K" if self._in_place else line, end="" if self._in_place else "\n", file=sys.stderr,
              flush=True)

    def end(self) -> None:
        """Leaves the line."""
        if self._in_place:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
