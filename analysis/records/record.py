# SPDX-License-Identifier: Apache-2.0
"""What a record file holds, in memory: runs, cases, measured ceilings and hardware counters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import cases
from .between_runs import widened

FIELDS = frozenset((
    "key", "knobs", "ablates", "threads", "reason", "rel_l2", "max_err", "claim", "adjoint_err", "mode",
    "order", "samples_s", "median_s", "q1_s", "q3_s", "ci_lo_s", "ci_hi_s", "mad_s", "repetitions", "stop",
    "clocks_mhz", "throttled", "state", "phases_s", "coil_pairs_per_s", "cost", "bounds_s",
    "bound", "bound_fraction", "plan_s", "plan_bytes", "sm_clock_mhz", "build_id", "phase",
    "chosen", "processes", "by_process", "regime", "two_modes", "host_bound",
    "mode_medians_s", "throttled_by", "energy_j",
    "host_call_s", "working_set_bytes", "pinned", "peer", "setpts_s"))


STEADY, BURST = "steady", "burst"  # regimes


@dataclass(frozen=True)
class Device:
    name: str
    slug: str
    driver: str
    facts: dict[str, Any] = field(default_factory=dict, compare=False)  # all that the run says of it


@dataclass
class Run:
    """One run header; machine is the slug that names its folder under results/."""

    id: str
    started: str
    suite: str
    commit: str
    dirty: bool
    devices: dict[str, Device]
    timing_version: int = 1

    @property
    def machine(self) -> str:
        device = self.devices.get("cuda") or next(iter(self.devices.values()), None)
        return device.slug if device else "unknown"

    def clock(self, backend: str) -> int:
        """The timing version; on a GPU 3 is 2 (timing_version.h)."""
        return 3 if self.timing_version == 2 and backend == "cuda" else self.timing_version

    def device(self, backend: str) -> Device:
        return self.devices.get(backend, Device("unknown", "unknown", ""))


@dataclass
class Record:
    """One measured (or refused) case; times in s, rate in coil_pairs/s, null where unmeasured.

    earlier holds the older timings of the same measurement by the same build, counter the newest
    hardware counters of the same variant on the same case and device.
    """

    run: Run
    source: str
    case: cases.Case
    id: str
    backend: str
    verdict: str
    raw: dict[str, Any]
    earlier: list[Record] = field(default_factory=list)
    counter: Counter | None = None

    def __getattr__(self, name: str) -> Any:
        """The other fields by their names in the schema; None where unmeasured or absent."""
        if name not in FIELDS:
            raise AttributeError(name)
        return self.raw.get(name)

    @property
    def variant_name(self) -> str:
        """NAME.BACKEND, the id without its knobs."""
        return self.id.partition(":")[0]

    @property
    def family(self) -> str:
        return self.variant_name.rpartition(".")[0] or self.variant_name

    @property
    def device(self) -> Device:
        return self.run.device(self.backend)

    @property
    def native(self) -> bool:
        """Whether it was built for the processor that it ran on, as ours is; a peer says so."""
        return not self.peer or (self.peer.get("built") or "").startswith("native")

    @property
    def may_be_chosen(self) -> bool:
        """Ours and cuFFT and FFTW, which are peers that the library calls."""
        return not self.peer or bool(self.peer.get("chosen"))

    @property
    def clock(self) -> int:
        return self.run.clock(self.backend)

    @property
    def is_host_bound(self) -> bool:
        """The device had to wait for the host in most samples."""
        return 2 * len(self.host_bound or ()) > len(self.samples_s or ())

    @property
    def is_shared(self) -> bool:
        """Another program had the device for a turn, of which the clock that is read steps by 1 us."""
        return any(((part.get("state") or {}).get("away_s") or 0) > 1e-4
                   for part in ({"state": self.state}, *(self.by_process or ())))

    @property
    def doubt(self) -> str | None:
        """Why no winner may be told from its time."""
        if self.is_shared:
            return "of a shared device"
        if self.two_modes:
            return "of two modes"
        return "host-bound" if self.is_host_bound else None

    @property
    def ranks(self) -> bool:
        """Only a pass with a timing, not in doubt, of what is native, may rank, win or be drawn."""
        return self._is_timed and not self.doubt

    @property
    def has_no_one_time(self) -> bool:
        """It would rank, were its time not in doubt."""
        return self._is_timed and bool(self.doubt)

    @property
    def _is_timed(self) -> bool:
        return (self.verdict == "pass" and self.mode != "stages"
                and bool(self.median_s and self.median_s > 0)
                and bool(self.coil_pairs_per_s and self.coil_pairs_per_s > 0)
                and self.native)

    @property
    def how(self) -> tuple[str, str] | None:
        """Mode and regime of the timing; what does not say its regime was a burst."""
        return None if self.mode is None else (self.mode, self.regime or BURST)

    @property
    def is_burst(self) -> bool:
        """Whether executions were queued for a moment only: no lasting rate."""
        return (self.mode in ("batch", "graph") and self.regime != STEADY
                and self.median_s is not None)

    @property
    def mode_shown(self) -> str:
        return f"{self.mode}, burst" if self.is_burst else self.mode or "-"

    @property
    def explains(self) -> bool:
        """An ablation, or a timing of stages: it says where the time of others goes."""
        return bool(self.ablates) or (self.mode == "stages" and self.verdict == "pass")

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of the median in s, of processes of their mean; all the samples where they were
        too few for one."""
        seen = [s for s in self.samples_s or () if s] or [self.median_s]
        return (self.ci_lo_s or min(seen), self.ci_hi_s or max(seen))

    @property
    def half_width(self) -> float | None:
        """Half the interval over the median: 0.005 is 0.5 %; None where none was recorded."""
        if not (self.ranks and self.ci_lo_s and self.ci_hi_s):
            return None
        return (self.ci_hi_s - self.ci_lo_s) / 2 / self.median_s

    @property
    def published(self) -> tuple[float, float] | None:
        """The interval that another run of this build should meet: of one process the recorded one,
        of several with what differs between runs; None where none was recorded."""
        if self.half_width is None:
            return None
        if (self.processes or 1) < 2:
            return self.ci_lo_s, self.ci_hi_s
        return widened((self.ci_lo_s, self.ci_hi_s), self.median_s, self.device.slug)

    @property
    def published_half_width(self) -> float | None:
        """The same over the median, as half_width."""
        found = self.published
        return None if found is None else (found[1] - found[0]) / 2 / self.median_s

    @property
    def samples(self) -> dict[int, float]:
        """The samples in s by their index, which throttled and clocks_mhz refer to."""
        return {i: s for i, s in enumerate(self.samples_s or []) if s is not None}

    def rate_at(self, seconds: float | None) -> float:
        """coil_pairs/s if one execution took this many seconds."""
        return self.coil_pairs_per_s * self.median_s / (seconds or self.median_s)

    @property
    def repro(self) -> str:
        """The command that measures it once more."""
        return f"./ndft bench '{self.case.label}' {self.choice}"

    @property
    def again(self) -> str:
        """The same; of a peer without ndft, where its record says how."""
        return (self.peer or {}).get("alone") or self.repro

    @property
    def choice(self) -> str:
        """The part of that command which tells this record from others of its case."""
        knobs = self.id.partition(":")[2]
        mode = f" --modes {self.mode}" if self.mode not in (None, "batch") else ""
        return f"--variant '{self.variant_name}'" + (f" --knob {knobs}" if knobs else "") + mode


@dataclass(frozen=True)
class Peak:
    """A measured ceiling: value in units of the resource per second, None where the device cannot;
    spread relative."""

    run: Run
    device: Device
    resource: str
    value: float | None
    spread: float | None
    clock_mhz: float | None
    unit: str
    note: str


@dataclass(frozen=True)
class Counter:
    """Hardware counters of one variant on one case, as amounts per execution, beside its model."""

    run: Run
    case: cases.Case
    id: str
    tool: str
    measured: dict[str, float]
    model: dict[str, float]
    differs: list[str]
    kernels: list[dict[str, Any]]  # of one execution, in order


@dataclass(frozen=True)
class Peer:
    """Other software on a case of ours; shown beside records under the same names, never ranked."""

    run: Run
    source: str
    case: cases.Case
    backend: str
    variant_name: str
    how: str
    median_s: float
    coil_pairs_per_s: float
    rel_l2: float

    ranks = True

    @property
    def clock(self) -> int:
        return self.run.clock(self.backend)

    @property
    def id(self) -> str:
        return f"{self.variant_name}:{self.how}"

    @property
    def device(self) -> Device:
        return self.run.device(self.backend)


@dataclass(frozen=True)
class Scaling:
    """A group of devices on a case, or the best plan of one beside which it was measured (plain); never ranked."""

    run: Run
    case: cases.Case
    backend: str
    slug: str
    gpus: int
    plain: bool
    arrays: str  # whole or parts
    engine: str
    split: str | None
    median_s: float
    efficiency: float
    raw: dict[str, Any] = field(repr=False, compare=False)

    @property
    def clock(self) -> int:
        return self.run.clock(self.backend)

    @property
    def ranks(self) -> bool:
        """Each device is another process'."""
        return bool(self.raw.get("ranks"))

    @property
    def iterations(self) -> int:
        """Of conjugate gradients in an execution; 0: it is the operation alone."""
        return self.raw.get("iterations") or 0


@dataclass
class Records:
    """Everything that was read; notes says what was left out and why."""

    cases: list[Record] = field(default_factory=list)
    transforms: list[Record] = field(default_factory=list)  # those of uniform cases
    runs: dict[str, Run] = field(default_factory=dict)
    peaks: dict[tuple[str, str], Peak] = field(default_factory=dict)  # by (slug, resource)
    counters: list[Counter] = field(default_factory=list)
    peers: list[Peer] = field(default_factory=list)
    scalings: list[Scaling] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    others: list[Record] = field(default_factory=list)  # those of all other kinds, which no page has

    def of_kind(self, kind: str) -> list[Record]:
        return {"nonuniform": self.cases, "uniform": self.transforms}.get(kind, self.others)

    @property
    def every(self) -> list[Record]:
        return self.cases + self.transforms + self.others

    @property
    def ranked(self) -> list[Record]:
        return [record for record in self.cases if record.ranks]
