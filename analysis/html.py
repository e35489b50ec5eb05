# SPDX-License-Identifier: Apache-2.0
"""The page: one file that works from file://, pictures inside, readable without scripts."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path
from typing import Sequence

CSS = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1f2328; background: #fff;
  max-width: 1120px; margin: 2rem auto 4rem; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.6rem 0 .4rem;
  padding-top: .8rem; border-top: 1px solid #e5e7eb; }
p { max-width: 52rem; margin: .4rem 0; } .note, footer, figcaption { color: #57606a;
  font-size: .87rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; margin: .8rem 0; font-size: .87rem; }
th { text-align: left; background: #f6f8fa; position: sticky; top: 0; white-space: nowrap; }
th, td { padding: .32rem .6rem; border-bottom: 1px solid #e5e7eb; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.decision td:nth-child(2) { font-weight: 600; }
code { font: .82rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
td code { overflow-wrap: anywhere; }
.pass { color: #0b6e4f; } .wrong, .error, .crashed, .timeout, .untrusted { color: #b42318;
  font-weight: 600; } .unfit, .not_built { color: #57606a; }
.tie { color: #8a5a00; font-weight: 600; }
figure { margin: 1rem 0 1.6rem; } figure img { max-width: 100%; height: auto; }
summary { cursor: pointer; font-weight: 600; margin: .6rem 0; }
nav a { margin-right: 1rem; } a { color: #0a66a8; }
footer { margin-top: 3rem; border-top: 1px solid #e5e7eb; padding-top: .8rem; }
@media print { body { margin: 0; max-width: none; } nav { display: none; } }
"""


def text(value: str) -> str:
    return escape(value, quote=False)


def code(value: str) -> str:
    return f"<code>{text(value)}</code>"


def mark(word: str) -> str:
    """A word in the colour of its class: a verdict, a tie."""
    return f'<span class="{escape(word)}">{text(word)}</span>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = (),
          css: str = "") -> str:
    """Cells are HTML already; numbers lists the right-aligned columns."""
    def row(tag: str, cells: Sequence[str]) -> str:
        marks = (' class="number"' if i in numbers else "" for i in range(len(cells)))
        return "<tr>" + "".join(f"<{tag}{m}>{c}</{tag}>" for m, c in zip(marks, cells)) + "</tr>"
    body = "\n".join(row("td", cells) for cells in rows)
    return (f'<div class="wide"><table class="{css}"><thead>{row("th", head)}</thead>\n'
            f"<tbody>\n{body}\n</tbody></table></div>")


def figure(png: Path, caption: str) -> str:
    """The picture inside the page, its caption also as the alternative text."""
    data = base64.b64encode(png.read_bytes()).decode("ascii")
    return (f'<figure><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{text(caption)}</figcaption></figure>")


def section(anchor: str, title: str, *parts: str) -> str:
    return f'<h2 id="{anchor}">{text(title)}</h2>\n' + "\n".join(parts)


def page(title: str, *parts: str) -> str:
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{text(title)}'
            f'</title>\n<meta name="viewport" content="width=device-width">'
            f"<style>{CSS}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n")
