# SPDX-License-Identifier: Apache-2.0
"""No call of CUDA, cuFFT, CUB, NVRTC or NVML drops its status."""

import re

import pytest

from test_layering import ROOT, sources

CALL = re.compile(r"\b(cuda[A-Z]\w*|cufft\w+|cub(?:::\w+)+|nvrtc\w+|nvml\w+|cu[A-Z]\w*)\s*\(")
# NVRTC and NVML are loaded: their functions are pointers in a struct `n` of these files.
LOADED = {"callback_module.c": re.compile(r"\bn(?:->|\.)(\w+)(?:\[\w+\])?\s*\("),
          "nvml.c": re.compile(r"\bn(?:->|\.)(\w+)\s*\(")}  # fmt: skip
# Nothing can be done where one of these fails, or its own purpose is to forget a status.
RELEASES = re.compile(r".*(Free|FreeHost|Destroy|Unload|GetLastError|shutdown|destroy)")
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|^\s*#(?:[^\n]*\\\n)*[^\n]*|"(?:\\.|[^"\\\n])*"', re.S | re.M)


def blank(text):
    """The same text, comments, strings and the preprocessor's lines as spaces."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def heads_a_statement(before):
    """Whether a statement begins after these words, or a value that is thrown away."""
    before = before.rstrip()
    if not before or before[-1] in ";{}" or re.search(r"\belse$|\(\s*void\s*\)$", before):
        return True
    if before[-1] != ")":
        return False
    depth, at = 0, len(before)
    while at and (depth or at == len(before)):
        at -= 1
        depth += {")": 1, "(": -1}.get(before[at], 0)
    return bool(re.search(r"\b(if(\s+constexpr)?|for|while|switch)$", before[:at].rstrip()))


def dropped(text, call=CALL):
    text = blank(text)
    for match in call.finditer(text):
        if not RELEASES.fullmatch(match[1]) and heads_a_statement(text[: match.start()]):
            yield text.count("\n", 0, match.start()) + 1, match[1]


def test_no_status_is_dropped():
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sources()
        if path.suffix in {".c", ".h", ".cu", ".cuh"}
        for call in [CALL, *filter(None, [LOADED.get(path.name)])]
        for line, name in dropped(path.read_text(), call)
    ]
    assert "\n".join(found) == ""


@pytest.mark.parametrize(
    "text",
    [
        "void f() { cudaMemcpyAsync(a, b, n, kind, stream); }",
        "x = 1;\n    cub::DeviceRadixSort::SortPairs(a,\n b);",
        "if (copy) cudaMemsetAsync(a, 0, n, stream);",
        "for (int i = 0; i < f(n); i++) cufftExecC2C(plan, a, b, 1);",
        "else\n cuLaunchKernel(f);",
        "(void)cudaEventRecord(mark, stream);",
        "/* ; */ do { nvrtcGetProgramLog(program, log); } while (0);",
    ],
)
def test_a_planted_one_is_found(text):
    assert len(list(dropped(text))) == 1


def test_a_planted_one_is_found_behind_a_pointer():
    text = "{ n->log(program, log); if (n->compile(program, 0, 0)) n->destroy(&program); }"
    assert list(dropped(text, LOADED["callback_module.c"])) == [(1, "log")]


@pytest.mark.parametrize(
    "text",
    [
        "error = cudaMalloc(&a, n);",
        "if (cudaMalloc(&a, n) != cudaSuccess) return x;",
        "return check(exec, cudaEventCreate(&e), call);",
        "cudaError_t e =\n    cudaLibraryLoadData(&l, 0);",
        "{ if (a) (void)cudaFree(a); cudaGetLastError(); } // cudaMemcpy(a);",
        'say("; cudaMalloc(a)");\n#define NAME ; cudaMalloc(a)\n',
        "while (cudaEventQuery(e) == busy) wait();",
    ],
)
def test_what_is_looked_at_is_not(text):
    assert not list(dropped(text))
