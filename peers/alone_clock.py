# SPDX-License-Identifier: Apache-2.0
"""Memory, clock and ways to run of a processor and of a GPU, for alone.py."""

import ctypes
import gc
import itertools
import math
import os
import statistics
import time
from pathlib import Path

import numpy as np

INT, SIZE, POINTER = ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p
SAMPLE_S = 1e-3  # the least that is timed at once
MOST_IN_A_GRAPH = 256


def checked(result, call, fine=(0,)):
    if result not in fine:
        raise SystemExit(f"alone: {call} returned {result}")


class Call:
    """A function with its arguments, converted once, so that a call is one of C and little else."""

    unit = 1  # executions that are run together

    def __init__(self, function, *arguments, fine=(0,)):
        function.argtypes, function.restype = [type(a) for a in arguments], INT
        self.function, self.arguments, self.fine = function, arguments, fine

    def run(self, count):
        function, arguments, result = self.function, self.arguments, 0
        for _ in itertools.repeat(None, count):
            result |= function(*arguments)
        checked(result, function.__name__, self.fine)


class Replay:
    """Executions that were captured, run by launching their graph."""

    def __init__(self, launch, unit):
        self.launch, self.unit = launch, unit

    def run(self, count):
        self.launch.run(count // self.unit)


class Host:
    """The processor."""

    stream = POINTER()

    def __init__(self):
        self.kept, self.before = [], set(os.listdir("/proc/self/task"))

    def allocate(self, size):
        room = np.empty(size + 64, np.uint8)
        self.kept.append(room)
        return (room.ctypes.data + 63) // 64 * 64

    def put(self, address, array):
        ctypes.memmove(address, array.ctypes.data, array.nbytes)

    def get(self, array, address):
        ctypes.memmove(array.ctypes.data, address, array.nbytes)
        return array

    def poison(self, address, size):
        ctypes.memset(address, 255, size)

    def upload(self, array):
        address = self.allocate(array.nbytes)
        self.put(address, array)
        return address

    def wait(self):
        pass

    def pin(self):
        """The library's threads, which have come since the beginning, each to a core of its own; the
        calling one takes what is left. As ndft has them (harness/instruments/pin.h)."""
        new = sorted(map(int, set(os.listdir("/proc/self/task")) - self.before))
        cores = cores_first(sorted(os.sched_getaffinity(0)))
        named = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"} & os.environ.keys()
        if not named and len(new) < len(cores):
            for thread, core in zip(new, cores[1:]):
                os.sched_setaffinity(thread, {core})

    def captured(self, _call, _once):
        raise SystemExit("alone: a processor has no graphs: --mode batch")

    def seconds(self, call, count, _queueing_s=0.0):
        """Of an execution, and the host's of a call."""
        begin = time.perf_counter()
        call.run(count)
        each = (time.perf_counter() - begin) / count
        return each, each


def cores_first(processors):
    """Physical cores before their second hardware threads."""
    def is_second(processor):
        path = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        first = path.read_text().split(",")[0].split("-")[0] if path.exists() else processor
        return int(first) < processor and int(first) in processors
    return sorted(processors, key=is_second)


class Device(Host):
    """The first GPU, on a stream of our own."""

    def __init__(self):
        self.cuda = ctypes.CDLL(os.environ.get("NDFT_CUDART", "libcudart.so"))
        self.stream, self.events = POINTER(), [POINTER(), POINTER()]
        self.call("cudaStreamCreate", ctypes.byref(self.stream))
        for event in self.events:
            self.call("cudaEventCreate", ctypes.byref(event))
        self.work, self.work_s = 0, 0.0

    def call(self, name, *arguments):
        checked(getattr(self.cuda, name)(*arguments), name)

    def allocate(self, size):
        address = POINTER()
        self.call("cudaMalloc", ctypes.byref(address), SIZE(size))
        return address.value

    def put(self, address, array):
        self.call("cudaMemcpy", POINTER(address), POINTER(array.ctypes.data), SIZE(array.nbytes), INT(1))

    def get(self, array, address):
        self.call("cudaMemcpy", POINTER(array.ctypes.data), POINTER(address), SIZE(array.nbytes), INT(2))
        return array

    def poison(self, address, size):
        self.call("cudaMemsetAsync", POINTER(address), INT(255), SIZE(size), self.stream)

    def wait(self):
        self.call("cudaDeviceSynchronize")

    def pin(self):
        pass

    def captured(self, call, once):
        """A call so often that it lasts about a millisecond."""
        unit = min(max(math.ceil(SAMPLE_S / once), 1), MOST_IN_A_GRAPH)
        graph, ready = POINTER(), POINTER()
        self.call("cudaStreamBeginCapture", self.stream, INT(1))
        call.run(unit)
        self.call("cudaStreamEndCapture", self.stream, ctypes.byref(graph))
        self.call("cudaGraphInstantiateWithFlags", ctypes.byref(ready), graph, ctypes.c_ulonglong(0))
        return Replay(Call(self.cuda.cudaGraphLaunch, ready, self.stream), unit)

    def timed(self, queue):
        """Seconds that the device takes for what is queued."""
        begin, end = self.events
        self.call("cudaEventRecord", begin, self.stream)
        queue()
        self.call("cudaEventRecord", end, self.stream)
        self.wait()
        elapsed = ctypes.c_float()
        self.call("cudaEventElapsedTime", ctypes.byref(elapsed), begin, end)
        return elapsed.value * 1e-3

    def keep_busy(self, seconds, size=1 << 27):
        """Work for the device while what is to be timed is queued behind it."""
        if not self.work:
            self.work = self.allocate(size)
            self.work_s = min(self.timed(lambda: self.poison(self.work, size)) for _ in range(3))
        for _ in range(min(math.ceil(seconds / self.work_s), 128)):
            self.poison(self.work, size)

    def seconds(self, call, count, queueing_s=0.0):
        self.keep_busy(1.2 * count * queueing_s)
        host = []

        def queue():
            begin = time.perf_counter()
            call.run(count)
            host.append((time.perf_counter() - begin) / count)
        return self.timed(queue) / count, host[0]


def measure(device, call, seconds):
    """The median time of an execution, after a warm-up that is as long."""
    samples, host = [], 0.0
    once = min(device.seconds(call, call.unit)[0] for _ in range(3))
    count = call.unit * max(1, math.ceil(SAMPLE_S / once / call.unit))
    gc.disable()
    start = time.perf_counter() + seconds
    while len(samples) < 5 or time.perf_counter() < start + seconds:
        each, host = device.seconds(call, count, host)
        if time.perf_counter() >= start:
            samples.append(each)
    gc.enable()
    return statistics.median(samples)
