# SPDX-License-Identifier: Apache-2.0
"""Images with a field map and decay, of a measured spiral and of a head whose field is made, beside other software."""

from . import proof, speed

COMMANDS = {"proof": proof, "speed": speed}
