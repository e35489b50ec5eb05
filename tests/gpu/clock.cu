/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <cmath>
#include <cstdio>

/*
 * Whether the clock tells the time on a GPU: in every mode that of a kernel that spins for so many
 * cycles within 2 %, and of a chain of multiply-adds what nvbench's method tells within 1 %. Exit
 * status 0: it does, 1: it does not, 77: no device.
 */

namespace
{

struct row {
    const char *mode;
    double min_time_s; /* above 0: steady */
    double cycles;
};

const row rows[] = {{"batch", 0, 1e6},   {"batch", 0.5, 1e6},   {"graph", 0, 1e6},
                    {"graph", 0.5, 1e6}, {"warm", 0, 1e6},      {"cold", 0, 1e6},
                    {"stages", 0, 1e6},  {"end-to-end", 0, 2e7}}; /* the host's part is below 2 % */

bool agree(const char *what, const row &r, double ours, double theirs, double limit)
{
    const double off = ours / theirs - 1;
    const bool good = fabs(off) <= limit;
    printf("%-10s %-10s %-6s %12.4g s %12.4g s %+8.3f %%%s\n", what, r.mode,
           r.min_time_s > 0 ? "steady" : "burst", ours, theirs, 100 * off, good ? "" : "  WRONG");
    return good;
}

bool measured(const known_time &t, const row &r)
{
    if (!t.failed[0]) return true;
    printf("%s: %s\n", r.mode, t.failed);
    return false;
}

/* The clock from what the kernel has seen itself. */
bool spins(const row &r, job *work)
{
    spun seen = {};
    work->cycles = (unsigned long long)r.cycles;
    if (cudaMemset(work->seen, 0, sizeof seen) != cudaSuccess) return false;
    const bool staged = r.mode[0] == 's';
    const known_time t = known_measure("cuda", staged ? &staged_job_variant : &job_variant, work,
                                       r.mode, r.min_time_s);
    if (!measured(t, r)) return false;
    if (cudaMemcpy(&seen, work->seen, sizeof seen, cudaMemcpyDefault) != cudaSuccess) return false;
    const double clock_mhz = 1e3 * (double)seen.cycles / (double)seen.ns;
    const bool clock = std::isnan(t.clock_mhz) || fabs(t.clock_mhz / clock_mhz - 1) <= 0.01;
    if (!clock) printf("%s: %.0f MHz, by the kernel %.0f MHz\n", r.mode, t.clock_mhz, clock_mhz);
    return agree("spin", r, t.median_s, 1e-6 * r.cycles / clock_mhz, 0.02) && clock;
}

bool as_nvbench(const row &r, job *work, double theirs)
{
    const known_time t = known_measure("cuda", &job_variant, work, r.mode, r.min_time_s);
    return measured(t, r) && agree("nvbench", r, t.median_s, theirs, 0.01);
}

bool run(job *work)
{
    bool good = true;
    work->launch = launch_spin;
    for (const row &r : rows) good = spins(r, work) && good;
    work->launch = launch_chain;
    const double cold = nvbench_cold(work), batch = nvbench_batch(work);
    good = as_nvbench({"cold", 0, 0}, work, cold) && good;
    good = as_nvbench({"batch", 0, 0}, work, batch) && good;
    return as_nvbench({"batch", 0.5, 0}, work, batch) && good;
}

} // namespace

int main()
{
    job work = {};
    if (const char *missing = known_missing("cuda")) {
        printf("skipped: %s\n", missing);
        return 77;
    }
    work.links = 200000; /* about 0.4 ms */
    if (cudaDeviceGetAttribute(&work.blocks, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess ||
        cudaMalloc(&work.seen, sizeof *work.seen) != cudaSuccess ||
        cudaMalloc(&work.result, sizeof *work.result) != cudaSuccess) {
        puts("the device has no memory for a test");
        return 1;
    }
    return run(&work) ? 0 : 1;
}
