# SPDX-License-Identifier: Apache-2.0
"""Who takes turns at a scan's image: ndft.recon, MRI-NUFFT and BART, on one device and by one clock.

A turn is timed twice. Whole is all that is to be done where samples, coil maps and field are known and at hand, plans
or operators with it; of BART it is the process with its files. Solve are the iterations alone, with the adjoint that
they begin with, by what is made already. BART's are taken from the times that it says of more iterations and fewer,
without the adjoint.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np

from ndft import __version__, recon
from ndft._kinds import kind_of

from . import mri_nufft_lsqr, peers
from .cases import Case

MORE = {"cpu": 1, "cuda": 10}  # times the iterations, from which BART's time of one is taken
TUNED_EPS = 1e-4  # of MRI-NUFFT, as ndft's own tolerance; by itself it has 1e-6
Solve = Callable[[], Any]


class Turn(NamedTuple):
    image: np.ndarray
    whole_s: float
    solve_s: float
    terms: int  # of the field


class Contestant(NamedTuple):
    who: str
    version: str
    corrects: bool  # the field
    turn: Callable[[], Turn]


class Prepared(NamedTuple):
    """What is made, with the terms that it has."""

    solve: Solve
    terms: int


class Contest:
    """What all are given: a case, its samples where it is reconstructed, and how many iterations."""

    def __init__(self, case: Case, device: str, iterations: int) -> None:
        self.case, self.iterations = case, iterations
        self.backend = device.partition(":")[0]
        self._cupy = None
        if self.backend == "cuda":
            import cupy
            self._cupy = cupy
            cupy.cuda.Device(int(device.partition(":")[2] or 0)).use()
        self.data = self.placed(case.scan.data)
        self.scan = replace(case.scan, data=self.data)

    def placed(self, values: Any) -> Any:
        """Where it is reconstructed."""
        return self._cupy.asarray(values) if self._cupy else values

    def timed(self, call: Solve) -> tuple[Any, float]:
        """What it returns, and s until the device has finished."""
        self._wait()
        started = time.perf_counter()
        found = call()
        self._wait()
        return found, time.perf_counter() - started

    @property
    def device(self) -> str:
        """What it is, for people."""
        if self._cupy:
            return str(self._cupy.cuda.runtime.getDeviceProperties(self._cupy.cuda.Device().id)["name"].decode())
        return f"{os.cpu_count()} processors"

    def _wait(self) -> None:
        if self._cupy:
            self._cupy.cuda.Device().synchronize()


def _turn(contest: Contest, whole: Solve, prepare: Callable[[], Prepared]) -> Callable[[], Turn]:
    """prepare is called once, and what it makes has solved once before it is timed."""
    @cache
    def made() -> Prepared:
        prepared = prepare()
        prepared.solve()
        return prepared

    def turn() -> Turn:
        prepared = made()
        image, whole_s = contest.timed(whole)
        solve_s = contest.timed(prepared.solve)[1]
        values = kind_of(image).host(image).reshape(contest.case.scan.shape)
        return Turn(values, whole_s, solve_s, prepared.terms)
    return turn


def _terms(plan: Any) -> int:
    """Of the field, in a plan of one operation or of more by the same engine."""
    found = re.search(r"terms=(\d+)", plan.describe()["operations"][0].get("chosen") or "")
    return int(found[1]) if found else 1


def _prepared_ndft(contest: Contest, weights: np.ndarray | None) -> Prepared:
    scan = contest.scan
    fourier = recon.fourier(scan.shape, scan.k, scan.t, scan.field)
    operator = recon.Sense(fourier, scan.maps, weights, contest.data)

    def solve() -> Any:
        right = operator.adjoint(contest.data)
        for step in recon.conjugate_gradients(operator.normal, right, len(scan.shape), contest.iterations, 0):
            image = step.image
        return image
    operations = ("normal",) if weights is None else ("forward", "adjoint")
    like = contest.placed(np.empty(scan.shape, np.complex64))
    return Prepared(solve, _terms(fourier.with_maps(scan.maps).plan(like, len(scan.shape), operations)))


def of_ndft(contest: Contest, weighted: bool) -> Contestant:
    """Whole is recon.reconstruct."""
    weights = [contest.case.weights] if weighted else []
    settings = recon.Settings(contest.iterations, stop=0, density=int(weighted))

    def whole() -> Any:
        return recon.reconstruct(contest.scan, settings, weights).images
    prepare = partial(_prepared_ndft, contest, contest.case.weights if weighted else None)
    return Contestant(f"ndft.recon {'with' if weighted else 'without'} weights", __version__, True,
                      _turn(contest, whole, prepare))


def _prepared_mri_nufft(contest: Contest, backend: str, **options: Any) -> Prepared:
    """Terms of the field are found on the host, then they are where the rest is. Its stopping rules are off."""
    arrays = peers.for_mri_nufft(contest.case)
    if "t" in arrays:
        arrays["t"] = contest.case.scan.t  # of a shot: it takes them so
    data = contest.placed(np.ascontiguousarray(arrays.pop("data")))
    arrays["maps"] = contest.placed(arrays["maps"])
    operator = mri_nufft_lsqr.operator_of(backend, **arrays, **options)
    if "field" in arrays:
        operator.B, operator.C = (contest.placed(np.asarray(part, np.complex64)) for part in (operator.B, operator.C))
    solve = partial(operator.pinv_solver, data, max_iter=contest.iterations, atol=0, btol=0, conlim=0,
                    progressbar=False)
    return Prepared(solve, getattr(operator, "n_interpolators", 1))


def of_mri_nufft(contest: Contest, how: str, **options: Any) -> Contestant:
    """Missing where it or the backend is not there."""
    backend = "cufinufft" if contest.backend == "cuda" else "finufft"
    try:
        versions = f"{version('mri-nufft')}, {backend} {import_module(backend).__version__}"
        import_module("mrinufft").get_operator(backend)
    except (ImportError, ValueError) as error:
        raise peers.Missing(f"MRI-NUFFT: {error}") from None
    prepare = partial(_prepared_mri_nufft, contest, backend, **options)
    return Contestant(f"MRI-NUFFT, {how}", versions, True, _turn(contest, lambda: prepare().solve(), prepare))


def _said_s(pics: peers.Pics, iterations: int) -> float:
    found = re.search(r"Total Time: ([0-9.]+)", pics.run(iterations))
    if not found:
        raise peers.Missing("BART says no time")
    return float(found[1])


def of_bart(contest: Contest, program: str, folder: Path, *options: str) -> Contestant:
    folder.mkdir(parents=True)
    pics = peers.Pics(program, folder, contest.case, *options)
    more = contest.iterations * MORE[contest.backend]

    def turn() -> Turn:
        started = time.perf_counter()
        few = _said_s(pics, contest.iterations)
        whole_s, image = time.perf_counter() - started, pics.image()
        many = _said_s(pics, contest.iterations + more)
        return Turn(image, whole_s, (many - few) * contest.iterations / more, 0)
    return Contestant(" ".join(["BART pics", *options]), pics.name.partition(" ")[2], False, turn)


def makers(contest: Contest, bart: str, folder: Path, terms: int) -> Iterator[tuple[str, Callable[[], Contestant]]]:
    """Each by its name; MRI-NUFFT as it is by itself, and with these terms, our tolerance and several coils at once."""
    on_gpu, coils = contest.backend == "cuda", contest.case.scan.coils
    for weighted in (False, True):
        yield "ndft.recon", partial(of_ndft, contest, weighted)
    yield "MRI-NUFFT", partial(of_mri_nufft, contest, "as it is by itself")
    for trans in sorted({1, 8, coils}) if on_gpu else [coils]:
        yield "MRI-NUFFT", partial(of_mri_nufft, contest, f"eps={TUNED_EPS:g}, n_trans={trans}", eps=TUNED_EPS,
                                   n_trans=trans, terms=terms)
    for options in (["-g"], ["-g", "--gpu-gridding"]) if on_gpu else ([],):
        yield "BART", partial(of_bart, contest, bart, folder / "_".join(["bart", *options]), *options)
