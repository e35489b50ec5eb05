# SPDX-License-Identifier: Apache-2.0
"""A case, one line of text, as values that compare: units folded, defaults filled in."""

from __future__ import annotations

import dataclasses
import math
import re

LARGEST = 1 << 40
OPS = ("forward", "adjoint", "normal")
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "Hz": 1.0, "kHz": 1e3, "m": 1.0, "cm": 1e-2, "mm": 1e-3}
DEFAULTS = {
    "traj": "random", "t": "0", "times": "none", "field": "none", "grad": "none", "mask": "none",
    "fov": "220mm", "coils": "1", "layout": "planar", "prec": "f32", "tol": "1e-4",
    "tol_kind": "typical",
    "data": "random", "seed": "1",
}


class CaseError(ValueError):
    """The text is not a case; the message names the word that is wrong."""


@dataclasses.dataclass(frozen=True)
class Case:
    """Equal when the same operation on the same problem, however the line was written."""

    op: str
    dim: int
    n: tuple[int, ...]
    m: int
    traj: tuple
    t: float  # s, readout of one shot; 0 where times are a file's
    times: tuple
    field: tuple  # (kind, Hz)
    grad: tuple
    mask: tuple
    fov: float  # m
    coils: int
    layout: str
    prec: str
    tol: float
    tol_kind: str
    data: tuple
    seed: int
    text: str = dataclasses.field(compare=False)

    @property
    def pairs(self) -> int:
        """Voxels of the whole grid times samples."""
        return math.prod(self.n) * self.m

    @property
    def outputs(self) -> int:
        """Numbers that one execution gives."""
        return self.coils * (self.m if self.op == "forward" else math.prod(self.n))

    @property
    def size_label(self) -> str:
        """256², 64³ or 33×47."""
        if self.dim > 1 and len(set(self.n)) == 1:
            return f"{self.n[0]}{'²³'[self.dim - 2]}"
        return "×".join(map(str, self.n))


def quantity(text: str) -> float:
    """'25ms' -> 0.025: a number with an optional unit, in SI units."""
    found = re.fullmatch(r"([-+0-9.eE]{1,40}?)([A-Za-z]*)", text)
    try:
        value = float(found[1]) * (UNITS[found[2]] if found[2] else 1.0)
    except (TypeError, KeyError, ValueError):
        raise CaseError(f"'{text}' is not a number with a known unit") from None
    if not math.isfinite(value):
        raise CaseError(f"'{text}' is beyond all numbers")
    return float(f"{value:.12g}")


def whole(text: str) -> int:
    """'256' -> 256: a size or a number of things, which is neither 0 nor beyond 2^40."""
    if not re.fullmatch(r"[0-9]{1,13}", text) or not 0 < int(text) <= LARGEST:
        raise CaseError(f"'{text}' is no whole number from 1 to {LARGEST}")
    return int(text)


def seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,20}", text):
        raise CaseError(f"'seed={text}' is not a whole number")
    return int(text)


def source(text: str) -> tuple:
    """'random:200Hz' -> ('random', 200.0); 'file:PATH' keeps its path."""
    kind, _, value = text.partition(":")
    if kind == "file" or not value:
        return (kind, value) if value else (kind,)
    return (kind, quantity(value))


def trajectory(text: str, m: int) -> tuple:
    """'radial:256' -> ('radial', 256), with the grammar's default number of shots."""
    kind, _, value = text.partition(":")
    if kind == "file":
        return (kind, value)
    try:
        if value:
            return (kind, *(whole(part) for part in value.split("x")))
    except ValueError:
        raise CaseError(f"'{text}' is not a trajectory") from None
    return (kind, 1 if kind in ("random", "spiral", "vdspiral") else round(math.sqrt(m)))


def parse(text: str) -> Case:
    """Reads a case line; raises CaseError naming the word that is wrong."""
    words = text.split()
    if len(words) < 2 or words[0] not in OPS or words[1] not in ("1d", "2d", "3d"):
        raise CaseError(f"'{text}' does not begin with an operation and 1d, 2d or 3d")
    keys = dict(DEFAULTS)
    for word in words[2:]:
        key, _, value = word.partition("=")
        if not value or key not in (*DEFAULTS, "n", "m"):
            raise CaseError(f"'{word}' in '{text}' is not a key of a case")
        keys[key] = value
    try:
        return _typed(words[0], int(words[1][0]), keys, " ".join(words))
    except KeyError as missing:
        raise CaseError(f"'{text}' lacks {missing.args[0]}=") from None
    except ValueError as error:
        raise CaseError(f"{error} in '{text}'") from None


def _typed(op: str, dim: int, keys: dict[str, str], text: str) -> Case:
    n = tuple(whole(size) for size in keys["n"].split("x"))
    if len(n) != dim:
        raise CaseError(f"n={keys['n']} does not have {dim} sizes")
    m = whole(keys["m"])
    if keys["times"] != "none" and quantity(keys["t"]):
        raise CaseError(f"t={keys['t']} and times={keys['times']} both set the clock")
    return Case(
        op=op, dim=dim, n=n, m=m, traj=trajectory(keys["traj"], m), t=quantity(keys["t"]),
        times=source(keys["times"]), field=source(keys["field"]), grad=source(keys["grad"]),
        mask=source(keys["mask"]), fov=quantity(keys["fov"]), coils=whole(keys["coils"]),
        layout=keys["layout"], prec=keys["prec"], tol=quantity(keys["tol"]),
        tol_kind=keys["tol_kind"], data=source(keys["data"]), seed=seed(keys["seed"]), text=text,
    )


def label(case: Case, hide: tuple[str, ...] = ()) -> str:
    """The line without what the defaults say; hide names further keys (or 'op') to leave out."""
    words = case.text.split()
    plain = parse(" ".join(words[:2]) + f" n={'x'.join(map(str, case.n))} m={case.m}")
    kept = [] if "op" in hide else [words[0]]
    kept.append(words[1])
    for word in words[2:]:
        key = word.partition("=")[0]
        shown = key in ("n", "m") or getattr(case, key) != getattr(plain, key)
        if shown and key not in hide:
            kept.append(word)
    return " ".join(kept)


def without_size(case: Case) -> tuple:
    """What stays the same along a sweep of sizes: everything but n, m and the number of shots."""
    return (case.op, case.dim, case.traj[0], case.t, case.times, case.field, case.grad, case.mask,
            case.fov, case.coils, case.layout, case.prec, case.tol, case.tol_kind, case.data,
            case.seed)
