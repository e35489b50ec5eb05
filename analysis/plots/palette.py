# SPDX-License-Identifier: Apache-2.0
"""Colours by name, light and dark, for the page and its figures; one per family of variants.

The light value is what a figure is drawn with. In the page it becomes a CSS variable of that name,
so that the reader's preference decides; each carries text on its background.
"""

from __future__ import annotations

import re

ROLES = {
    "paper": ("#ffffff", "#0d1117"), "ink": ("#1f2328", "#e6edf3"), "faint": ("#57606a", "#9aa4b0"),
    "line": ("#e5e7eb", "#2b323b"), "edge": ("#9ca3af", "#59636e"), "void": ("#f3f5f8", "#171d26"),
    "good": ("#0a6b4d", "#4cc38a"), "bad": ("#b42318", "#ff8078"), "tie": ("#875800", "#e8b93f"),
    "accent": ("#0b63a6", "#62aef0"),
}
# In the order of the registry: simple first. Apart for the colour-blind, too.
FAMILIES = {
    "naive": ("#6e6e6e", "#a0a0a0"), "tiled": ("#0a66a8", "#58a6e8"),
    "sincos_table": ("#946200", "#dfae3c"), "fast_math": ("#c4401c", "#ff8a65"),
    "output_driven": ("#0b7d5f", "#3fc79a"), "hybrid_sincos": ("#8e3f86", "#d58bd0"),
    "fixed_phase": ("#14727d", "#5cc8d4"), "coil_gemm": ("#5b4fb3", "#a79bff"),
    "line_gemm": ("#7a4b2a", "#c89b7b"), "separable_gemm": ("#b93d80", "#f48fb9"),
    "nufft_scatter": ("#2e7d32", "#7bc47f"), "nufft_gather": ("#5c6900", "#bccc4a"),
    "nufft_hybrid": ("#006d77", "#5fd0da"), "nufft_output_driven": ("#3b6ea5", "#8db8ea"),
    "nufft_subproblem": ("#9c5700", "#e0a458"), "nufft_line": ("#a13d63", "#ee94b4"),
    "nufft_toeplitz": ("#59617a", "#a9b1cc"),
    "uniform_naive": ("#5f6368", "#9aa0a6"), "uniform_vendor": ("#33414e", "#c3ced9"),
    "uniform_tiled": ("#1f5fa0", "#6eb0f0"), "uniform_sincos_table": ("#8a5a00", "#e8b650"),
    "uniform_gemm": ("#6a3fa0", "#bb9bf0"), "bluestein_split": ("#b5471a", "#ff9a70"),
    "bluestein_fused": ("#0a7a55", "#45d0a0"), "bluestein_single": ("#a8326e", "#f58fc0"),
    "chirp_z": ("#6b6b14", "#c8c860"),
}
SPARE = {
    "spare-1": ("#2f7386", "#6fbfd6"), "spare-2": ("#94472f", "#e0906f"),
    "spare-3": ("#587318", "#a5c85a"), "spare-4": ("#7353a0", "#b79ae6"),
    "spare-5": ("#9c4f2b", "#e3996b"),
}
EVERY = ROLES | FAMILIES | SPARE


def light(name: str) -> str:
    return EVERY[name][0]


def name_of(family: str) -> str:
    """The colour's name; unknown families get a spare one, always the same."""
    return family if family in FAMILIES else list(SPARE)[sum(map(ord, family)) % len(SPARE)]


def colour(family: str) -> str:
    return light(name_of(family))


def family_rank(family: str) -> int:
    """Place in the registry's order; families that it does not know come last."""
    order = list(FAMILIES)
    return order.index(family) if family in order else len(order)


def css() -> str:
    """The variables: light, dark where the reader prefers it, and light again on paper."""
    def block(which: int) -> str:
        return ":root{" + "".join(f"--{name}:{pair[which]};" for name, pair in EVERY.items()) + "}"
    return (f"{block(0)}\n@media (prefers-color-scheme:dark){{{block(1)}}}\n"
            f"@media print{{{block(0)}}}\n")


def with_variables(svg: str) -> str:
    """A drawing's light colours as variables, with the light value where no page defines them."""
    for name, (value, _) in EVERY.items():
        svg = svg.replace(value, f"var(--{name},{value})")
    return svg


def in_page(svg: str) -> str:
    """Without the light values: the page defines all."""
    return re.sub(r"var\((--[\w-]+),#[0-9a-f]{6}\)", r"var(\1)", svg)
