# SPDX-License-Identifier: Apache-2.0
"""Blocks of the page about images: of phantom.json and errors.json, which the commands of these names write beside the
page, for record files hold no images."""

from __future__ import annotations

import json
import math
import shutil
from functools import cache
from pathlib import Path

from analysis import table

from . import errors, phantom, printed

FOLDER = Path(__file__).resolve().parent
GOOD = 1.5  # a factor within which errors count as those printed


@cache
def held(name: str) -> dict | None:
    """What a command wrote; None where it has not."""
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def picture(name: str, alt: str, into: Path) -> str:
    """Its line of markdown; the picture goes along with a page elsewhere."""
    if not (FOLDER / name).is_file():
        return ""
    if into.resolve() != FOLDER:
        shutil.copyfile(FOLDER / name, into / name)
    return f"![{alt}]({name})"


def factor_off(tried: dict, first: int = 0) -> float:
    """The root mean square of ln(error / printed), as a factor; of the rows of Table V from first on."""
    logs = [math.log(e / p[1]) for e, p in list(zip(tried["errors"], printed.ERRORS.values()))[first:]]
    return math.exp(math.sqrt(sum(x * x for x in logs) / len(logs)))


def best(window: str | None = None) -> dict | None:
    """Of all that was tried, or with one window, what comes nearest to Table V."""
    file = held(errors.FILE)
    tried = [t for t in (file or {"tried": []})["tried"] if window in (None, t["window"])]
    return min(tried, key=factor_off, default=None)


def table_v() -> str:
    """Table V, its phantom's half, beside the nearest of each window."""
    nearest = [found for window in errors.WINDOWS if (found := best(window))]
    if not nearest:
        return ""
    head = ["", "CPU 2008", "GPU 2008", *(t["window"] for t in nearest)]
    rows = [[f"α = {a}, W = {w}", table.error(theirs[0]), table.error(theirs[1]),
             *(table.error(t["errors"][i]) for t in nearest)]
            for i, ((a, w), theirs) in enumerate(printed.ERRORS.items())]
    rows += [["differs from the GPU by a factor of", "", "", *(f"{factor_off(t):.2f}" for t in nearest)]]
    rows += [[name, "", "", *(t[name] for t in nearest)] for name in errors.FIELDS[1:]]
    return table.markdown_table(head, rows, right=range(1, len(head)))


def one_change() -> str:
    """What else was tried: the nearest of all, and each of its choices changed alone."""
    base = best()
    if not base:
        return ""
    rows = [["(all as above)", *_off(base)]]
    for field in errors.FIELDS:
        for other in _tried():
            if other[field] != base[field] and all(other[f] == base[f] for f in errors.FIELDS if f != field):
                rows.append([f"{field}: {other[field]}", *_off(other)])
    return table.markdown_table(["", "factor off, all five rows", "α = 2"], rows, right=(1, 2))


def _tried() -> list[dict]:
    return (held(errors.FILE) or {"tried": []})["tried"]


def _off(tried: dict) -> list[str]:
    return [f"{factor_off(tried):.2f}", f"{factor_off(tried, 2):.2f}"]


def parameters() -> str:
    """Which Gaussian gives the printed errors, cut at W and at 2 W cells."""
    rows = []
    for found in (held(errors.FILE) or {"parameters": []})["parameters"]:
        wanted = printed.ERRORS[2, found["w"]][1]
        least = min(found["errors"])
        at = _crossings(found["sigmas"], found["errors"], wanted)
        rows.append([f"W = {found['w']}", str(found["width"]), table.error(wanted), table.error(least),
                     " or ".join(f"{s:.2f}" for s in at) or "none", f"{found['least_aliasing']:.2f}"])
    head = ["α = 2", "cut at, cells", "printed", "least of any parameter", "printed one with σ of",
            "σ of least aliasing for W cells"]
    return table.markdown_table(head, rows, right=range(1, 6)) if rows else ""


def _crossings(sigmas: list[float], found: list[float], wanted: float) -> list[float]:
    """Where the errors, between two tried on a logarithmic line, are the one wanted."""
    at = []
    for (s0, e0), (s1, e1) in zip(zip(sigmas, found), zip(sigmas[1:], found[1:])):
        if (e0 - wanted) * (e1 - wanted) < 0:
            at.append(s0 + (s1 - s0) * math.log(wanted / e0) / math.log(e1 / e0))
    return at


def tables_errors() -> str:
    return "\n\n".join(part for part in (table_v(), one_change(), parameters()) if part)


def images(into: Path) -> str:
    """Errors of both engines, and Figs. 6 and 8."""
    file = held(phantom.FILE)
    if not file:
        return ""
    names = list(file["errors"][-1]["errors"])
    head = ["oversampling", "cells", "window", *names, *(f"{name}, {_second(file)}" for name in names)]
    rows = [[f"{e['oversampling']:g}", str(e["width"]), e["window"],
             *(table.error(e["errors"][n][0]) for n in names),
             *(table.error((e["errors"][n] + [None])[1]) for n in names)] for e in file["errors"]]
    said = (f"Errors of `{file['variant']}` in single precision and of `{file['other']}`;\nat oversampling 1 of "
            "gridding by NumPy in double.")
    return "\n\n".join((said, table.markdown_table(head, rows, right=(0, 1, *range(3, 3 + 2 * len(names)))),
                        _differences(file), picture(phantom.PAIR, "exact sums, both engines' images and their "
                                                    "differences", into)))


def _second(file: dict) -> str:
    return "GPU" if file["gpu"] else "double"


def _differences(file: dict) -> str:
    rows = [[name, *(table.error(d[part]) for part in ("all", "inside", "outside", "most"))]
            for name, d in file["difference"].items()]
    return table.markdown_table([f"{file['variant']} less {file['other']}", "root mean square", "within half the "
                                 "radius", "beyond", "largest"], rows, right=range(1, 5))


def fig_7(into: Path) -> str:
    """Of 128 spokes and, where its data lay, of a measured spiral."""
    file = held(phantom.FILE)
    if not file:
        return ""
    columns = {"phantom": file["spokes"]} | ({"measured spiral": file["measured"]} if "measured" in file else {})
    rows = [[setting, *(table.error(column[setting]) for column in columns.values())] for setting in file["spokes"]]
    return "\n\n".join((table.markdown_table(["", *columns], rows, right=range(1, 1 + len(columns))),
                        picture(phantom.SPOKES, "a phantom of few spokes, exact and gridded", into)))
