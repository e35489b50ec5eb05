# SPDX-License-Identifier: Apache-2.0
"""What a survey is told."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from ..program import ROOT
from ..records import outputs

MINUTES, LEAST, MOST = 5.0, 0.1, 600.0
# By backend the records that the machine is set beside.
BESIDE = {"cuda": ROOT / "results" / "h200", "cpu": ROOT / "results" / "epyc-2c-avx512"}


def minutes(text: str) -> float:
    """For argparse: how long it may take; what is no such time is told with the nearest that is."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of minutes; nearest: {MINUTES:g}")
    nearest = min(max(value, LEAST), MOST)
    if nearest != value:
        raise argparse.ArgumentTypeError(f"{text}: {LEAST:g} to {MOST:g} minutes; nearest: {nearest:g}")
    return value


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    survey = verbs.add_parser("survey", help="this machine beside those whose records are committed")
    survey.add_argument("--backend", choices=tuple(BESIDE), default="cuda", help="what is measured (cuda)")
    survey.add_argument("--minutes", type=minutes, default=MINUTES, metavar="M",
                        help=f"how long it takes, about ({MINUTES:g})")
    survey.add_argument("--suite", type=Path, default=ROOT / "configs" / "published.ndft", metavar="FILE",
                        help="what is measured (configs/published.ndft)")
    survey.add_argument("--beside", type=Path, metavar="FILE|DIR",
                        help="records to stand beside (results/h200; on a processor results/epyc-2c-avx512)")
    survey.add_argument("-o", "--out", type=outputs.written_as(".jsonl"), metavar="FILE",
                        help="records (build/survey/UTC/records.jsonl)")
    survey.add_argument("--json", action="store_true")
