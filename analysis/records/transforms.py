# SPDX-License-Identifier: Apache-2.0
"""A uniform case, one line of text with a transform's descriptor, as values that compare."""

from __future__ import annotations

import dataclasses
import math
import re

from .cases import DEFAULTS, CaseError, quantity, seed, source, whole

PREFIX = "uniform:"
SHAPE = re.compile(r"([sd])([cr])([fb])([io])(?:(\d+)\.)?(\d+(?:x\d+){0,2})(?:\*(\d+))?"
                   r"((?:i\d+(?:,\d+){2,4})?(?:o\d+(?:,\d+){2,4})?)")
OWN_CODE = re.compile(r"(?:load|store)=file:\S*")  # the word by which a case names code to run
KEYS = {"load": "none", "store": "none"} | {key: DEFAULTS[key] for key in ("tol", "data", "seed")}


@dataclasses.dataclass(frozen=True)
class Transform:
    """Equal when the same transform of the same numbers, however the line was written."""

    prec: str
    domain: str  # c2c, r2c, c2r
    sign: int
    in_place: bool
    n: tuple[int, ...]
    m: int  # the inner batch, fastest in memory
    k: int  # the outer batch
    strides: str  # where they are not the default
    load: str  # in place of reading and writing elements
    store: str
    tol: float
    data: tuple
    seed: int
    text: str = dataclasses.field(compare=False)

    op = "transform"

    @property
    def dim(self) -> int:
        return len(self.n)

    @property
    def batch(self) -> int:
        return self.m * self.k

    @property
    def size(self) -> int:
        """Terms of a sum."""
        return math.prod(self.n)

    @property
    def factor(self) -> int:
        """The largest prime factor of any length."""
        return max(map(largest_factor, self.n))

    @property
    def contiguous(self) -> bool:
        """Whether along N1 numbers lie side by side, on both sides."""
        given = {side[0]: int(side.split(",")[1])
                 for side in re.findall(r"[io][\d,]+", self.strides)}
        half = self.n[0] // 2 + 1
        lengths = {"i": half if self.domain == "c2r" else self.n[0],
                   "o": half if self.domain == "r2c" else self.n[0]}
        return all(n == 1 or given.get(side, self.m) == 1 for side, n in lengths.items())

    @property
    def callbacks(self) -> bool:
        return (self.load, self.store) != ("none", "none")

    @property
    def pairs(self) -> int:
        """Outputs times the terms of each."""
        return self.outputs * self.size

    @property
    def outputs(self) -> int:
        """Numbers that one execution gives; a real input's spectrum is half of one."""
        half = self.domain == "r2c"
        return self.batch * math.prod(self.n[1:]) * (self.n[0] // 2 + 1 if half else self.n[0])


def largest_factor(n: int) -> int:
    largest, p = 1, 2
    while p * p <= n:
        while n % p == 0:
            largest, n = p, n // p
        p += 1
    return max(n, largest)


def is_transform(text: str) -> bool:
    return text.lstrip().startswith(PREFIX)


def parse(text: str) -> Transform:
    """Reads a uniform case; raises CaseError naming the word that is wrong."""
    first, *words = text.split()
    found = SHAPE.fullmatch(first.removeprefix(PREFIX))
    if not found:
        raise CaseError(f"'{first}' holds no descriptor of a transform")
    keys = dict(KEYS)
    for word in words:
        key, _, value = word.partition("=")
        if not value or key not in KEYS:
            raise CaseError(f"'{word}' in '{text}' is not a key of a uniform case")
        keys[key] = value
    try:
        return _typed(found, keys, " ".join([first, *words]))
    except CaseError as error:
        raise CaseError(f"{error} in '{text}'") from None


def _typed(found: re.Match, keys: dict[str, str], text: str) -> Transform:
    prec, domain, direction, placement, m, n, k, strides = found.groups()
    return Transform(
        prec={"s": "f32", "d": "f64"}[prec],
        domain="c2c" if domain == "c" else "r2c" if direction == "f" else "c2r",
        sign=-1 if direction == "f" else 1, in_place=placement == "i",
        n=tuple(map(whole, n.split("x"))), m=whole(m or "1"), k=whole(k or "1"), strides=strides,
        load=keys["load"], store=keys["store"], tol=quantity(keys["tol"]),
        data=source(keys["data"]), seed=seed(keys["seed"]),
        text=text)


def label(transform: Transform) -> str:
    """The line without what the defaults say."""
    first, *words = transform.text.split()
    return " ".join([first, *(w for w in words if w not in (f"{k}={v}" for k, v in KEYS.items()))])
