# SPDX-License-Identifier: Apache-2.0
"""A peer's record had again without ndft: numpy, ctypes and the rival's own library, nothing else.

    ./ndft export CASE FOLDER
    python3 peers/alone.py finufft FOLDER --eps 1e-4 [--terms L] [--library FILE] [--seconds 1] [OPTION=VALUE...]
    python3 peers/alone.py cufinufft FOLDER --eps 1e-4 --mode graph [OPTION=VALUE...]
    python3 peers/alone.py vkfft FOLDER --mode graph --in 1,1,0,0,1009 --out 1,1,0,0,1009 OPTION=VALUE...

OPTION is a field of the options structure of finufft and cufinufft; of vkfft, of vkfft_request in
peers/vkfft_module.h, and --in and --out are the strides of M, N1, N2, N3 and K. Prints the median time
of execute, the time of the plan and of its set-points, and the relative l2 error against
FOLDER/reference.npy of an execution in the mode that is timed. `ndft bench`, `ndft repro` and records
have the command. A field map is L transforms of every coil, whose factors are ndft's: --terms L times
these transforms alone, without the weighing and with no error.

batch: executions back to back, of a millisecond at least; on a GPU on a stream of our own, between two
events, queued while the device is busy with something else. graph: the same, captured once and replayed.
Both last --seconds after a warm-up of the same length. The threads that the library starts on a
processor are pinned as ndft pins them. In place each execution takes what the last has left.
"""

import argparse
import ctypes
import math
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))  # python -P, or PYTHONSAFEPATH, leaves it out
from alone_clock import INT, POINTER, Call, Device, Host, checked, measure

DOUBLE = ctypes.c_double
TOO_SMALL = (0, 1)  # (cu)FINUFFT's 1 warns that the tolerance is below what it reaches
FINUFFT = (  # finufft_opts.h of releases 2.4 and 2.5
    [(name, INT) for name in ("modeord", "spreadinterponly", "debug", "spread_debug", "showwarn", "nthreads",
                              "fftw", "spread_sort", "spread_kerevalmeth", "spread_kerpad")]
    + [("upsampfac", DOUBLE)]
    + [(name, INT) for name in ("spread_thread", "maxbatchsize", "spread_nthr_atomic", "spread_max_sp_size",
                                "spread_kerformula")]
    + [("later", POINTER * 32)])
CUFINUFFT = (  # cufinufft_opts.h of release 2.5
    [("upsampfac", DOUBLE)]
    + [(name, INT) for name in (
        "gpu_method", "gpu_sort", "gpu_binsizex", "gpu_binsizey", "gpu_binsizez", "gpu_obinsizex",
        "gpu_obinsizey", "gpu_obinsizez", "gpu_maxsubprobsize", "gpu_kerevalmeth", "gpu_spreadinterponly",
        "gpu_maxbatchsize", "gpu_device_id")]
    + [("gpu_stream", POINTER), ("modeord", INT), ("gpu_np", INT), ("debug", INT), ("later", POINTER * 32)])
VKFFT = [(name, ctypes.c_int64 * (4 if name in ("size", "stride", "input_stride") else 1)) for name in (
    "dim", "size", "batches", "omit", "f64", "real", "inverse", "in_place", "stride", "input_stride", "bytes",
    "input_bytes", "coalescedMemory", "aimThreads", "useLUT", "registerBoost", "performBandwidthBoost",
    "fixMaxRaderPrimeMult", "fixMaxRaderPrimeFFT", "fixMaxRadixBluestein")]


class Plan:
    """Their plan of an exported case, with its points set."""

    def __init__(self, library, name, folder, eps, terms, options, device):
        def load(part):
            return np.load(folder / f"{part}.npy")

        k, image, kspace = load("k"), *(np.concatenate([load(part)] * terms) for part in ("image", "kspace"))
        forward = (folder / "case.txt").read_text().startswith("forward ")
        single = k.dtype == np.float32
        prefix = name + ("f" if single else "")
        self.given, self.out = (image, np.empty_like(kspace)) if forward else (kspace, np.empty_like(image))
        self.device, self.plan = device, POINTER()
        modes = image.shape[1:][::-1][:k.shape[1]]
        opts = self.options(library, name, options)
        points = [device.upload(np.ascontiguousarray(2 * np.pi * k[:, d].astype(float) / modes[d], k.dtype))
                  for d in range(k.shape[1])]
        shape = (ctypes.c_int64 * 3)(*modes, *(1,) * (3 - len(modes)))
        begin = time.perf_counter()
        checked(getattr(library, f"{prefix}_makeplan")(
            2 if forward else 1, len(modes), shape, -1 if forward else 1, len(image),
            (ctypes.c_float if single else DOUBLE)(eps), ctypes.byref(self.plan), ctypes.byref(opts)),
            "makeplan", TOO_SMALL)
        device.wait()
        planned = time.perf_counter()
        checked(getattr(library, f"{prefix}_setpts")(
            self.plan, ctypes.c_int64(len(k)), *map(POINTER, points), *(POINTER(),) * (3 - len(points)),
            ctypes.c_int64(0), POINTER(), POINTER(), POINTER()), "setpts", TOO_SMALL)
        device.wait()
        self.plan_s, self.setpts_s = planned - begin, time.perf_counter() - planned
        self.source, self.address = device.upload(self.given), device.upload(self.out)
        sides = (self.address, self.source) if forward else (self.source, self.address)
        self.execute = Call(getattr(library, f"{prefix}_execute"), self.plan, *map(POINTER, sides), fine=TOO_SMALL)

    def options(self, library, name, options):
        opts = type("Opts", (ctypes.Structure,), {"_fields_": FINUFFT if name == "finufft" else CUFINUFFT})()
        getattr(library, f"{name}_default_opts")(ctypes.byref(opts))
        for option, value in options.items():
            setattr(opts, option, value)
        if name == "cufinufft":
            opts.gpu_stream = self.device.stream
        return opts

    def renew(self):
        self.device.poison(self.address, self.out.nbytes)

    def found(self):
        return self.device.get(self.out, self.address)


class Side:
    """Numbers of a tensor (K,nD..n1,M) in memory, by the strides of M, N1, N2, N3 and K."""

    def __init__(self, shape, dtype, strides):
        inner = [strides[4], *strides[len(shape) - 2:0:-1], strides[0]]
        self.dtype, self.shape = np.dtype(dtype), shape
        self.steps = [step * self.dtype.itemsize for step in inner]
        self.bytes = self.dtype.itemsize + sum((n - 1) * step for n, step in zip(shape, self.steps))

    def of(self, memory):
        return np.ndarray(self.shape, self.dtype, memory, strides=self.steps)


class Transform:
    """VkFFT's plan of an exported uniform transform."""

    def __init__(self, library, folder, strides, options, device):
        request = type("Request", (ctypes.Structure,), {"_fields_": VKFFT})()
        for option, values in options.items():
            getattr(request, option)[:len(values)] = values
        single, backward = not request.f64[0], request.real[0] and request.inverse[0]
        given, reference = np.load(folder / "input.npy"), np.load(folder / "reference.npy", mmap_mode="r")
        signal, spectrum = (np.float32, np.complex64) if single else (np.float64, np.complex128)
        source = Side(given.shape, given.dtype, strides[0])
        self.side = Side(reference.shape, signal if backward else spectrum, strides[1])
        self.memory = np.zeros(max(source.bytes, self.side.bytes) + 16, np.uint8)
        self.given = self.memory.copy()
        source.of(self.given)[...] = given
        self.device, self.source = device, device.upload(self.given)
        self.address = self.source if request.in_place[0] else device.upload(self.memory)
        plan = POINTER()
        begin = time.perf_counter()
        checked(library.ndft_vkfft_plan(ctypes.byref(request), device.stream, ctypes.byref(plan)), "VkFFT's plan")
        self.plan_s, self.setpts_s = time.perf_counter() - begin, 0
        self.execute = Call(library.ndft_vkfft_execute, plan, POINTER(self.source), POINTER(self.address))

    def renew(self):
        self.device.poison(self.address, self.memory.nbytes)
        self.device.wait()
        self.device.put(self.source, self.given)

    def found(self):
        return self.side.of(self.device.get(self.memory, self.address))


def made(given):
    """The plan of what the command line asks for."""
    file = given.library or os.environ.get(f"NDFT_{given.name.upper()}") or f"lib{given.name}.so"
    device = Host() if given.name == "finufft" else Device()
    library = ctypes.CDLL(file)
    options = [option.split("=") for option in given.options]
    if given.name == "vkfft":
        strides = [[int(step) for step in side.split(",")] for side in (given.source, given.out)]
        numbers = {name: [int(n) for n in value.split(",")] for name, value in options}
        return device, Transform(library, given.folder, strides, numbers, device)
    fields = {name: float(value) if name == "upsampfac" else int(value) for name, value in options}
    return device, Plan(library, given.name, given.folder, given.eps, given.terms or 1, fields, device)


def error_of(found, folder):
    """The relative l2 error of what the reference has."""
    reference = np.load(folder / "reference.npy")
    known = ~np.isnan(reference)
    return np.linalg.norm((found - reference)[known]) / np.linalg.norm(reference[known])


def run_once(device, plan, graph):
    """Leaves the output of one execution in the mode that is to be timed."""
    plan.execute.run(1)  # what a first execution loads is no part of a graph
    device.wait()
    plan.renew()
    (device.captured(plan.execute, math.inf) if graph else plan.execute).run(1)
    device.wait()


def timed(device, plan, graph, seconds):
    device.pin()
    once = min(device.seconds(plan.execute, 1)[0] for _ in range(3))
    return measure(device, device.captured(plan.execute, once) if graph else plan.execute, seconds)


def arguments():
    parser = argparse.ArgumentParser(description="a peer's record had again without ndft")
    parser.add_argument("name", choices=("finufft", "cufinufft", "vkfft"))
    parser.add_argument("folder", type=Path, help="of ndft export")
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--mode", choices=("batch", "graph"), default="batch", help="as in the record (batch)")
    parser.add_argument("--eps", type=float, help="the tolerance to ask for; not of vkfft")
    parser.add_argument("--terms", type=int, help="of a field map: so many times the transforms, and no error")
    parser.add_argument("--in", dest="source", metavar="STRIDES", help="of the input; vkfft")
    parser.add_argument("--out", metavar="STRIDES", help="of the output; vkfft")
    parser.add_argument("--library", help="the file (NDFT_FINUFFT, NDFT_CUFINUFFT, NDFT_VKFFT)")
    parser.add_argument("--seconds", type=float, default=1, help="to warm up, and to measure (1)")
    given = parser.parse_intermixed_args()
    needed = (given.source and given.out) if given.name == "vkfft" else given.eps
    if not needed:
        parser.error(f"{given.name} needs " + ("--in and --out" if given.name == "vkfft" else "--eps"))
    return given


def main():
    given = arguments()
    device, plan = made(given)
    run_once(device, plan, given.mode == "graph")
    if given.terms:
        error = f"no error: the transforms of {given.terms} terms alone, whose factors are ndft's"
    else:
        error = f"rel_l2 {error_of(plan.found(), given.folder):.3g}"
    median = timed(device, plan, given.mode == "graph", given.seconds)
    print(f"{given.name} execute {median:.6g} s, {error}, plan {plan.plan_s:.3g} s, "
          f"set-points {plan.setpts_s:.3g} s")


if __name__ == "__main__":
    sys.exit(main())
