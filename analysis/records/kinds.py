# SPDX-License-Identifier: Apache-2.0
"""A case of either kind, nonuniform or uniform, by its line of text."""

from __future__ import annotations

from . import cases, transforms
from .cases import Case
from .transforms import Transform


def parse(text: str) -> Case | Transform:
    """Raises CaseError naming the word that is wrong."""
    return (transforms if transforms.is_transform(text) else cases).parse(text)


def label(case: Case | Transform, hide: tuple[str, ...] = ()) -> str:
    """The line without what the defaults say; hide as of cases.label, nothing of a uniform case."""
    return transforms.label(case) if isinstance(case, Transform) else cases.label(case, hide)
