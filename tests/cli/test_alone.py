# SPDX-License-Identifier: Apache-2.0
"""A peer's record and what alone.py has of it without ndft: the same time, where FINUFFT is found."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from program import PROGRAM, ROOT, cases, listed, ndft, records

sys.path.insert(0, str(ROOT / "peers"))
import agree  # noqa: E402

CASE = "{} 2d n=128x128 m=65536 traj=radial:256 coils=2"
LIBRARY = Path(os.environ.get("NDFT_FINUFFT") or Path(PROGRAM).parent / "peers/finufft/libfinufft.so")
ROUNDS = 8


@pytest.fixture(scope="module")
def finufft():
    peer, = listed("--variant", "finufft[.]cpu", NDFT_FINUFFT=LIBRARY)
    if not LIBRARY.exists() or not peer["built"]:
        pytest.skip("FINUFFT is not there: ./ndft setup --peers, or NDFT_FINUFFT=FILE")
    return {"NDFT_FINUFFT": str(LIBRARY)}


@pytest.mark.parametrize("op", ["forward", "adjoint"])
@pytest.mark.parametrize("threads", ["1", "all"])
def test_alone_has_a_record_s_time_again(finufft, tmp_path, monkeypatch, op, threads):
    """Others' load comes and goes on a shared machine: the least of a few rounds is compared."""
    monkeypatch.setenv("NDFT_FINUFFT", finufft["NDFT_FINUFFT"])
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    suite, file = tmp_path / "s.ndft", tmp_path / "r.jsonl"
    suite.write_text(f"finufft[.]cpu nthreads={threads} : {CASE.format(op)}\n")
    recorded, alone = [], []
    for _ in range(ROUNDS):
        done = ndft("sweep", suite, "-o", file, "--force", "--min-time", "0.3", **finufft)
        assert done.returncode == 0, done.stderr
        record, = cases(file)
        recorded.append(record["median_s"])
        alone.append(agree.alone(record, tmp_path / "export", 0.3))
        ratio = min(alone) / min(recorded)
        if abs(ratio - 1) <= 0.05:
            return
    pytest.fail(f"alone takes {ratio:.3f} times as long: {alone} s, recorded {recorded} s")


def test_agree_tells_what_differs(tmp_path, monkeypatch, capsys):
    fake = os.environ["NDFT_FAKE_FINUFFT"]
    monkeypatch.setenv("NDFT_FINUFFT", fake)
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    suite, file = tmp_path / "s.ndft", tmp_path / "r.jsonl"
    suite.write_text("(naive|finufft)[.]cpu : forward 2d n=24x24 m=300\n")
    ndft("sweep", suite, "-o", file, "--budget", "0.05", NDFT_FINUFFT=fake)

    def outcome(*more):
        monkeypatch.setattr(sys, "argv", ["agree.py", str(file), "--seconds", "0.05", *more])
        return agree.main(), capsys.readouterr().out
    code, said = outcome("--within", "700")
    assert code == 0 and re.search(r"alone .* finufft.cpu:\S+ batch forward 2d n=24x24 m=300", said)
    file.write_text("\n".join(json.dumps(r | ({"median_s": 9 * r["median_s"]} if r.get("median_s") else {}))
                              for r in records(file)))
    assert outcome()[0] == 1
    assert outcome("--match", "adjoint")[0] == 2
