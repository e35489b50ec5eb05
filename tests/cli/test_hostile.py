# SPDX-License-Identifier: Apache-2.0
"""Record files and decisions that somebody else wrote: every field replaced by what it must not be.

Whatever reads them answers with its exit status, in seconds and in lines of its own, and shows no
control character and no traceback. The choice is seeded; NDFT_SEED takes another.
"""

import copy
import functools
import json
import os
import random
import signal
import subprocess

import pytest

from program import PROGRAM, ROOT
from synthetic import counter_line, peak_line, peer_line, run_line, write
from test_results import case, end, full
from turns import of_today

from analysis import goals
from analysis.__main__ import main

SEED = int(os.environ.get("NDFT_SEED", 1))
SECONDS = 20
GOALS = ROOT / "configs/goals.def"

DEEP = "[" * 5000 + "]" * 5000
# As they stand in the file; the last are no JSON that Python would write.
VALUES = [json.dumps(value) for value in (
    None, True, 0, -1, 1.5, 1e-320, 1e300, 10**400, "", "x", "\x1b[31m", "a\nb", "../../x", "[",
    "\u202e", "x" * 5000, [], {}, [[]], {"a": None}, [None], [1e-300, 1e300], {"x": "y"},
    "forward 2d n=0x0 m=0", "forward 2d n=99999999999999999999x8 m=8 tol=-1",
    "uniform:scfo999999999999999989 tol=1e999 seed=1", "uniform:scfo0 tol=1e-4 seed=1")] + [
    '"\\ud800"', "1e999", "-1e999", "NaN", DEEP, "9" * 5000]
MARK = "the hostile value stands here"


def base():
    """One line of every kind, and enough records for something to be decided and compared."""
    lines = [full(), case("naive.cuda", rate=1e11), case("x.cuda", verdict="wrong"),
             case("bluestein_split.cuda") | {"case": "uniform:scfo97*4 tol=1e-4 seed=1",
                                             "key": "0123456789abcdef"}, counter_line(), peer_line()]
    carried = [line | {"problem": problem_of(line["case"])} for line in lines]
    return [run_line() | {"started_utc": "20261121T010000Z"}, peak_line(), *carried,
            end(**{"pass": 3, "wrong": 1})]


@functools.cache
def problem_of(text):
    return json.loads(subprocess.check_output([PROGRAM, "case", "--json", text]))["problem"]


def places(value, path=()):
    """Every place inside a JSON value, by the keys and indices that lead to it."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(
        value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


def replaced(lines, path, text):
    """The lines as text, with the value at a place replaced."""
    lines = copy.deepcopy(lines)
    at = lines
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = MARK
    return "".join(json.dumps(line) + "\n" for line in lines).replace(json.dumps(MARK), text)


def mangled(dice, text):
    """The text with bytes cut, doubled or changed somewhere."""
    start = dice.randrange(len(text))
    stop = min(len(text), start + dice.choice((1, 3, 50)))
    middle = dice.choice(("", text[start:stop] * 2, "\0", "\x9b", "\n", "{", '"', DEEP))
    return text[:start] + middle + text[stop:]


def hostile(lines, count, seed):
    dice = random.Random(seed)
    every = list(places(lines))
    sound = "".join(json.dumps(line) + "\n" for line in lines)
    for _ in range(count):
        yield replaced(lines, dice.choice(every), dice.choice(VALUES))
        if dice.random() < 0.2:
            yield mangled(dice, sound)


def judge(status, said, shown, what):
    assert status in (0, 1, 2, 3), what
    for line in said.splitlines():
        assert line.startswith("ndft: "), (what, said)
    assert all(c == "\n" or c.isprintable() for c in said), (what, said)
    assert "\x1b" not in shown, what


@pytest.fixture
def hurried():
    """Whatever hangs ends with an error."""
    def late(*_):
        raise TimeoutError(f"more than {SECONDS} s")
    before = signal.signal(signal.SIGALRM, late)
    yield lambda: signal.alarm(SECONDS)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def python_verbs(path, sound, out):
    yield ["results", "validate", str(path)]
    yield ["results", "merge", "-o", str(out / "merged.jsonl"), str(path)]
    yield ["results", "export", "--csv", str(path)]
    yield ["compare", str(sound), str(path)]
    yield ["report", "--goals", str(path)]


def run_python(verbs, path, capsys, hurried):
    for verb in verbs:
        hurried()
        what = f"{verb} of {path.read_bytes()[:20000]!r}"
        try:
            status = main(verb)
        except BaseException as error:
            raise AssertionError(f"{type(error).__name__} {error}: {what}") from error
        shown, said = capsys.readouterr()
        judge(status, said, shown, what)


def test_records_in_python(tmp_path, capsys, hurried, monkeypatch):
    goals.read(GOALS)  # whose cases the program is asked once
    monkeypatch.setenv("NDFT_PROGRAM", str(tmp_path / "nothing"))
    sound = write(tmp_path / "sound.jsonl", *base())
    path = tmp_path / "hostile.jsonl"
    for text in of_today(hostile(base(), 250, SEED)):
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        run_python(python_verbs(path, sound, tmp_path), path, capsys, hurried)


def test_the_report(tmp_path, capsys, hurried):
    path, out = tmp_path / "hostile.jsonl", tmp_path / "in" / "out"
    texts = list(hostile(base(), 12, SEED + 1))
    texts.append(replaced(base(), (0, "devices", "cuda", "slug"), '"../../x"'))
    for text in of_today(texts):
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        run_python([["report", str(path), "-o", str(out)]], path, capsys, hurried)
    assert {p.name for p in tmp_path.iterdir()} <= {"hostile.jsonl", "in"}
    assert {p.name for p in (tmp_path / "in").iterdir()} <= {"out"}
