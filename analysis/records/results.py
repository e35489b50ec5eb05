# SPDX-License-Identifier: Apache-2.0
"""The verb results: validate, merge and export record files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import lines, outputs, results_export, results_merge, results_validate
from .entries import plain
from .load import files_of
from .outputs import say


def add(verbs: argparse._SubParsersAction) -> None:
    """Declares the verb and its options."""
    results = verbs.add_parser("results", help="check, join and flatten record files")
    what = results.add_subparsers(dest="what", required=True, metavar="validate|merge|export")
    validate = what.add_parser("validate", help="against the schema; 1 if a file is not valid")
    merge = what.add_parser("merge", help="one file from several, one record per key")
    merge.add_argument("-o", "--out", type=outputs.written_as(".jsonl"), required=True,
                       metavar="OUT")
    export = what.add_parser("export", help="a flat table")
    export.add_argument("--csv", action="store_true", required=True, help="the one format")
    export.add_argument("-o", "--out", type=outputs.written_as(".csv"), metavar="FILE",
                        help="default: standard output")
    for verb in (validate, merge, export):
        verb.add_argument("paths", nargs="+", metavar="FILE|DIR", help="records, *.jsonl")


def run(options: argparse.Namespace) -> int:
    """Exit status; RecordsError and OSError where nothing can be done."""
    paths = files_of(options.paths)
    return {"validate": _validate, "merge": _merge, "export": _export}[options.what](options, paths)


def _validate(_: argparse.Namespace, paths: list[Path]) -> int:
    invalid = 0
    for path in paths:
        errors, notes = results_validate.validate(path)
        invalid += bool(errors)
        say(*notes)
        print("\n".join(map(plain, errors)) if errors else plain(f"{path}: valid"))
    return 1 if invalid else 0


def _merge(options: argparse.Namespace, paths: list[Path]) -> int:
    say(*results_merge.merge(paths, options.out))
    print(f"records: {options.out}")
    return 0


def _export(options: argparse.Namespace, paths: list[Path]) -> int:
    text = results_export.export(paths)
    if options.out:
        lines.write(options.out, [text], results_export.START)
    else:
        sys.stdout.write(text)
    return 0
