# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a terminal of a given width."""

import fcntl
import os
import pty
import struct
import subprocess
import termios


def on_a_terminal(columns, command, environment):
    """Its exit status, and all that it writes: a terminal hands it over in pieces."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        said = b""
        try:
            while piece := os.read(ours, 4096):
                said += piece
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return process.returncode, said.decode().replace("\r\n", "\n")
