# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with records and with their cases."""

from __future__ import annotations


class RecordsError(Exception):
    """The records cannot be used; the message says which file and why."""


class CaseError(ValueError):
    """The text is not a case; the message names the word that is wrong."""
