# SPDX-License-Identifier: Apache-2.0
"""./ndft study [NAME [COMMAND ...]]: what is reproduced and proved here, a study's page, or a command of one."""

import difflib
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STUDIES = {folder.name: importlib.import_module(f"studies.{folder.name}")
           for folder in sorted(HERE.iterdir()) if (folder / "README.md").is_file()}


def usage() -> str:
    return "\n".join(["usage: ndft study NAME [COMMAND] [options]", ""] + [
        f"  {name} {command:<8} {does.__doc__.splitlines()[0]}"
        for name, study in STUDIES.items() for command, does in study.COMMANDS.items()] + [
        f"  {name:<8} its page, of records or of a sweep" for name, study in STUDIES.items()
        if hasattr(study, "PAGE")] + [""] + [
        f"  {name}: {study.__doc__.splitlines()[0]} Page: studies/{name}/README.md"
        for name, study in STUDIES.items()])


def unknown(what: str, word: str, known: dict) -> int:
    near = difflib.get_close_matches(word, known, 1, 0) or list(known)
    said = f"nearest: {near[0]}" if near else "this study has none; records are named by a file or folder that is there"
    print(f"ndft: unknown {what} '{word}'; {said}", file=sys.stderr)
    return 2


def main(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(usage())
        return 0 if words else 2
    study = STUDIES.get(words[0])
    if not study:
        return unknown("study", words[0], STUDIES)
    command = study.COMMANDS.get(words[1]) if words[1:] else None
    if not command and hasattr(study, "PAGE") and (
            not words[1:] or words[1].startswith("-") or Path(words[1]).exists()):
        return study.PAGE.main(words[1:])
    if not words[1:]:
        print(usage(), file=sys.stderr)
        return 2
    return command.main(words[2:]) if command else unknown("command", words[1], study.COMMANDS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
