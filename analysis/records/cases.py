# SPDX-License-Identifier: Apache-2.0
"""A case, one line of text, as the values that the program reads in it.

How cases are written is known to the program alone. A record carries the values of its case; those
of older records, and of lines in files of our own, the program is asked for.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Iterable

from .. import program
from .errors import CaseError

OPS = ("forward", "adjoint", "normal")
TRANSFORM = ("transform",)  # the one of uniform cases


@dataclass(frozen=True, eq=False)
class Case:
    """Equal when the same operation on the same problem, however the line was written; the fields
    are of a record's `problem` (docs/results.md), None where they are of the other kind."""

    text: str
    label: str  # the line without what the defaults say
    kind: str
    op: str
    dim: int
    n: tuple[int, ...]
    m: int
    prec: str
    tol: float
    outputs: float
    pairs: float
    # nonuniform
    traj: str | None = None
    field: str | None = None
    field_hz: float | None = None
    t: float | None = None
    coils: int | None = None
    turns: float | None = None
    # convolution
    output_n: tuple[int, ...] | None = None
    cells: tuple[int, ...] | None = None
    # chirpz
    w_modulus: float | None = None
    w_turns: float | None = None
    a_modulus: float | None = None
    a_turns: float | None = None
    # uniform
    domain: str | None = None
    sign: int | None = None
    in_place: bool | None = None
    packed: bool | None = None
    callbacks: bool | None = None
    length: float | None = None
    batch: float | None = None
    factor: float | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and self.label == other.label

    def __hash__(self) -> int:
        return hash(self.label)

    @property
    def is_uniform(self) -> bool:
        return self.kind == "uniform"

    @property
    def size_label(self) -> str:
        """256², 64³ or 33×47."""
        if self.dim > 1 and len(set(self.n)) == 1:
            return f"{self.n[0]}{'²³'[self.dim - 2]}"
        return "×".join(map(str, self.n))

    def without(self, *keys: str) -> str:
        """The label without these keys, or its 'op'."""
        first, *rest = self.label.split()
        kept = [] if "op" in keys and self.kind == "nonuniform" else [first]
        return " ".join(kept + [word for word in rest if word.partition("=")[0] not in keys])

    @property
    def place(self) -> tuple:
        """In the order of reading: small problems first, their operations side by side."""
        return (self.kind, self.dim, self.pairs, self.without("op"), (*OPS, *TRANSFORM).index(self.op))

    @property
    def without_size(self) -> tuple[str, str | None]:
        """What stays the same along a sweep of sizes: all but n, m and the number of shots."""
        return self.without("n", "m", "traj"), self.traj


FIELDS = {field.name: field for field in dataclasses.fields(Case) if field.name != "text"}
_COMMON = [name for name, field in FIELDS.items() if field.default is dataclasses.MISSING]
# By kind: the operations, and what every problem of it has beside what all have.
_KINDS = {
    "nonuniform": (OPS, ("traj", "field", "field_hz", "t", "coils")),
    "uniform": (TRANSFORM, ("domain", "sign", "in_place", "packed", "callbacks", "length", "batch",
                            "factor")),
    "convolution": (OPS, ("coils", "output_n", "cells")),
    "chirpz": (TRANSFORM, ("coils", "w_modulus", "w_turns", "a_modulus", "a_turns")),
}
_LARGEST = {"m": 1 << 40, "coils": 256}  # a size of n as m; elsewhere numbers are as of any record
_known: dict[str, dict[str, Any]] = {}  # what the program said of texts


def learn(texts: Iterable[str]) -> None:
    """Asks the program, once, for all of these that it was not asked for."""
    unknown = [text for text in dict.fromkeys(texts) if text not in _known and text.isprintable()]
    if unknown:
        _known.update(zip(unknown, program.cases(unknown)))


def learn_of(entries: Iterable[dict[str, Any]]) -> None:
    """The same of the cases of lines of a record file that do not carry their values."""
    learn(entry["case"] for entry in entries
          if isinstance(entry.get("case"), str) and not entry.get("problem"))


def parse(text: str) -> Case:
    """The program's reading of a line; CaseError naming the word that is wrong."""
    learn([text])
    answer = _known.get(text, {"error": "a case is one line of text"})
    if "error" in answer:
        raise CaseError(f"{answer['error']} in '{text}'")
    return _case(answer["problem"], text)


def of_record(entry: dict[str, Any]) -> Case:
    """The case of a line of a record file; CaseError."""
    return _case(entry["problem"], entry["case"]) if entry.get("problem") else parse(entry["case"])


def _case(problem: dict[str, Any], text: str) -> Case:
    ops, own = _KINDS.get(problem.get("kind"), (OPS, ()))
    for name in (*_COMMON, *own):
        if problem.get(name) is None:
            raise CaseError(f"the problem of '{text}' lacks '{name}'")
    for name in ("m", "tol", "outputs", "pairs", "coils", "length", "batch", "factor"):
        if name in (*_COMMON, *own) and not 0 < problem[name] <= _LARGEST.get(name, math.inf):
            raise _wrong(problem, name, text)
    if len(problem["n"]) != problem["dim"] or not all(
            type(n) is int and 0 < n <= _LARGEST["m"] for n in problem["n"]):
        raise _wrong(problem, "n", text)
    for name, words in (("kind", _KINDS), ("op", ops)):
        if problem[name] not in words:
            raise _wrong(problem, name, text)
    if not problem["label"].split():
        raise _wrong(problem, "label", text)
    values = {name: problem[name] for name in FIELDS if name in problem}
    return Case(text, **values | {"n": tuple(values["n"])})


def _wrong(problem: dict[str, Any], name: str, text: str) -> CaseError:
    return CaseError(f"{name} of the problem of '{text}' is {repr(problem[name])[:50]}")
