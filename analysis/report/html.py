# SPDX-License-Identifier: Apache-2.0
"""The page: one file that works from file://, pictures inside, readable without scripts, which filter it."""

from __future__ import annotations

import base64
import re
from html import escape
from pathlib import Path
from typing import Iterable, Sequence

from .. import program
from ..plots import palette

CSS = Path(__file__).with_name("page.css")
SCRIPT = Path(__file__).with_name("page.js")
Cells = Sequence[str]


class Cell(str):
    """A table cell whose content is HTML, with attributes of its own."""

    attributes: str

    def __new__(cls, content: str, css: str = "", **attributes: str) -> Cell:
        cell = super().__new__(cls, content)
        every = ({"class": css} if css else {}) | attributes
        cell.attributes = "".join(f' {name}="{escape(value)}"' for name, value in every.items())
        return cell


def text(value: str) -> str:
    return escape(value, quote=False)


def code(value: str) -> str:
    return f"<code>{text(value)}</code>"


def mark(word: str, css: str = "") -> str:
    """A word in the colour of its class: a verdict, a tie."""
    return f'<span class="{escape(css or word)}">{text(word)}</span>'


def note(content: str) -> str:
    """A paragraph beside the matter; its content is HTML."""
    return f'<p class="note">{content}</p>'


def variant(id_: str) -> str:
    """NAME.BACKEND in bold, its knobs below that are not at their presets."""
    name, _, knobs = program.short(id_).partition(":")
    shown = f' <code class="knobs">{text(knobs.replace(",", ", "))}</code>' if knobs else ""
    return f"<b>{text(name)}</b>{shown}"


def table(head: Cells, rows: Iterable[Cells], numbers: Sequence[int] = (), css: str = "",
          caption: str = "") -> str:
    """Cells are HTML already, the first of a row is its head; numbers are right-aligned columns."""
    return grouped_table(head, [(row[0], [row[1:]]) for row in rows], numbers, css, caption)


def grouped_table(head: Cells, groups: Iterable[tuple[str, Sequence[Cells]]],
                  numbers: Sequence[int] = (), css: str = "", caption: str = "") -> str:
    """The same with one head cell beside the several rows of a group."""
    def attributes(i: int, scope: str = "") -> str:
        return (' class="n"' if i in numbers else "") + (f' scope="{scope}"' if scope else "")
    top = "".join(f"<th{attributes(i, 'col')}>{cell}</th>" for i, cell in enumerate(head))
    body = []
    for name, rows in groups:
        several = len(rows) > 1
        lines = ["".join(f"<td{getattr(cell, 'attributes', attributes(i))}>{cell}</td>"
                         for i, cell in enumerate(row, 1)) for row in rows]
        scope = f'scope="rowgroup" rowspan="{len(rows)}"' if several else 'scope="row"'
        lines[0] = f"<th {scope}>{name}</th>" + lines[0]
        start = '<tbody class="group">' if several else "<tbody>"
        body.append(start + "".join(f"<tr>{line}</tr>\n" for line in lines) + "</tbody>")
    title = f"<caption>{caption}</caption>" if caption else ""
    return (f'<div class="wide" tabindex="0"><table class="{css}">{title}<thead><tr>{top}</tr>'
            f"</thead>\n{''.join(body)}</table></div>")


def figure(svg: str, alt: str, caption: str) -> str:
    """The picture inside the page; alt is read where it cannot be seen, caption is HTML."""
    named = palette.in_page(svg).replace("<svg ", f'<svg role="img" aria-label="{escape(alt)}" ', 1)
    return f"<figure>{named}<figcaption>{caption}</figcaption></figure>"


def picture(png: bytes, alt: str, caption: str) -> str:
    """The same of grey values in few voxels, which are drawn as squares."""
    data = base64.b64encode(png).decode("ascii")
    return (f'<figure><img class="voxels" src="data:image/png;base64,{data}" alt="{escape(alt)}">'
            f"<figcaption>{caption}</figcaption></figure>")


def beside(name: str) -> str:
    """A link to a file in the page's folder."""
    return f'<a href="{escape(name)}">{text(name)}</a>'


def gallery(figures: Sequence[str]) -> str:
    return f'<div class="gallery">{"".join(figures)}</div>' if figures else ""


def more(summary: str, *parts: str) -> str:
    """Parts that are folded away until asked for."""
    return f"<details><summary>{text(summary)}</summary>{''.join(parts)}</details>"


def shown_and_more(figures: Sequence[str], shown: int, what: str) -> str:
    """The first figures, and the others folded away."""
    rest = figures[shown:]
    folded = more(f"{len(rest)} more {what}", gallery(rest)) if rest else ""
    return gallery(figures[:shown]) + folded


def items(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


def section(anchor: str, title: str, *parts: str) -> str:
    return f'<section aria-labelledby="{anchor}"><h2 id="{anchor}">{text(title)}</h2>\n' \
        + "\n".join(parts) + "</section>"


def _with_classes(body: str) -> tuple[str, str]:
    """The body with a class for each style of its pictures, which repeat them, and the rules of these classes."""
    names: dict[str, str] = {}

    def named(style: re.Match[str]) -> str:
        return f' class="{names.setdefault(style[1], f"s{len(names)}")}"'
    body = re.sub(r"<svg.*?</svg>", lambda svg: re.sub(r' style="([^"]*)"', named, svg[0]), body, flags=re.DOTALL)
    return body, "".join(f".{name}{{{style}}}\n" for style, name in names.items())


def page(title: str, *parts: str) -> str:
    body, rules = _with_classes("\n".join(parts))
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{text(title)}'
            '</title>\n<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>{palette.css()}{CSS.read_text(encoding='utf-8')}{rules}</style></head>\n<body>\n"
            f"{body}\n<script>{SCRIPT.read_text(encoding='utf-8')}</script></body></html>\n")
