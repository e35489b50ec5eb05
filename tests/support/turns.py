# SPDX-License-Identifier: Apache-2.0
"""What takes long, by turns: as turn.h."""

import itertools
import os
import time


def of_today(items):
    """With NDFT_TURNS=N every N-th, by the day's number; else all."""
    turns = int(os.environ.get("NDFT_TURNS", 1))
    return itertools.islice(items, int(time.time()) // 86400 % turns, None, turns)
