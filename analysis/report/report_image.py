# SPDX-License-Identifier: Apache-2.0
"""What the operator does to an image: the pictures that `ndft recon --demo` leaves."""

from __future__ import annotations

from pathlib import Path

from . import html

CAPTIONS = {"without_map": "Without its field map", "with_map": "With it"}


def section(folder: Path) -> list[str]:
    """Blurred beside corrected, and what was measured of them; OSError where a file is missing."""
    figures = [html.picture((folder / f"{name}.png").read_bytes(), caption, caption)
               for name, caption in CAPTIONS.items()]
    said = (folder / "report.txt").read_text(encoding="utf-8")
    return ["<p>The image of one scan, reconstructed by <code>./ndft recon --demo</code>.</p>", html.gallery(figures),
            html.more("How it was made, and how near each is to the truth", f"<pre>{html.text(said)}</pre>")]
