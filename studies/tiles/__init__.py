# SPDX-License-Identifier: Apache-2.0
"""Tile widths, outputs per thread and the window's knobs of every variant: heat maps, and the pick by rule."""

from .page import PAGE

COMMANDS: dict = {}
