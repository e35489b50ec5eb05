# SPDX-License-Identifier: Apache-2.0
"""python -m ndft: what serves here."""

import json
import signal

from .about import describe

if hasattr(signal, "SIGPIPE"):  # whoever reads may have had enough
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
print(json.dumps(describe(), indent=4))
