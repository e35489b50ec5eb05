# SPDX-License-Identifier: Apache-2.0
"""Tests import the package analysis, what lies in support/, and tables from each other."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), *(str(folder) for folder in sorted(HERE.iterdir()) if folder.is_dir())]
