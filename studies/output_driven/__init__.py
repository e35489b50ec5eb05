# SPDX-License-Identifier: Apache-2.0
"""Output-driven spreading, as its paper has it and as it is here, beside the other schemes and cuFINUFFT's."""

from pathlib import Path

from studies.page import Page

from . import claims, counters, knobs, wins

COMMANDS = {}
PAGE = Page(
    folder=Path(__file__).resolve().parent, suite="output_driven.ndft", modes={"cuda": "graph", "cpu": "batch"},
    budget=.04, blocks={
        "claims": claims.claims, "where": wins.where, "adjoint": wins.adjoint, "forward": wins.forward,
        "counters": counters.counters, "np": knobs.np, "most": knobs.most, "tile": knobs.tile})
