# SPDX-License-Identifier: Apache-2.0
"""examples/python, as a user starts them."""

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
