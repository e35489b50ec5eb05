# SPDX-License-Identifier: Apache-2.0
"""Structures have the members of the headers in their order, constants their values, and calls that are there."""

import re
from pathlib import Path

import pytest

from ndft import _library, _structures

INCLUDE = Path(__file__).resolve().parents[2] / "include/ndft"
HEADERS = {path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL) for path in INCLUDE.glob("*.h")}
WORDS = "\n".join(HEADERS.values())
STRUCTURES = [("ndft_device_options", _structures.DeviceOptions), ("ndft_problem_desc", _structures.ProblemDesc),
              ("ndft_plan_options", _structures.PlanOptions),
              ("ndft_group_plan_options", _structures.GroupPlanOptions), ("ndft_tensor", _structures.Tensor),
              ("ndft_transform_options", _structures.TransformOptions), ("ndft_transform", _structures.TransformDesc),
              ("ndft_communicator_options", _structures.CommunicatorOptions),
              ("ndft_polar", _structures.Polar), ("ndft_chirpz_desc", _structures.ChirpzDesc)]


def members(name):
    body = re.search(r"typedef struct %s \{(.*?)\} %s;" % (name, name), WORDS, re.DOTALL)[1]
    names = []
    for line in filter(None, map(str.strip, body.split(";"))):
        names += [re.search(r"(\w+)\s*(\[\w+\])?\s*$", part)[1] for part in line.split(",")]
    return names


@pytest.mark.parametrize("name,structure", STRUCTURES)
def test_members(name, structure):
    assert [field[0] for field in structure._fields_] == members(name)


def values(name):
    body = re.search(r"typedef enum (?:\w+ )?%s \{(.*?)\}" % name, WORDS, re.DOTALL)[1]
    found, following = {}, 0
    for part in filter(None, (part.strip() for part in body.split(","))):
        word, _, value = part.partition("=")
        following = int(value) if value else following
        found[word.strip()] = following
        following += 1
    return found


@pytest.mark.parametrize("name,words,prefix", [
    ("ndft_op", _structures.OPERATIONS, "NDFT_"), ("ndft_layout", _structures.LAYOUTS, "NDFT_"),
    ("ndft_tol_kind", _structures.TOL_KINDS, "NDFT_TOL_"), ("ndft_plan_mode", _structures.MODES, "NDFT_")])
def test_constants(name, words, prefix):
    assert {prefix + word.upper(): value for word, value in words.items()} == values(name)


def test_statuses():
    assert set(_library.BY_STATUS) == set(values("ndft_status").values()) - {0, values("ndft_status")["NDFT_EINTR"]}


def test_calls_are_declared():
    for name in [*_library._STATUS_CALLS, *_library._OTHER_CALLS]:
        assert re.search(rf"\b{name}\(", WORDS), name
