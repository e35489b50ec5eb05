# SPDX-License-Identifier: Apache-2.0
"""python -m ndft: what serves here."""

import json

from .about import describe

print(json.dumps(describe(), indent=4))
