# SPDX-License-Identifier: Apache-2.0
"""Puts Nsight Compute or Nsight Systems around `ndft profile`, and keeps ncu's full report and what it counted.

The program runs one variant so many times between cudaProfilerStart and cudaProfilerStop; the tools
look at nothing else. Clocks are left as they are (--clock-control none), since locking them would
change the machine for others, and is often not allowed.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import counters, program
from .records.errors import RecordsError
from .records.lines import write

ENVIRONMENT = 3  # exit status
TOOLS = ("ncu", "nsys", "none")

# What a tool says, and what to do about it.
CURES = {
    "ERR_NVGPUCTRPERM": "reading counters is kept to administrators here. Run as root or with "
    "CAP_SYS_ADMIN (a container needs --cap-add=SYS_ADMIN), or have it allowed to all with the "
    "line 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in /etc/modprobe.d/",
    "LibraryNotLoaded": "the driver's profiling library is not to be had here, as in some "
    "containers and virtual machines; profile on the host",
    "Failed to find metric": "this ncu does not know that metric; ncu --query-metrics lists those "
    "that it knows",
    "No kernels were profiled": "nothing was launched on a device; only variants on cuda can be "
    "profiled with ncu",
}
WHERE = {"ncu": "Nsight Compute", "nsys": "Nsight Systems"}


class Unavailable(Exception):
    """What is needed is not here, or does not work; the message says what to do."""


def add(verbs: argparse._SubParsersAction) -> None:
    verb = verbs.add_parser("profile", help="one variant under ncu or nsys")
    verb.add_argument("case", nargs="?", metavar="CASE")
    verb.add_argument("-v", "--variant", metavar="ID", help="NAME.BACKEND[:knob=value,...]")
    verb.add_argument("-t", "--tool", choices=TOOLS, default="ncu")
    verb.add_argument("-n", "--launches", type=_whole, default=1, metavar="N",
                      help="executions in the profiled range (default 1)")
    verb.add_argument("-o", "--out", type=Path, metavar="FILE",
                      help="of the tool's files without their suffix, default "
                      "build/profile/NAME.BACKEND-UTC; of --import, the record file to append to")
    verb.add_argument("--import", dest="table", type=Path, metavar="CSV",
                      help="run nothing: a table of ncu --csv, of CASE or of the .json beside it")
    verb.add_argument("--no-check", action="store_true", help="do not check the variant first")
    verb.add_argument("--dry-run", action="store_true", help="print the command line only")
    verb.add_argument("--program", type=Path, metavar="FILE", help="default build/ndft")


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no positive whole number")
    return int(text)


def run(options: argparse.Namespace) -> int:
    if options.program:
        os.environ["NDFT_PROGRAM"] = str(options.program)
    try:
        return import_table(options) if options.table else profile(options)
    except Unavailable as error:
        print(f"ndft: {error}", file=sys.stderr)
        return ENVIRONMENT


def profile(options: argparse.Namespace) -> int:
    _need_case(options)
    _need_device(options)
    out = options.out or Path("build/profile") / (
        f"{options.variant.partition(':')[0]}-{program.utc()}")
    inner = inner_command(options)
    if options.tool == "none":
        return _run_bare(inner, options.dry_run)
    model = {} if options.dry_run else _ask(options, "--model")["cost"]
    command = (ncu_command(out, model) if options.tool == "ncu" else nsys_command(out)) + inner
    commands = [command, table_command(out)] if options.tool == "ncu" else [command]
    print(*map(shlex.join, commands), sep="\n", flush=True)
    if options.dry_run:
        return 0
    if not shutil.which(options.tool):
        raise Unavailable(f"{options.tool} is not in PATH; it comes with the CUDA Toolkit and as "
                          f"{WHERE[options.tool]} by itself")
    out.parent.mkdir(parents=True, exist_ok=True)
    said = _run_tool(command, out.with_name(out.name + ".log"))
    if options.tool == "nsys":
        print(f"timeline: {out}.nsys-rep")
        return 0
    _keep(json.loads(said), out)
    return 0


def _need_case(options: argparse.Namespace) -> None:
    if not options.case or not options.variant:
        raise RecordsError("profile needs CASE and --variant ID")


def _need_device(options: argparse.Namespace) -> None:
    """The tools look at a GPU, and their range opens with CUDA's profiler."""
    name = options.variant.partition(":")[0]
    if options.tool != "none" and name.endswith(".cpu"):
        raise RecordsError(f"{name} runs on the processor, where {options.tool} sees nothing; put "
                           "perf around it: perf record build/ndft profile CASE --variant "
                           f"{name} --launches 100")


def inner_command(options: argparse.Namespace) -> list[str]:
    return [str(program.path()), "profile", options.case, "--variant", options.variant,
            "--launches", str(options.launches), "--json",
            *(["--no-check"] if options.no_check else [])]


def ncu_command(out: Path, model: dict[str, float]) -> list[str]:
    """Every section, with the source: a report that Nsight Compute opens, wherever it is carried."""
    return ["ncu", "--clock-control", "none", "--profile-from-start", "off", "--set", "full",
            "--metrics", ",".join(counters.metrics_for(model)), "--import-source", "yes",
            "--source-folders", str(program.ROOT / "variants"), "--log-file", f"{out}.log",
            "--force-overwrite", "--export", f"{out}.ncu-rep"]


def table_command(out: Path) -> list[str]:
    """Prints what the report holds as a table."""
    return ["ncu", "--import", f"{out}.ncu-rep", "--csv", "--page", "raw", "--print-units", "base"]


def nsys_command(out: Path) -> list[str]:
    return ["nsys", "profile", "--capture-range=cudaProfilerApi", "--capture-range-end=stop",
            "--trace=cuda,nvtx", "--sample=none", "--cpuctxsw=none", "--force-overwrite=true",
            "-o", str(out)]


def _run_bare(command: list[str], dry_run: bool) -> int:
    if dry_run:
        print(shlex.join(command))
        return 0
    return subprocess.run(command).returncode


def _run_tool(command: list[str], log: Path) -> str:
    """The line of JSON that the program printed under the tool."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    logged = log.read_text(errors="replace") if log.exists() else ""
    said = "\n".join((logged, done.stdout, done.stderr))
    for sign, cure in CURES.items():
        if sign in said:
            raise Unavailable(f"{command[0]} says {sign}: {cure}")
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"case"')]
    if done.returncode or not lines:
        heard = [line for line in said.splitlines() if line.strip()][-5:]
        raise Unavailable("\n  ".join([f"{command[0]} failed, exit status {done.returncode}; its "
                                       "last words:", *heard]))
    return lines[-1]


def _keep(line: dict[str, Any], out: Path) -> None:
    """Beside the report: its table, what the program said, and the records made of both."""
    table, said, records = (out.with_name(out.name + end) for end in (".csv", ".json", ".jsonl"))
    table.write_text(_printed(table_command(out)), encoding="utf-8")
    write(said, [json.dumps(line) + "\n"], '{"case"')
    found = counters.record(_kernels(table), line, line["run"]["run"])
    _append(records, line["run"], found, line["end"])
    print(f"{counters.text_of(found)}\nreport: {out}.ncu-rep, table: {table}, records: {records}")


def _printed(command: list[str]) -> str:
    done = subprocess.run(command, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise Unavailable(f"{shlex.join(command)} failed, exit status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def _kernels(table: Path) -> list[counters.Kernel]:
    try:
        return counters.read(table.read_text(encoding="utf-8", errors="replace"))
    except RecordsError as error:
        raise RecordsError(f"{table}: {error}") from None


def _append(path: Path, *lines: dict[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def import_table(options: argparse.Namespace) -> int:
    kernels = _kernels(options.table)
    line = _said_beside(options)
    lines = [line["run"], line["end"]] if line["run"] else []
    run_id = line["run"]["run"] if lines else _last_run(options.out)
    found = counters.record(kernels, line, run_id)
    if options.out:
        _append(options.out, *lines[:1], found, *lines[1:])
    print(counters.text_of(found))
    return 0


def _said_beside(options: argparse.Namespace) -> dict[str, Any]:
    """What the program said when it ran; else, for a CASE, what it declares."""
    if options.case:
        _need_case(options)
        return _ask(options, "--model")
    beside = options.table.with_suffix(".json")
    if not beside.exists():
        raise RecordsError(f"which case was it? There is no {beside}, so give CASE and --variant")
    return json.loads(beside.read_text())


def _ask(options: argparse.Namespace, *more: str) -> dict[str, Any]:
    return json.loads(program.ask(*inner_command(options)[1:], *more))


def _last_run(path: Path | None) -> str:
    """The run in a record file that a counter can belong to; any where nothing is written."""
    if path is None:
        return "none"
    lines = path.read_text().splitlines() if path.exists() else []
    runs = [line["run"] for line in map(json.loads, lines) if line.get("type") == "run"]
    if not runs:
        raise RecordsError(f"{path}: a counter belongs to a run, and there is none in it; import "
                           "with the .json that ./ndft profile left beside the table")
    return runs[-1]
