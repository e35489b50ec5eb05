# SPDX-License-Identifier: Apache-2.0
"""A peer's record had again without ndft: numpy, ctypes and the rival's own library, nothing else.

    ./ndft export CASE FOLDER
    python3 peers/alone.py finufft FOLDER --eps 1e-4 [--terms L] [--library FILE] [--seconds 1] [OPTION=VALUE...]
    python3 peers/alone.py vkfft FOLDER --in 1,1,0,0,1009 --out 1,1,0,0,1009 OPTION=VALUE...

finufft or cufinufft; OPTION is a field of its options structure. vkfft: of vkfft_request in
peers/vkfft_module.h, --in and --out are the strides of M, N1, N2, N3 and K. Prints the median time
of execute, the time of the plan and of its set-points, and the relative l2 error against
FOLDER/reference.npy. On a GPU executions are queued between two events; in place each takes what the
last has left. `ndft repro` prints the command of a record. A field map is L transforms of every coil,
whose factors are ndft's: --terms L times these transforms alone, without the weighing and with no
error.
"""

import argparse
import ctypes
import math
import os
import statistics
import sys
import time
from pathlib import Path

import numpy as np

INT, DOUBLE, POINTER = ctypes.c_int, ctypes.c_double, ctypes.c_void_p
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


class Host:
    """Memory and clock of the processor."""

    def upload(self, array):
        return array.ctypes.data

    def download(self, array, _address):
        return array

    def wait(self):
        pass

    def seconds(self, run, count):
        begin = time.perf_counter()
        for _ in range(count):
            run()
        return (time.perf_counter() - begin) / count


class Device(Host):
    """Memory and clock of the first GPU."""

    def __init__(self):
        self.cuda = ctypes.CDLL(os.environ.get("NDFT_CUDART", "libcudart.so"))
        self.events = [POINTER(), POINTER()]
        for event in self.events:
            self.call("cudaEventCreate", ctypes.byref(event))

    def call(self, name, *arguments):
        if getattr(self.cuda, name)(*arguments):
            raise SystemExit(f"alone: {name} failed")

    def upload(self, array):
        address = POINTER()
        self.call("cudaMalloc", ctypes.byref(address), ctypes.c_size_t(array.nbytes))
        self.call("cudaMemcpy", address, POINTER(array.ctypes.data), ctypes.c_size_t(array.nbytes), INT(1))
        return address.value

    def download(self, array, address):
        self.call("cudaMemcpy", POINTER(array.ctypes.data), POINTER(address), ctypes.c_size_t(array.nbytes),
                  INT(2))
        return array

    def wait(self):
        self.call("cudaDeviceSynchronize")

    def seconds(self, run, count):
        begin, end = self.events
        self.call("cudaEventRecord", begin, POINTER())
        for _ in range(count):
            run()
        self.call("cudaEventRecord", end, POINTER())
        self.wait()
        elapsed = ctypes.c_float()
        self.call("cudaEventElapsedTime", ctypes.byref(elapsed), begin, end)
        return elapsed.value * 1e-3 / count


def measure(device, run, seconds):
    """The median of samples that last a hundredth of the time each."""
    for _ in range(3):
        once = device.seconds(run, 1)
    count = max(1, math.ceil(seconds / 100 / once))
    end, samples = time.perf_counter() + seconds, []
    while len(samples) < 5 or time.perf_counter() < end:
        samples.append(device.seconds(run, count))
    return statistics.median(samples)


def checked(result, call, fine=(0, 1)):
    """(cu)FINUFFT's 1 warns that the tolerance is below what it reaches."""
    if result not in fine:
        raise SystemExit(f"alone: {call} returned {result}")


class Plan:
    """Their plan of an exported case, with its points set; execute runs it."""

    def __init__(self, library, name, folder, eps, terms, options, device):
        def load(part):
            return np.load(folder / f"{part}.npy")

        k, image, kspace = load("k"), *(np.concatenate([load(part)] * terms) for part in ("image", "kspace"))
        forward = (folder / "case.txt").read_text().startswith("forward ")
        single = k.dtype == np.float32
        prefix = name + ("f" if single else "")
        given, self.out = (image, np.empty_like(kspace)) if forward else (kspace, np.empty_like(image))
        modes = image.shape[1:][::-1][:k.shape[1]]
        self.opts = type("Opts", (ctypes.Structure,), {"_fields_": FINUFFT if name == "finufft" else CUFINUFFT})()
        getattr(library, f"{name}_default_opts")(ctypes.byref(self.opts))
        for option, value in options.items():
            setattr(self.opts, option, value)
        self.points = [np.ascontiguousarray(2 * np.pi * k[:, d].astype(float) / modes[d], k.dtype)
                       for d in range(k.shape[1])]
        given = np.ascontiguousarray(given)
        self.kept = [device.upload(points) for points in self.points]
        addresses = [POINTER(a) for a in self.kept] + [POINTER()] * (3 - len(self.kept))
        plan = POINTER()
        shape = (ctypes.c_int64 * 3)(*modes, *(1,) * (3 - len(modes)))
        begin = time.perf_counter()
        checked(getattr(library, f"{prefix}_makeplan")(
            2 if forward else 1, len(modes), shape, -1 if forward else 1, len(image),
            (ctypes.c_float if single else DOUBLE)(eps), ctypes.byref(plan), ctypes.byref(self.opts)), "makeplan")
        device.wait()
        planned = time.perf_counter()
        checked(getattr(library, f"{prefix}_setpts")(plan, ctypes.c_int64(len(k)), *addresses, ctypes.c_int64(0),
                                                     POINTER(), POINTER(), POINTER()), "setpts")
        device.wait()
        self.plan_s, self.setpts_s = planned - begin, time.perf_counter() - planned
        self.given, self.address, self.device = given, device.upload(self.out), device
        first, second = POINTER(device.upload(given)), POINTER(self.address)
        samples, grid = (second, first) if forward else (first, second)
        run = getattr(library, f"{prefix}_execute")
        self.execute = lambda: checked(run(plan, samples, grid), "execute")

    def found(self):
        return self.device.download(self.out, self.address)


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
    """VkFFT's plan of an exported uniform transform; execute runs it."""

    def __init__(self, library, folder, strides, options, device):
        request = type("Request", (ctypes.Structure,), {"_fields_": VKFFT})()
        for option, values in options.items():
            getattr(request, option)[:len(values)] = values
        single, backward = not request.f64[0], request.real[0] and request.inverse[0]
        given, reference = np.load(folder / "input.npy"), np.load(folder / "reference.npy", mmap_mode="r")
        signal, spectrum = (np.float32, np.complex64) if single else (np.float64, np.complex128)
        source = Side(given.shape, given.dtype, strides[0])
        self.side = Side(reference.shape, signal if backward else spectrum, strides[1])
        memory = np.zeros(max(source.bytes, self.side.bytes) + 16, np.uint8)
        source.of(memory)[...] = given
        self.device, self.memory = device, np.zeros_like(memory)
        first = device.upload(memory)
        self.kept, self.address = memory, first if request.in_place[0] else device.upload(self.memory)
        plan = POINTER()
        begin = time.perf_counter()
        checked(library.ndft_vkfft_plan(ctypes.byref(request), POINTER(), ctypes.byref(plan)), "VkFFT's plan", (0,))
        self.plan_s, self.setpts_s = time.perf_counter() - begin, 0
        self.execute = lambda: checked(
            library.ndft_vkfft_execute(plan, POINTER(first), POINTER(self.address)), "VkFFT's execution", (0,))

    def found(self):
        return self.side.of(self.device.download(self.memory, self.address))


def made(given):
    """The plan of what the command line asks for."""
    file = given.library or os.environ.get(f"NDFT_{given.name.upper()}") or f"lib{given.name}.so"
    library = ctypes.CDLL(file)
    device = Host() if given.name == "finufft" else Device()
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


def main():
    parser = argparse.ArgumentParser(description="a peer's record had again without ndft")
    parser.add_argument("name", choices=("finufft", "cufinufft", "vkfft"))
    parser.add_argument("folder", type=Path, help="of ndft export")
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--eps", type=float, help="the tolerance to ask for; not of vkfft")
    parser.add_argument("--terms", type=int, help="of a field map: so many times the transforms, and no error")
    parser.add_argument("--in", dest="source", metavar="STRIDES", help="of the input; vkfft")
    parser.add_argument("--out", metavar="STRIDES", help="of the output; vkfft")
    parser.add_argument("--library", help="the file (NDFT_FINUFFT, NDFT_CUFINUFFT, NDFT_VKFFT)")
    parser.add_argument("--seconds", type=float, default=1)
    given = parser.parse_intermixed_args()
    needed = (given.source and given.out) if given.name == "vkfft" else given.eps
    if not needed:
        parser.error(f"{given.name} needs " + ("--in and --out" if given.name == "vkfft" else "--eps"))
    device, plan = made(given)
    plan.execute()
    device.wait()
    if given.terms:
        error = f"no error: the transforms of {given.terms} terms alone, whose factors are ndft's"
    else:
        error = f"rel_l2 {error_of(plan.found(), given.folder):.3g}"
    median = measure(device, plan.execute, given.seconds)
    print(f"{given.name} execute {median:.6g} s, {error}, plan {plan.plan_s:.3g} s, "
          f"set-points {plan.setpts_s:.3g} s")


if __name__ == "__main__":
    sys.exit(main())
