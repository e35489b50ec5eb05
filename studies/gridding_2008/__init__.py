# SPDX-License-Identifier: Apache-2.0
"""Gridding on a GPU as Sorensen et al. published it in 2008, and here."""

from . import phantom, tables

COMMANDS = {"tables": tables, "phantom": phantom}
