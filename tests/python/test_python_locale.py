# SPDX-License-Identifier: Apache-2.0
"""What plans say of themselves is JSON in a program whose numbers have commas."""

import os
import subprocess
import sys
import textwrap

COMMAS = """LC_NUMERIC
decimal_point ","
thousands_sep ""
grouping -1
END LC_NUMERIC
"""
PLANS = """
    import locale
    locale.setlocale(locale.LC_NUMERIC, "commas")
    assert locale.str(1.5) == "1,5"

    import numpy as np
    import ndft
    k = np.linspace(-8, 8, 200)[:, None]
    for plan in (ndft.Plan((16,), k, mode="measure"), ndft.Plan((16,), k, devices=["cpu", "cpu"]),
                 ndft.ChirpZ(8), ndft.Transform("scfo8")):
        assert plan.describe()
"""


def test_descriptions_have_points(tmp_path):
    (tmp_path / "commas.txt").write_text(COMMAS)
    subprocess.run(["localedef", "-c", "-i", tmp_path / "commas.txt", tmp_path / "commas"], capture_output=True)
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(PLANS)], capture_output=True, text=True,
                          env={**os.environ, "LOCPATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
