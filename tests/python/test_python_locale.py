# SPDX-License-Identifier: Apache-2.0
"""What plans say of themselves is JSON in a program whose numbers have commas, and messages have points, too."""

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
ASCII = """<code_set_name> ANSI_X3.4-1968
<comment_char> %
<escape_char> /
CHARMAP
<U0000>..<U007F> /x00
END CHARMAP
"""  # which systems without Debian's package locales lack
PLANS = """
    import locale
    import re
    locale.setlocale(locale.LC_NUMERIC, "commas")
    assert locale.str(1.5) == "1,5"

    import numpy as np
    import ndft
    k = np.linspace(-8, 8, 200)[:, None]
    for plan in (ndft.Plan((16,), k, mode="measure"), ndft.Plan((16,), k, devices=["cpu", "cpu"]),
                 ndft.ChirpZ(8), ndft.Transform("scfo8")):
        assert plan.describe()
    for number, wrong in (("tol=2.5;", lambda: ndft.Plan((16,), k, tol=2.5)),
                          ("its claim of", lambda: ndft.Plan((16,), k.astype("f4"), tol=1.5e-7)),
                          ("is -0.5;", lambda: ndft.Plan((16,), k, t=np.zeros(200), decay=np.full(16, -.5))),
                          ("tol=2.5;", lambda: ndft.Plan((16,), k, devices=["cpu", "cpu"], tol=2.5)),
                          ("w.modulus=2.5:", lambda: ndft.ChirpZ(800, w=(2.5, .1))),
                          ("scale=1.5e+300;", lambda: ndft.Transform("scfo8", scale=1.5e300))):
        try:
            wrong()
        except ndft.Error as error:
            assert number in str(error) and not re.search("[0-9],[0-9]", str(error)), error
        else:
            raise AssertionError(number)
    assert locale.str(1.5) == "1,5"
"""


def test_descriptions_have_points(tmp_path):
    (tmp_path / "commas.txt").write_text(COMMAS)
    (tmp_path / "ascii.txt").write_text(ASCII)
    subprocess.run(["localedef", "-c", "-f", tmp_path / "ascii.txt", "-i", tmp_path / "commas.txt", tmp_path / "commas"],
                   capture_output=True)
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(PLANS)], capture_output=True, text=True,
                          env={**os.environ, "LOCPATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
