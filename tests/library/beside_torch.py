# SPDX-License-Identifier: Apache-2.0
"""libndft and PyTorch in one process: neither disturbs the other's transforms, whichever host FFT each has.

usage: beside_torch.py LIBNDFT cpu|cuda   exit status 77: PyTorch is not installed, or there is no GPU, or no MKL
       where NDFT_HOST_FFT is mkl, which is the file that NDFT_MKL names or the loader finds
"""

import cmath
import ctypes
import math
import os
import sys

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

if os.environ.get("NDFT_HOST_FFT") == "mkl":
    os.environ["NDFT_HOST_FFT"] = os.environ.get("NDFT_MKL", "mkl")
    try:
        ctypes.CDLL(os.environ.get("NDFT_MKL", "libmkl_rt.so.3"))
    except OSError as error:
        print(f"skipped: no MKL: {error}")
        sys.exit(77)

N = 60
FORWARD, EDEVICE = 1, 4
ndft = ctypes.CDLL(sys.argv[1])
ndft.ndft_message.restype = ctypes.c_char_p


class Options(ctypes.Structure):
    """ndft_plan_options"""

    _fields_ = [("struct_size", ctypes.c_size_t), ("deterministic", ctypes.c_bool), ("one_engine", ctypes.c_bool),
                ("memory_limit", ctypes.c_size_t), ("variant", ctypes.c_char_p)]


def must(status):
    assert status == 0, ndft.ndft_message().decode()


def spectrum(device, variant):
    """Of the signal, by a transform of libndft; variant: NULL leaves the choice to it."""
    options = Options(struct_size=ctypes.sizeof(Options), variant=variant)
    transform = (ctypes.c_char * 4096)()  # larger than an ndft_transform
    problem, plan, opened = (ctypes.c_void_p() for _ in range(3))
    signal, found = ((ctypes.c_float * (2 * N))() for _ in range(2))
    for i, z in enumerate(SIGNAL):
        signal[2 * i], signal[2 * i + 1] = z.real, z.imag
    status = ndft.ndft_device_open(device, None, ctypes.byref(opened))
    if status == EDEVICE:
        print(f"skipped: {ndft.ndft_message().decode()}")
        sys.exit(77)
    must(status)
    must(ndft.ndft_transform_parse(b"scfo%d" % N, transform))
    must(ndft.ndft_transform_create(opened, transform, None, ctypes.byref(problem)))
    must(ndft.ndft_plan_create(problem, FORWARD, ctypes.byref(options), ctypes.byref(plan)))
    must(ndft.ndft_execute_host(plan, FORWARD, signal, found))
    ndft.ndft_plan_destroy(plan)
    ndft.ndft_problem_destroy(problem)
    ndft.ndft_device_close(opened)
    return [complex(found[2 * i], found[2 * i + 1]) for i in range(N)]


def theirs():
    return torch.fft.fft(torch.tensor(SIGNAL, dtype=torch.complex64, device=device.decode())).tolist()


def close(found):
    assert max(abs(a - b) for a, b in zip(found, WANTED)) < 1e-3, found[:3]


SIGNAL = [complex(math.sin(3 * i), math.cos(i * i)) for i in range(N)]
WANTED = [sum(z * cmath.exp(-2j * math.pi * i * k / N) for i, z in enumerate(SIGNAL)) for k in range(N)]
device = sys.argv[2].encode()
if device == b"cpu" or torch.cuda.is_available():
    close(theirs())
for variant in (None, b"uniform_vendor." + device, b"bluestein_single." + device):
    close(spectrum(device, variant))  # of a GPU that is missing it ends here
    close(theirs())
print("both are right")
