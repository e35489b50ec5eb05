# SPDX-License-Identifier: Apache-2.0
"""How far from the wall: a record's declared cost against the measured ceilings of its device.

Each resource r bounds the time from below by cost[r] / ceiling[r]; the largest of these is the
bound, and its resource the one that a faster kernel must use less of. (S. Williams, A. Waterman,
D. Patterson, Roofline, CACM 52(4), 2009, with one roof per resource.)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .load import ROOT, Record, Records, RecordsError

RESOURCES = {
    "fma": "FMA", "special": "special functions", "issue_slots": "issue slots",
    "dram_bytes": "DRAM", "l2_bytes": "L2", "shared_bytes": "shared memory", "tensor": "tensor",
    "add": "add", "integer": "integer",
}
DOUBLE = "_f64"  # fma_f64, add_f64, tensor_f64: ceilings of double arithmetic
ARITHMETIC = ("fma", "add", "tensor", "special")

Ceilings = dict[tuple[str, str], float]  # (device slug, resource) -> units per second


@dataclass
class Bound:
    """seconds: lower bound of one execution; by_resource: the same for each resource."""

    resource: str
    seconds: float
    fraction: float  # reached, 1 = at the bound
    by_resource: dict[str, float]


def read(path: Path) -> Ceilings:
    """Reads `SLUG RESOURCE VALUE # source` lines; raises RecordsError naming a bad one."""
    found: Ceilings = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            slug, resource, value = words
            if resource.removesuffix(DOUBLE) not in RESOURCES:
                raise RecordsError(f"{path}:{number}: '{resource}' is none of "
                                   f"{', '.join(RESOURCES)}")
            found[slug, resource] = float(value)
        except ValueError:
            raise RecordsError(f"{path}:{number}: not `SLUG RESOURCE VALUE # source`") from None
    return found


def known(records: Records, path: Path = ROOT / "configs/ceilings.def") -> Ceilings:
    """The ceilings of the file, replaced by those that the records themselves measured."""
    return {**(read(path) if path.exists() else {}), **records.peaks}


def bound(record: Record, ceilings: Ceilings) -> Bound | None:
    """None where the record declares no cost or nothing is known of its device."""
    times: dict[str, float] = {}
    for resource in RESOURCES:
        amount = (record.cost or {}).get(resource)
        double = record.case.prec == "f64" and resource in ARITHMETIC
        ceiling = ceilings.get((record.device.slug, resource + DOUBLE * double))
        if amount and ceiling:
            times[resource] = amount / ceiling
    if not times or not record.ranks:
        return None
    resource = max(times, key=times.__getitem__)
    return Bound(resource, times[resource], times[resource] / record.median_s, times)
