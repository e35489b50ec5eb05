# SPDX-License-Identifier: Apache-2.0
"""Tables of ncu with known counts, in both forms, against the cost that they stand for."""

import re

import pytest

from analysis import counters, limits
from analysis.records.errors import RecordsError

PREFIX = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",' \
         '"Block Size","Grid Size","Device","CC"'
OPS = counters.THREADS.format
STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio".format

# Two executions of two kernels: the metrics of the first and of the second, with units.
METRICS = {
    OPS("ffma"): ("inst", "1,000,000", "500"), OPS("fmul"): ("inst", "200", "0"),
    OPS("dfma"): ("inst", "0", "0"), OPS("dmul"): ("inst", "0", "0"),
    OPS("fadd"): ("inst", "30", "3"), OPS("dadd"): ("inst", "0", "0"),
    OPS("integer"): ("inst", "7", "1"), OPS("bit"): ("inst", "2", "0"),
    OPS("conversion"): ("inst", "1", "0"),
    "smsp__inst_executed_pipe_xu.sum": ("inst", "10", "0"),
    "smsp__inst_executed.sum": ("inst", "2,000", "1"),
    "smsp__sass_data_bytes_mem_shared.sum": ("Kbyte", "4.5", "0"),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": ("", "30", "10"),
    "l1tex__m_xbar2l1tex_read_bytes.sum": ("Kbyte", "3.2", "0"),
    "l1tex__m_l1tex2xbar_write_bytes.sum": ("byte", "0", "32"),
    "dram__bytes.sum": ("Mbyte", "1.25", "0"),
    "gpu__time_duration.sum": ("us", "12.5", "0.5"),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "50.0", "1"),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "9.8", "81"),
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed": ("%", "84.25", "0"),
    counters.WARPS: ("%", "50", "3.5"),
    "launch__registers_per_thread": ("register/thread", "72", "16"),
    "launch__shared_mem_per_block_static": ("Kbyte/block", "1.5", "0"),
    "launch__shared_mem_per_block_dynamic": ("byte/block", "36", "0"),
    **{f"l1tex__t_bytes_pipe_lsu_mem_local_op_{op}.sum": ("Kbyte", local, "0")
       for op, local in (("ld", "2"), ("st", "0.5"))},
    **{f"launch__occupancy_limit_{what}": ("block", blocks, "16") for what, blocks in (
        ("registers", "3"), ("shared_mem", "2"), ("warps", "4"), ("blocks", "32"))},
    "sm__maximum_warps_per_active_cycle_pct": ("%", "62.5", "100"),
    **{STALLED(why): ("inst", ratio, "0") for why, ratio in (
        ("barrier", "1.5"), ("long_scoreboard", "2"), ("selected", "3"), ("wait", "0.5"),
        ("wait_not_issued", "9"))},
    "smsp__nothing.sum": ("", "n/a", "n/a"),
}
COST = {"fma": 1000700, "add": 33, "special": 320, "integer": 11, "issue_slots": 64032,
        "shared_bytes": 5120, "l2_bytes": 3232, "dram_bytes": 1250000, "launches": 2}
LINE = {"case": "forward ...", "variant": "tiled.cuda", "launches": 2,
        "cost": {"fma": 1000700.0, "special": 272.0, "add": 36.0, "dram_bytes": 0.0,
                 "launches": 2.0}}


def row(*cells):
    return ",".join(f'"{cell}"' for cell in cells)


def kernel(number):
    name = "void walk<(int)2>(float *, int)" if number % 2 == 0 else "join"
    return [number, 42, "ndft", "127.0.0.1", name, 1, 7, "(128, 1, 1)", "(4, 1, 1)", 0, "9.0"]


def wide():
    rows = [PREFIX + "," + row(*METRICS), row(*[""] * 11, *(unit for unit, *_ in METRICS.values()))]
    rows += [row(*kernel(i), *(m[1 + i % 2] for m in METRICS.values())) for i in range(4)]
    return "==PROF== Connected to process 42 (ndft)\n" + "\n".join(rows) + "\n==PROF== bye\n"


def long():
    rows = [PREFIX + ',"Section Name","Metric Name","Metric Unit","Metric Value"']
    rows += [row(*kernel(i), "Command line profiler metrics", name, m[0], m[1 + i % 2])
             for i in range(4) for name, m in METRICS.items()]
    return "==PROF== Connected to process 42 (ndft)\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize("form", [wide, long])
def test_counts_become_costs(form):
    record = counters.record(counters.read(form()), LINE, "r1")
    assert record["measured"] == pytest.approx(COST)
    assert record["counters"]["gpu__time_duration.sum"] == pytest.approx(13e-6)
    assert not any("pct" in name or "nothing" in name for name in record["counters"])


def test_what_differs_is_named():
    record = counters.record(counters.read(wide()), LINE, "r1")
    assert record["differs"] == ["special"], "add is 8 % off, dram_bytes is not declared"
    text = counters.text_of(record)
    assert "special: measured 3.2e+02, declared 2.7e+02, +18 %" in text
    assert "1 of 4 declared fields" in text and "dram_bytes" in text.splitlines()[-1]


def test_each_kernel_says_what_keeps_it_busy():
    record = counters.record(counters.read(wide()), LINE, "r1")
    walk, join = record["kernels"]
    assert walk["name"] == "walk" and walk["time_s"] == pytest.approx(12.5e-6)
    assert walk["shares"] == pytest.approx({"dram": 0.098, "special": 0.8425, "warps": 0.5})
    text = counters.text_of(record)
    assert "walk 12.5 us: special 84 %, dram 10 %, warps 50 %, 72 reg 2 K spills" in text
    assert "join 0.5 us: dram 81 %, special 0 %, warps 4 %" in text


def test_each_kernel_says_what_limits_it():
    walk, join = counters.record(counters.read(wide()), LINE, "r1")["kernels"]
    assert walk["limits"] == {
        "registers": 72, "local_bytes": pytest.approx(2500), "shared_bytes": pytest.approx(1536), "occupancy": .625,
        "least": "shared_mem", "stall": "long_scoreboard", "stall_share": pytest.approx(2 / 7)}
    assert limits.lines(walk) == ["72 reg 2 K spills", "50/62 %", "long_scoreboard"]
    assert limits.row(walk) == ["`walk`", "72", "2 K", "2 K", "50 % of 62 %", "shared_mem", "long_scoreboard 29 %"]
    assert "stall" not in join["limits"] and limits.lines(join) == ["16 reg", "4/100 %"]
    assert limits.longest([join, walk, {"name": "w", "time_s": 1.0, "shares": {}}]) == walk


def test_limits_that_were_not_counted_are_left_out():
    text = re.sub("launch__|sm__maximum|_local_|_issue_stalled", "other__", wide())
    kernel = counters.record(counters.read(text), LINE, "r1")["kernels"][0]
    assert kernel["limits"] == {} and limits.longest([kernel]) is None


def test_a_full_report_adds_nothing_to_the_record():
    more = wide().replace("smsp__nothing.sum", "smsp__something.sum").replace("n/a", "5")
    assert counters.record(counters.read(more), LINE, "r1") == counters.record(counters.read(wide()), LINE, "r1")


@pytest.mark.parametrize("name, short", [
    ("void <unnamed>::naive_forward<float, 0>(<unnamed>::naive_sum<T1>, long)", "naive_forward"),
    ("ndft_largest_kernel(const float *, long, unsigned int *)", "ndft_largest_kernel"),
    ("void vector_fft<8u, 4, kernel<(int)3>>(int)", "vector_fft"), ("join", "join")])
def test_names_of_kernels_are_short(name, short):
    assert counters.short(name) == short


def test_a_field_without_its_metrics_is_not_measured():
    text = wide().replace("dmul", "other")
    assert "fma" not in counters.record(counters.read(text), LINE, "r1")["measured"]


def test_tensor_operations_are_two_to_a_multiply_add():
    counted = {"sm__ops_path_tensor_src_fp16.sum": 2048.0,
               "sm__ops_path_tensor_src_tf32_dst_fp32.sum": 0.0}
    assert counters.cost_of(counted, 1)["tensor"] == 1024
    assert set(counted) <= set(counters.metrics_for({"tensor": 1.0}))
    assert not set(counted) & set(counters.metrics_for({"tensor": 0.0}))


def test_another_number_of_executions_is_refused():
    with pytest.raises(RecordsError, match="4 kernels are not those of 3"):
        counters.record(counters.read(wide()), LINE | {"launches": 3}, "r1")


@pytest.mark.parametrize("text, words", [
    ("==ERROR== nothing\n", "no table"), ('"ID","Name"\n', "Kernel Name"),
    (PREFIX + "\n", "no kernel")])
def test_what_is_no_table_is_refused(text, words):
    with pytest.raises(RecordsError, match=words):
        counters.read(text)
