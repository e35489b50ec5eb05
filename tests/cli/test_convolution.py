# SPDX-License-Identifier: Apache-2.0
"""Convolutions and chirp z-transforms through the program: checks, files, records, and what is refused."""

import json

import numpy as np
import pytest

from program import cases, listed, ndft, refused

CPU = ("--backend", "cpu")


@pytest.mark.parametrize("case, canonical", [
    ("convolve:sf100x90*8", "convolve:sf100x90*8 outputs=100x90 cells=100x90 kernel=random tol=1e-4 seed=1"),
    ("convolve:da1000 outputs=64 cells=1080 tol=1e-9",
     "convolve:da1000 outputs=64 cells=1080 kernel=random tol=1e-9 seed=1"),
    ("convolve:sn5x6x7*1 outputs=9x2x7 tol_kind=any",
     "convolve:sn5x6x7 outputs=9x2x7 cells=9x6x7 kernel=random tol=1e-4 tol_kind=any seed=1"),
    ("chirpz:s8", "chirpz:s8 outputs=8 w=1:-0.125 a=1:0 tol=1e-4 seed=1"),
    ("chirpz:d100*3 outputs=7 w=0.50:0.25 a=2:-0", "chirpz:d100*3 outputs=7 w=0.5:0.25 a=2:0 tol=1e-4 seed=1"),
])
def test_a_line_has_one_form(case, canonical):
    for text in (case, canonical):
        result = ndft("case", text)
        assert result.stdout == f"{canonical}\n", result.stderr


def test_a_line_as_values():
    said = [json.loads(line) for line in ndft("case", "--json", "convolve:sa9x8*2 outputs=7x6",
                                              "chirpz:d9 outputs=4 w=1.5:0.5").stdout.splitlines()]
    convolution, chirpz = (one["problem"] for one in said)
    assert convolution == {"label": "convolve:sa9x8*2 outputs=7x6", "kind": "convolution", "op": "adjoint", "dim": 2,
                           "n": [9, 8], "m": 42, "prec": "f32", "tol": 1e-4, "output_n": [7, 6], "cells": [9, 8],
                           "coils": 2, "outputs": 144, "pairs": 72 * 42}
    assert chirpz == {"label": "chirpz:d9 outputs=4 w=1.5:0.5", "kind": "chirpz", "op": "transform", "dim": 1,
                      "n": [9], "m": 4, "prec": "f64", "tol": 1e-4, "coils": 1, "w_modulus": 1.5, "w_turns": 0.5,
                      "a_modulus": 1, "a_turns": 0, "outputs": 4, "pairs": 36}


@pytest.mark.parametrize("case, words", [
    ("convolve:xf9", "character 1: expected 's' (f32) or 'd' (f64)"),
    ("convolve:sb9", "character 2: expected 'f' (forward), 'a' (adjoint) or 'n' (normal)"),
    ("convolve:sf", "character 3: expected a length, 1 to 2147483647"),
    ("convolve:sf0", "character 3: expected a length"),
    ("convolve:sf9x8x7x6", "there are at most 3 dimensions"),
    ("convolve:sf9*257", "expected the batch, 1 to 256"),
    ("convolve:sf9 outputs=0", "outputs=0: a size must be at least 1"),
    ("convolve:sf9x8 outputs=4", "outputs=4: 2d takes 2 sizes, e.g. outputs=64x64"),
    ("convolve:sf9 outputs=20 cells=15",
     "cells=15: axis 1 has at least 20, as many as its input and output, and nothing wraps around from 28 on"),
    ("convolve:sf65536x65536", "a grid holds at most 2147483647 voxels"),
    ("convolve:sf9 kernel=smooth", "kernel=smooth: unknown word; nearest: random"),
    ("convolve:sf9 load=none", "a convolve case has its descriptor and the keys outputs=, cells=, kernel=, tol=, "
                               "tol_kind=, data= and seed=; nearest: "),
    ("convolve:sf9 data=phantom", "data=phantom: of convolve cases it is random or file:PATH"),
    ("chirpz:s9x9", "character 3: a chirp z-transform has one dimension"),
    ("chirpz:s9 w=2", "w=2: takes a modulus and turns, e.g. w=0.999:-0.0005"),
    ("chirpz:s9 a=0:0.5", "a=0:0.5: its modulus is between 1e-06 and 1e+06"),
    ("chirpz:s9 w=1:1.5", "w=1:1.5: its turns are between -1 and 1"),
    ("chirpz:s100 w=1.1:0.01", "an entry A^-n W^(n k) reaches 1e406, and f32 takes 1e19; a modulus of at most 1.00"),
    ("chirpz:d100 a=0.0001:0", "an entry A^-n W^(n k) reaches 1e396, and f64 takes 1e154; a modulus of at least 0.02"),
    ("chirpz:s100000000", "at most 67108864 each, so that products of indices are exact"),
])
def test_what_is_refused(case, words, tmp_path):
    refused(ndft("check", case, *CPU, cwd=tmp_path), 2, words)


def test_a_kernel_that_is_not_there(tmp_path):
    refused(ndft("check", "convolve:sf9 kernel=file:gone.npy", *CPU, cwd=tmp_path), 3, "gone.npy")
    np.save(tmp_path / "k.npy", np.ones((3, 3)))
    refused(ndft("check", "convolve:sf9 kernel=file:k.npy", *CPU, cwd=tmp_path), 2,
            "kernel=file:k.npy: wanted shape (nz,ny,nx) = (1,1,9), found (3,3)")


@pytest.mark.parametrize("case, variants", [
    ("convolve:sf31x17*3 cells=61x33", {"convolution.cpu"}),
    ("chirpz:s101 outputs=33 w=0.999:-0.01", {"chirpz_naive.cpu", "chirpz_bluestein.cpu"})])
def test_every_verb_takes_them(case, variants, tmp_path):
    result = ndft("check", case, *CPU, "--json", "--expect", "|".join(variants).replace(".", "[.]"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert ndft("best", case, *CPU).stdout.split(": ")[1].split(".cpu")[0] + ".cpu" in variants
    assert ndft("bench", case, *CPU, "--budget", "0.01").returncode == 0
    out = tmp_path / "out.jsonl"
    result = ndft("sweep", "--case", case, *CPU, "--budget", "0.01", "-o", out)
    assert result.returncode == 0, result.stderr
    assert {r["variant"].partition(":")[0] for r in cases(out)} == variants
    assert {r["verdict"] for r in cases(out)} == {"pass"}


def test_what_engines_are_of_which_kind():
    kinds = {v["id"].partition(":")[0]: v["kind"] for v in listed()}
    assert kinds["convolution.cpu"] == kinds["convolution.cuda"] == "convolution"
    assert {name for name, kind in kinds.items() if kind == "chirpz"} == {
        f"chirpz_{which}.{backend}" for which in ("naive", "bluestein") for backend in ("cpu", "cuda")}
    refused(ndft("check", "convolve:sf9", "--variant", "naive.*"), 2, "serves convolution cases")


def test_a_convolution_of_files(tmp_path):
    random = np.random.default_rng(1)
    kernel, x = (random.normal(size=(*shape, 2)) @ [1, 1j] for shape in ((12, 16), (2, 6, 8)))
    np.save(tmp_path / "k.npy", kernel)
    np.save(tmp_path / "x.npy", x)
    case = "convolve:df8x6*2 cells=16x12 kernel=file:k.npy data=file:x.npy tol=1e-9"
    for knobs in ("", ":kernel_fft=execute", ":kernel_fft=beside"):
        result = ndft("run", case, "--variant", f"convolution.cpu{knobs}", "--out", "y.npy", cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        spectrum = np.fft.fft2(x, (12, 16)) * np.fft.fft2(kernel)
        np.testing.assert_allclose(np.load(tmp_path / "y.npy")[..., 0], np.fft.ifft2(spectrum)[:, :6, :8], atol=1e-8)


def test_a_dft_is_a_chirp_z_transform(tmp_path):
    x = np.random.default_rng(2).normal(size=(3, 1, 1, 17, 2)) @ [1, 1j]
    np.save(tmp_path / "x.npy", x)
    for variant in ("chirpz_naive.cpu", "chirpz_bluestein.cpu", "chirpz_bluestein.cpu:chirp_fft=execute"):
        result = ndft("run", "chirpz:d17*3 data=file:x.npy tol=1e-9", "--variant", variant, "--out", "y.npy",
                      cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        np.testing.assert_allclose(np.load(tmp_path / "y.npy"), np.fft.fft(x[:, 0, 0]), atol=1e-8)
