# SPDX-License-Identifier: Apache-2.0
"""Reads the machine code of the loops behind `ndft peak`: of each at least 95 % of the instructions
must be the ones that it is to measure, in the proportion that it says."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from program import PROGRAM

BUILD = Path(PROGRAM).parent
PURE = 0.95

# Part of a kernel's mangled name -> opcodes and how many of each there are to the others.
KERNELS = {
    "10fma_chainsIfE": {"FFMA": 1},
    "10fma_chainsIdE": {"DFMA": 1},
    "10add_chainsIfE": {"FADD": 1},
    "10add_chainsIdE": {"DADD": 1},
    "14special_chains": {"MUFU": 1},
    "12mixed_chains": {"MUFU": 1, "FFMA": 6},
    "14integer_chains": {"IADD3": 1, "LOP3": 1},
    "17conversion_chains": {"F2I": 1, "I2FP": 1},
    "12issue_chains": {"FFMA": 4, "IADD3": 1, "LOP3": 1},
    "11shared_read": {"LDS": 1},
    "7l2_read": {"LDG": 1},
    "9dram_copy": {"LDG": 1, "STG": 1},
    "10reductions": {"REDG": 1},
    "8productsINS_12half_product": {"HMMA": 1},
    "8productsINS_12tf32_product": {"HMMA": 1},
    "14group_productsINS_12half_product": {"HGMMA": 1},
    "14group_productsINS_12tf32_product": {"HGMMA": 1},
    "12products_f64": {"DMMA": 1},
}
# Kernels that measure nothing by their loop.
OTHERS = ("4drawE", "7nothingE")
# The assembler itself puts these behind every DMMA, to hold the warp back while it works.
PADDING = {"12products_f64": {"NOP"}}

SUFFIX = {"f32": "ps", "f64": "pd"}
REGISTER = {"v2": "xmm", "v3": "ymm", "v4": "zmm"}
# A function of peak_loop.c -> patterns of its instructions, without and with FMA.
FUNCTIONS = {
    "peak_fma": (["mul", "add"], ["vfmadd"]),
    "peak_add": (["add"], ["vadd"]),
    "peak_issue": (["mul", "add", "sub"], ["vfmadd", "vadd", "vsub"]),
    "peak_read": (["add"], ["vadd"]),
}


def innermost(instructions, is_jump, ends):
    """The longest run of (address, opcode, operands) from a backward jump's target to the jump
    with no other such jump in between; a run that cannot be passed through is no loop."""
    at = {address: i for i, (address, _, _) in enumerate(instructions)}
    loops = []
    for i, (address, opcode, operands) in enumerate(instructions):
        target = is_jump(opcode, operands)
        if target is not None and target < address and target in at:
            body = instructions[at[target]:i + 1]
            if not any(op in ends for _, op, _ in body[:-1]):
                loops.append((at[target], i, body))
    inner = [a for a in loops if not any(b is not a and a[0] <= b[0] and b[1] <= a[1]
                                         for b in loops)]
    return max((body for _, _, body in inner), key=len, default=[])


def kernels(listing):
    """cuobjdump's listing -> kernel name, opcodes of its loop."""
    def jump(opcode, operands):
        target = re.search(r"0x([0-9a-f]+)", operands)
        return int(target[1], 16) if opcode == "BRA" and target else None

    for part in listing.split("Function : ")[1:]:
        found = re.findall(r"/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z]\w*)([^;]*);", part)
        code = [(int(address, 16), opcode, rest) for address, opcode, rest in found]
        yield part.split()[0], [opcode for _, opcode, _ in innermost(code, jump, {"EXIT"})]


def functions(listing):
    """objdump's listing -> function name, (opcode, operands) of its loop."""
    def jump(opcode, operands):
        target = re.match(r"[0-9a-f]+", operands)
        return int(target[0], 16) if opcode.startswith("j") and target else None

    for part in re.split(r"\n(?=[0-9a-f]+ <)", listing):
        name = re.match(r"[0-9a-f]+ <(\w+)>:", part)
        found = re.findall(r"^\s*([0-9a-f]+):\s+(\S+)[ \t]*(.*)$", part, re.MULTILINE)
        code = [(int(address, 16), opcode, rest) for address, opcode, rest in found]
        if name:
            yield name[1], [(op, rest) for _, op, rest in innermost(code, jump, {"ret", "jmp"})]


def impurity(opcodes, wanted, padding=frozenset()):
    """None, or what is wrong with a loop of these opcodes."""
    counts = Counter(opcode for opcode in opcodes if opcode not in padding)
    if not counts:
        return "no loop"
    share = sum(counts[name] for name in wanted) / counts.total()
    if share < PURE:
        return f"only {share:.1%} of the loop are {', '.join(wanted)}: {dict(counts)}"
    units = {counts[name] / part for name, part in wanted.items()}
    return None if len(units) == 1 else f"not in proportion {wanted}: {dict(counts)}"


def setting(name):
    cache = (BUILD / "CMakeCache.txt").read_text()
    found = re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE)
    return found[1] if found else ""


def objects(pattern):
    found = sorted(BUILD.glob(f"CMakeFiles/*/harness/peak/{pattern}.o"))
    if not found:
        pytest.skip(f"no {pattern} was built")
    if setting("CMAKE_BUILD_TYPE") not in ("", "Release"):
        pytest.skip("machine code is looked at in release builds only")
    return found


def dump(tool, *arguments):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    return subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout


def test_loops_of_cuda_kernels():
    seen, wrong = set(), []
    for path in objects("*.cu"):
        for name, opcodes in kernels(dump("cuobjdump", "-sass", path)):
            if any(other in name for other in OTHERS):
                continue
            keys = [key for key in KERNELS if key in name]
            assert len(keys) == 1, f"{name} is none of the kernels that are known here"
            seen.update(keys)
            why = impurity(opcodes, KERNELS[keys[0]], PADDING.get(keys[0], frozenset()))
            if why:
                wrong.append(f"{name}: {why}")
    assert wrong == []
    assert seen == set(KERNELS)


def test_loops_of_the_processor():
    seen = set()
    for path in objects("peak_loop.c"):
        for symbol, code in functions(dump("objdump", "-d", "--no-show-raw-insn", path)):
            name, isa, prec = symbol.rsplit("_", 2)
            patterns = FUNCTIONS[name][isa != "v2"]
            expected = re.compile(rf"({'|'.join(patterns)})\d*{SUFFIX[prec]}$")
            pure = [op for op, rest in code if expected.match(op) and REGISTER[isa] in rest]
            assert len(pure) >= PURE * len(code) > 0, f"{symbol}: {Counter(op for op, _ in code)}"
            for pattern in patterns:
                assert any(op.startswith(pattern) for op in pure), f"{symbol} has no {pattern}"
            seen.add(symbol)
    assert len(seen) == 6 * len(FUNCTIONS)


SASS = """
		Function : _Z4loop
        /*0010*/                   S2R R0, SR_TID.X ;
        /*0020*/                   FFMA R4, R5, R6, R4 ;
        /*0030*/                   @!P0 {} R4, R5, R6, R4 ;
        /*0040*/               @P0 BRA 0x20 ;
        /*0050*/                   EXIT ;
        /*0060*/                   BRA 0x60;
"""


def test_a_loop_is_found_between_its_jump_and_the_target():
    assert list(kernels(SASS.format("FMUL"))) == [("_Z4loop", ["FFMA", "FMUL", "BRA"])]


def test_another_instruction_and_another_proportion_are_seen():
    assert impurity(["FFMA"] * 99 + ["BRA"], {"FFMA": 1}) is None
    assert impurity(["FFMA"] * 94 + ["FMUL"] * 5 + ["BRA"], {"FFMA": 1}).startswith("only 94.0%")
    assert "proportion" in impurity(["FFMA"] * 60 + ["MUFU"] * 20, {"FFMA": 6, "MUFU": 1})
    assert impurity([], {"FFMA": 1}) == "no loop"
