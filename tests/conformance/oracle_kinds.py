# SPDX-License-Identifier: Apache-2.0
"""The other kinds of problems once more, in numpy's longdouble, as oracle.py has the operator.

    convolve   y(r) = sum_s kernel((r - s) mod C) x(s), the adjoint of it, and both one after the other
    chirpz     X_k = sum_n x_n A^-n W^(n k)
"""

from fractions import Fraction

import numpy as np

REAL, COMPLEX = np.longdouble, np.clongdouble
PI = REAL("3.14159265358979323846264338327950288")


def sizes(words, key):
    """n1xn2 of key=n1xn2, as the shape of an array."""
    return tuple(int(n) for n in words[key].split("x"))[::-1]


def convolution(case, kernel, x):
    """The output (batch, nd..n1, 1) of a case's words, from its kernel and (batch, nz, ny, nx)."""
    first, *rest = case.split()
    words = dict(word.split("=") for word in rest)
    inputs = tuple(int(n) for n in first.split(":")[1][2:].partition("*")[0].split("x"))[::-1]
    outputs, period = sizes(words, "outputs"), sizes(words, "cells")
    between = np.ix_(*(range(n) for n in (*outputs, *inputs)))
    dim = len(period)
    a = kernel.reshape(period)[tuple((between[d] - between[dim + d]) % period[d] for d in range(dim))]
    a = a.reshape(np.prod(outputs), np.prod(inputs)).astype(COMPLEX)
    y = x.reshape(len(x), -1).astype(COMPLEX)
    op = first.split(":")[1][1]
    if op in "fn":
        y = y @ a.T
    if op in "an":
        y = y @ a.conj()
    return y.reshape(len(x), *(outputs if op == "f" else inputs), 1)


def polar(text):
    """Modulus, and turns as the very fraction that the double is."""
    modulus, turns = map(float, text.split(":"))
    return REAL(modulus), Fraction(turns)


def chirpz(case, x):
    """The output (batch, M) of a case's words, from (batch, 1, 1, N)."""
    words = dict(word.split("=") for word in case.split()[1:])
    (w, w_turns), (a, a_turns) = polar(words["w"]), polar(words["a"])
    n, k = np.arange(x.shape[-1]), np.arange(int(words["outputs"]))
    turns = np.array([[REAL(float(part := (i * j * w_turns - i * a_turns) % 1)) + REAL(float(part - Fraction(float(part))))
                       for i in n.tolist()] for j in k.tolist()])
    size = np.exp(n * (k[:, None] * np.log(w) - np.log(a)))
    entries = size * (np.cos(2 * PI * turns) + COMPLEX(1j) * np.sin(2 * PI * turns))
    return x.reshape(len(x), -1).astype(COMPLEX) @ entries.T
