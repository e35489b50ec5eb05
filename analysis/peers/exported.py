# SPDX-License-Identifier: Apache-2.0
"""What peers share: a case of ours as `ndft export` writes it, and the record file of a campaign."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

from .. import program
from ..records.errors import RecordsError


@dataclass
class Exported:
    """The arrays of a case. Vectors are (coils, nz, ny, nx) or (coils, m), masked voxels 0."""

    case: str
    dim: int
    op: str
    k: np.ndarray  # (m, d), cycles/FOV
    t: np.ndarray  # (m,), s
    dw: np.ndarray | None  # (nz, ny, nx), rad/s
    gradients: bool
    decays: bool
    maps: bool
    higher: bool
    off_grid: bool
    used: np.ndarray  # (nz, ny, nx), bool
    image: np.ndarray
    kspace: np.ndarray
    reference: np.ndarray  # of the output; NaN where it is not known

    @property
    def coils(self) -> int:
        return len(self.image)

    @property
    def coil_pairs(self) -> int:
        return int(self.used.sum()) * len(self.k) * self.coils

    def error(self, found: np.ndarray) -> float:
        """rel_l2 of an output in the reference's shape, over the voxels in use."""
        reference = self.reference
        if self.op == "adjoint":
            found, reference = found[:, self.used], reference[:, self.used]
        known = ~np.isnan(reference)
        distance = np.linalg.norm((found - reference)[known])
        return float(distance / np.linalg.norm(reference[known]))


def read(folder: Path) -> Exported:
    def array(name: str) -> np.ndarray | None:
        path = folder / f"{name}.npy"
        return np.load(path) if path.exists() else None

    case = (folder / "case.txt").read_text().strip()
    image, mask, k = array("image"), array("mask"), array("k")
    used = np.ones(image.shape[1:], bool) if mask is None else mask != 0
    return Exported(case, k.shape[1], case.partition(" ")[0], k, array("t"), array("dw"),
                    array("grad") is not None, array("decay") is not None, array("maps") is not None,
                    array("phase_c") is not None, array("grid") is not None, used, image, array("kspace"), array("reference"))


def export(case: str) -> Exported:
    """The case made by the program, its reference where a check compares."""
    with tempfile.TemporaryDirectory() as folder:
        program.ask("export", "--sampled", case, folder)
        return read(Path(folder))


def header(peer: str, backend: str, case: str, plan: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A run line and an end line, with the device as the program knows it."""
    said = json.loads(program.ask("profile", case, "--variant", f"naive.{backend}", "--launches",
                                  "1", "--no-check", "--json"))
    words = (Path(word).name if word.startswith("/") else word for word in sys.argv[1:])
    run = said["run"] | {"suite": f"peers-{peer}", "argv": [Path(sys.argv[0]).stem, *words], "plan_cases": plan}
    return run, {"type": "end", "run": run["run"]}


def campaign(peer: str, backend: str, cases: list[str], lines_a_case: int, out: Path | None,
             measure: Callable[[Exported], list[dict[str, Any]]]) -> None:
    """Measures every case into out, else into results/DEVICE/peers-PEER-UTC.jsonl."""
    run, end = header(peer, backend, "forward 1d n=8 m=8", len(cases) * lines_a_case)
    slug = run["devices"][backend]["slug"]
    out = out or Path("results") / slug / f"peers-{peer}-{program.utc()}.jsonl"
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        print(json.dumps(run), file=file)
        for case in cases:
            for line in measure(export(case)):
                print(json.dumps({"type": "peer"} | line | {"run": run["run"]}), file=file,
                      flush=True)
                print(f"{1e6 * line['median_s']:.4g} us  rel_l2 {line['rel_l2']:.2g}  "
                      f"{line['how']}  {case}", file=sys.stderr)
        print(json.dumps(end), file=file)
    print(f"records in {out}")


def refuse(case: Exported, *, field: bool) -> None:
    """RecordsError for what a peer cannot do: gradients, decay, coil maps, phase=, grid=, normal, and the field map
    unless field."""
    if case.gradients or case.decays or case.maps or case.higher or case.off_grid or case.op == "normal":
        raise RecordsError(f"{case.case}: gradients, decay, coil maps, phase=, grid= and the normal operator are not "
                           "served here")
    if case.dw is not None and not field:
        raise RecordsError(f"{case.case}: a field map is not served here")
