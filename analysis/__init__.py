# SPDX-License-Identifier: Apache-2.0
"""From records to decisions: load, rank, draw, pick. Reads record files only."""
