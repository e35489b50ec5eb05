# SPDX-License-Identifier: Apache-2.0
"""examples/python, as a user starts them."""

import os
import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples/python"


def run(monkeypatch, name, *arguments):
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    return runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")


def test_off_resonance(monkeypatch, capsys):
    run(monkeypatch, "off_resonance")
    without, with_field = (float(word.rstrip(",")) for word in capsys.readouterr().out.split()[4::4])
    assert with_field < .15 and without > .4


def test_off_resonance_picture(monkeypatch, tmp_path):
    pytest.importorskip("matplotlib")
    run(monkeypatch, "off_resonance", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_learn_trajectory(monkeypatch, capsys):
    pytest.importorskip("torch")
    run(monkeypatch, "learn_trajectory")
    by_spokes, learnt = (float(word.rstrip(",")) for word in capsys.readouterr().out.split()[4::3][:2])
    assert learnt < .3 * by_spokes


def test_mrinufft_backend(monkeypatch, capsys):
    pytest.importorskip("mrinufft")
    pytest.importorskip("finufft")
    run(monkeypatch, "mrinufft_backend")
    assert "they differ by" in capsys.readouterr().out


def test_measured_spiral_says_what_it_needs(monkeypatch):
    pytest.importorskip("scipy")
    with pytest.raises(SystemExit, match="measured_spiral.py DATA"):
        run(monkeypatch, "measured_spiral")


MEASURED = Path(os.environ.get("NDFT_DATA", "nowhere")) / "spiral-cylinders"


@pytest.mark.skipif(not MEASURED.is_dir(), reason="no measured data: NDFT_DATA names no folder of it")
def test_measured_spiral(monkeypatch, tmp_path):
    """What the map does to the weighted adjoint, and what of it the sign decides. Sharpness tells no sign where the
    map is continued beyond the object; what no image explains of the samples does."""
    pytest.importorskip("scipy")
    found = run(monkeypatch, "measured_spiral", MEASURED, tmp_path)["FOUND"]
    gain, of_negative = (value / found["adjoint"].without - 1 for value in found["adjoint"][1:])
    assert gain >= .3 and of_negative <= .2
    (edge, inside, _), (edge_with, inside_with, _) = found["places"]
    assert edge_with > 1.3 * edge and inside_with < inside, "the gain is where the map ends"
    without, given, negative = found["misfit"]
    assert given < without < negative
    assert len(list(tmp_path.glob("*.png"))) == 9
