# SPDX-License-Identifier: Apache-2.0
"""One line of a record file as values that can be relied on, whoever wrote it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from .cases import FIELDS as FIELDS_OF_CASE
from .errors import RecordsError
from .record import FIELDS

# What a field must be where it is there and not null; the fields of a case not named are numbers.
NUMBER = (int, float)
DEVICE_TYPES = {"name": str, "slug": str, "driver": str}
RUN_TYPES = {"started_utc": str, "suite": str, "timing_version": int, "build": dict,
             "libraries": dict, "devices": dict}
CASE_TYPES = dict.fromkeys(FIELDS, NUMBER) | dict.fromkeys(
    ("case", "variant", "backend", "verdict", "key", "reason", "mode", "order", "stop", "build_id",
     "bound", "phase", "chosen", "regime"), str
) | dict.fromkeys(("knobs", "ablates", "cost", "state", "phases_s", "bounds_s", "problem", "peer",
                   "throttled_by"), dict
) | dict.fromkeys(("samples_s", "clocks_mhz", "throttled", "host_bound", "by_process",
                    "mode_medians_s"), list
) | dict.fromkeys(("two_modes", "pinned"), bool)
PROBLEM_TYPES = {name: {"str": str, "int": int, "float": NUMBER, "bool": bool}.get(
    field.type.removesuffix(" | None"), list) for name, field in FIELDS_OF_CASE.items()}
PROCESS_TYPES = {name: CASE_TYPES[name] for name in (
    "verdict", "samples_s", "median_s", "ci_lo_s", "ci_hi_s", "clocks_mhz", "throttled",
    "host_bound", "throttled_by", "sm_clock_mhz")}
PEAK_TYPES = {"resource": str, "value": NUMBER, "backend": str, "spread": NUMBER,
              "clock_mhz": NUMBER, "unit": str, "note": str}
COUNTER_TYPES = {"case": str, "problem": dict, "variant": str, "tool": str, "measured": dict, "model": dict,
                 "differs": list, "kernels": list}
KERNEL_TYPES = {"name": str, "time_s": NUMBER, "shares": dict, "limits": dict}
PEER_TYPES = {"case": str, "problem": dict, "backend": str, "peer": str, "version": str, "how": str,
              "rel_l2": NUMBER, "median_s": NUMBER, "coil_pairs_per_s": NUMBER}
SCALING_TYPES = {"case": str, "problem": dict, "backend": str, "device": str, "variant": str, "gpus": int, "plain": bool,
                 "arrays": str, "split": str, "efficiency": NUMBER, "difference": NUMBER, "rel_l2": NUMBER,
                 "same_bits": bool, "moved_bytes": dict, "link": dict, "clocks_mhz": list, "samples_s": list, "build_id": str,
                 **dict.fromkeys(("median_s", "q1_s", "q3_s", "ci_lo_s", "ci_hi_s"), NUMBER)}
TYPES = {"run": RUN_TYPES, "case": CASE_TYPES, "peak": PEAK_TYPES, "counter": COUNTER_TYPES,
         "peer": PEER_TYPES, "scaling": SCALING_TYPES}
PARTS = {"case": ("by_process", PROCESS_TYPES), "counter": ("kernels", KERNEL_TYPES)}  # lists of objects
# Inside of objects.
INNER = {"build": {"commit": str, "dirty": bool}, "ablates": {"variant": str, "without": str},
         "state": {"power_w": NUMBER, "temperature_c": NUMBER, "memory_clock_mhz": NUMBER,
                   "throttle": list, "away_s": NUMBER},
         "throttled_by": dict.fromkeys(("reason", "highest", "round", "violation"), list),
         "problem": PROBLEM_TYPES,
         "limits": dict.fromkeys(("registers", "local_bytes", "shared_bytes", "occupancy", "stall_share"), NUMBER)
         | {"least": str, "stall": str},
         "peer": {"who": str, "version": str, "built": str, "chosen": bool}}
# Lists and objects whose every element is a number or null.
NUMBERS_IN = ("samples_s", "clocks_mhz", "throttled", "mode_medians_s", "cost", "phases_s", "bounds_s", "measured",
              "model", "shares", "moved_bytes", "link")
SIGNED = ("phases_s", "temperature_c", "w_turns", "a_turns")  # a stage too short for the clock, frost, and senses
TEXTS_IN = ("throttle", "differs")
# Without these there is nothing to say what a record is of.
REQUIRED = {"case": ("case", "variant", "backend", "verdict"), "counter": ("case", "variant"),
            "peer": ("case", "backend", "peer", "version", "how", "median_s", "coil_pairs_per_s",
                     "rel_l2"),
            "scaling": ("case", "backend", "device", "variant", "gpus", "plain", "arrays", "median_s", "efficiency")}
NAMES = {str: "text", dict: "an object", list: "a list", NUMBER: "a number", bool: "true or false",
         int: "a whole number"}
TEXTS = ("type", "run", "key", "case", "variant", "backend", "verdict", "mode")  # name things
LARGEST = 1e100  # of what is measured; what is beyond it, or below its inverse, is damage
SLUG = re.compile(r"[a-z0-9][a-z0-9.-]*")  # of a device: it names folders
STRANGE = re.compile(r"\\u(?:00[01789]|d[89a-f])|[\x7f-\x9f]", re.IGNORECASE)


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text} is beyond all numbers")
    return value


def _whole(text: str) -> int:
    _finite(text)
    return int(text)


def strange(text: str) -> bool:
    """Whether it holds what a terminal would obey, or half a character. Hardly a line can: the search is spared."""
    return ("\\" in text or "\x7f" in text or not text.isascii()) and bool(STRANGE.search(text))


def parse(text: str) -> dict[str, Any]:
    """The object on a line; ValueError, with the reason, where it is none or cannot be handled."""
    try:
        entry = json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(entry, dict):
        raise ValueError("no object")
    if strange(text):
        json.dumps(entry, ensure_ascii=False).encode()  # a ValueError for half a character
    for name in TEXTS:
        if not isinstance(entry.get(name), (str, type(None))):
            raise ValueError(f"{name} is {_short(entry[name])}, not text")
    return entry


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:50]}..."


def check(entry: dict[str, Any], where: str) -> None:
    """RecordsError naming the field that is not what its name says."""
    _check(entry, TYPES[entry["type"]], where)
    for name in REQUIRED.get(entry["type"], ()):
        if entry.get(name) is None:
            what = "record" if entry["type"] == "case" else entry["type"]
            raise RecordsError(f"{where}: the {what} lacks '{name}'")
    parts, types = PARTS.get(entry["type"], ("", {}))
    for part in entry.get(parts) or ():
        if not isinstance(part, dict):
            raise RecordsError(f"{where}: {parts} holds {_short(part)}, not an object")
        _check(part, types, where)
    if entry["type"] != "run":
        return
    for backend, device in (entry.get("devices") or {}).items():
        if not isinstance(device, dict):
            raise RecordsError(f"{where}: the device {_short(backend)} is {_short(device)}, not an "
                               "object")
        _check(device, DEVICE_TYPES, where)
        slug = device.get("slug")
        if slug is not None and not SLUG.fullmatch(slug):
            raise RecordsError(f"{where}: slug is {_short(slug)}; lower-case letters, digits, dots "
                               "and hyphens make one, such as 'h200'")


def _check(entry: dict[str, Any], types: dict[str, Any], where: str) -> None:
    for name, kind in types.items():
        value = entry.get(name)
        if value is None:
            continue
        if not isinstance(value, kind) or (kind in (NUMBER, int) and isinstance(value, bool)):
            raise RecordsError(f"{where}: {name} is {_short(value)}, not {NAMES[kind]}")
        if kind is NUMBER:
            _check_number(value, name, "is", where)
        if name in NUMBERS_IN:
            for item in value.values() if kind is dict else value:
                _check_number(item, name, "holds", where)
        if name in TEXTS_IN and not all(isinstance(item, str) for item in value):
            raise RecordsError(f"{where}: {name} holds {_short(value)}, not text alone")
        if kind is dict and name in INNER:
            _check(value, INNER[name], where)


def _check_number(value: Any, name: str, verb: str, where: str) -> None:
    if value is None:
        return
    if not isinstance(value, NUMBER) or isinstance(value, bool):
        raise RecordsError(f"{where}: {name} {verb} {_short(value)}, not a number")
    if value and not 1 / LARGEST < abs(value) < LARGEST or value < 0 and name not in SIGNED:
        raise RecordsError(f"{where}: {name} {verb} {_short(value)}, which nothing measures")


def plain(text: str) -> str:
    """One line with control characters, which a terminal would obey, as \\x1b or \\n."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode()
                   for c in text)


def plain_texts(value: Any) -> Any:
    """The same of all texts in a value of JSON."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [plain_texts(item) for item in value]
    if isinstance(value, dict):
        return {plain(name): plain_texts(item) for name, item in value.items()}
    return value
