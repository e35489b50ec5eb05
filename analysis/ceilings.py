# SPDX-License-Identifier: Apache-2.0
"""How far from the wall: lower bounds of a record's time against the measured ceilings.

Each resource r bounds the time from below by cost[r] / ceiling[r]; the largest of these is the
bound, and its resource the one that a faster kernel must use less of. (S. Williams, A. Waterman,
D. Patterson, Roofline, CACM 52(4), 2009, with one roof per resource.) A record that holds its own
bounds_s is believed; for others the peak lines of the same device are used, where there are any.
"""

from __future__ import annotations

from dataclasses import dataclass

from .records.record import Peak, Record, Records

# What a ceiling is called and counted in.
RESOURCES = {
    "fma": ("multiply-add", "fma/s"), "add": ("add", "add/s"),
    "special": ("special functions", "op/s"), "tensor": ("tensor cores", "fma/s"),
    "integer": ("integer", "op/s"), "issue_slots": ("issue slots", "instructions/s"),
    "dram_bytes": ("DRAM", "B/s"), "l2_bytes": ("L2 cache", "B/s"),
    "shared_bytes": ("shared memory", "B/s"), "launches": ("launches", "launches/s"),
    "launch": ("launches", "launches/s"), "conversion": ("conversions", "op/s"),
    "atomic": ("atomic adds", "op/s"),
    "fma_special_mix": ("multiply-add and special mixed", "op/s"),
    "tensor_f16_mma": ("tensor f16, mma.sync", "fma/s"),
    "tensor_f16_wgmma": ("tensor f16, wgmma", "fma/s"),
    "tensor_tf32_mma": ("tensor tf32, mma.sync", "fma/s"),
    "tensor_tf32_wgmma": ("tensor tf32, wgmma", "fma/s"),
    "tensor_f64_mma": ("tensor f64, mma.sync", "fma/s"),
}
DOUBLE = "_f64"  # fma_f64, add_f64, ...: ceilings of double arithmetic
ARITHMETIC = ("fma", "add", "tensor", "special")

Ceilings = dict[tuple[str, str], Peak]  # by (device slug, resource)


@dataclass
class Bound:
    """seconds: lower bound of one execution; by_resource: the same for each resource."""

    resource: str
    seconds: float
    fraction: float  # reached, 1 = at the bound
    by_resource: dict[str, float]


def named(resource: str) -> str:
    """'fma_f64' -> 'multiply-add in double'; a resource that is not known keeps its word."""
    if resource in RESOURCES:
        return RESOURCES[resource][0]
    plain = resource.removesuffix(DOUBLE)
    known = RESOURCES.get(plain, (plain,))[0]
    return f"{known} in double" if plain != resource else known


def unit(peak: Peak) -> str:
    """What was recorded, else what the resource is counted in."""
    if peak.unit:
        return f"{peak.unit}/s"
    return RESOURCES.get(peak.resource.removesuffix(DOUBLE), ("", "1/s"))[1]


def bound(record: Record, ceilings: Ceilings) -> Bound | None:
    """None where nothing bounds the record: no cost declared, or no ceiling of its device known."""
    if not record.ranks:
        return None
    times = {name: value for name, value in (record.bounds_s or {}).items() if value}
    if not times:
        times = _computed(record, ceilings)
    if not times:
        return None
    resource = record.bound if record.bound in times else max(times, key=times.__getitem__)
    return Bound(resource, times[resource], times[resource] / record.median_s, times)


def _computed(record: Record, ceilings: Ceilings) -> dict[str, float]:
    times: dict[str, float] = {}
    for resource, amount in (record.cost or {}).items():
        peak = _ceiling(record, resource, ceilings)
        if amount and peak and peak.value:
            times[resource] = amount / peak.value
    return times


def _ceiling(record: Record, resource: str, ceilings: Ceilings) -> Peak | None:
    """Double arithmetic has ceilings of its own; other resources where one was measured."""
    slug, single = record.device.slug, "launch" if resource == "launches" else resource
    if record.case.prec != "f64":
        return ceilings.get((slug, single))
    own = ceilings.get((slug, resource + DOUBLE))
    return own if own or resource in ARITHMETIC else ceilings.get((slug, single))


def unknown_devices(records: Records) -> list[str]:
    """Slugs of devices with passes of which none has a bound."""
    bounded: dict[str, bool] = {}
    for r in records.ranked:
        slug = r.device.slug
        bounded[slug] = bounded.get(slug, False) or bound(r, records.peaks) is not None
    return sorted(slug for slug, any_bound in bounded.items() if not any_bound)
