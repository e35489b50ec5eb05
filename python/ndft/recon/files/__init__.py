# SPDX-License-Identifier: Apache-2.0
"""Scans from files, and images into files."""

from .load import Asked, load
from .save import check_outputs, save

__all__ = ["Asked", "check_outputs", "load", "save"]
