# SPDX-License-Identifier: Apache-2.0
"""Drawings, and what they share."""
