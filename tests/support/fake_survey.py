# SPDX-License-Identifier: Apache-2.0
"""A program that plans, measures and chooses at once what a test planted; the true one answers all else.

    fake_survey.py VERB ...     # $FAKE: a JSON file with plan, records, cuda, slow, why and log
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

FAKE = json.loads(Path(os.environ["FAKE"]).read_text(encoding="utf-8"))


def log(text):
    with open(FAKE["log"], "a", encoding="utf-8") as file:
        file.write(text + "\n")


def doctor():
    here = {"cpu": {"state": "works", "found": "Slowpoke (slow-2c), 2 units; 26 of 26 variants built"},
            "cuda": FAKE["cuda"], "cache": {"state": "works", "found": "/cache"}}
    print(json.dumps({"findings": [{"what": what} | finding for what, finding in here.items()]}))


def plan():
    for case in dict.fromkeys(case for case, _ in FAKE["plan"]):
        print(case, *(f"    {id_}" for of, id_ in FAKE["plan"] if of == case), sep="\n")
    print(f"{len(FAKE['plan'])} results in some groups")


def sweep(words):
    """The planted records in the order of the suite, a pause before each; asked to stop it does after one."""
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(1))
    suite = Path(words[0]).read_text(encoding="utf-8").splitlines()
    log(f"sweep {' '.join(words[3:])}")
    with open(words[words.index("-o") + 1], "w", encoding="utf-8") as out:
        out.write(json.dumps(FAKE["run"]) + "\n")
        for line in suite:
            end = time.monotonic() + FAKE["slow"]
            while time.monotonic() < end and not stopped:
                time.sleep(.01)
            expression, _, case = line.partition(" : ")
            log(f"measured {case}")
            name = expression.partition(" ")[0].replace("[.]", ".")
            for record in FAKE["records"]:
                if record["case"] == case and record["variant"].partition(":")[0] == name:
                    out.write(json.dumps(record) + "\n")
                    out.flush()
            if stopped:
                return 4
    return 0


def best(words):
    log(f"best {' '.join(words[:-1])}")
    print(json.dumps({"variant": "winner.cpu:tile=1", "why": FAKE["why"], "seconds": 1.0}))


def main(verb, *words):
    if verb == "doctor":
        return doctor()
    if verb == "sweep":
        return plan() if "--plan" in words else sweep(list(words))
    if verb == "best":
        return best(words)
    return os.execv(os.environ["TRUE_NDFT"], ["ndft", verb, *words])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
