/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "peak_loop.h"
#include "probe.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <unistd.h>

/* The probes of a processor: every thread runs the loop of the best instruction set. */

enum { LINE = 64, PAGE = 8192 };

typedef double chain_loop(const void *in, double minus, int rounds, void *out);
typedef double read_loop(const void *memory, size_t bytes, int rounds, void *out);

static chain_loop *const fma_loops[][2] = NDFT_LOOP_TABLE(peak_fma);
static chain_loop *const add_loops[][2] = NDFT_LOOP_TABLE(peak_add);
static chain_loop *const issue_loops[][2] = NDFT_LOOP_TABLE(peak_issue);
static read_loop *const read_loops[][2] = NDFT_LOOP_TABLE(peak_read);

/* What the threads of a run did. rate: the sum of each one's own, which leaves out how long they
 * waited for each other. */
typedef struct team {
    double units, rate, begin, end;
} team;

static void report(team *all, double units, double begin)
{
    const double end = ndft_now_s();
#pragma omp critical
    *all = (team){all->units + units, all->rate + units / (end - begin), fmin(all->begin, begin),
                  fmax(all->end, end)};
}

static ndft_status run_chains(chain_loop *const loops[][2], ndft_prec prec, const ndft_exec *exec,
                              const void *in, int rounds, double *units, double *seconds)
{
    chain_loop *loop = loops[exec->device.isa][prec];
    team all = {.begin = INFINITY};
#pragma omp parallel num_threads(exec->threads)
    {
        _Alignas(LINE) char out[LINE];
        const double begin = ndft_now_s();
        report(&all, loop(in, -1, rounds, out), begin);
    }
    *units = all.units;
    *seconds = all.units / all.rate;
    return NDFT_OK;
}

#define CHAINS(name, loops, prec)                                                                  \
    static ndft_status name(ndft_exec *exec, void *memory, int rounds, double *units,              \
                            double *seconds)                                                       \
    {                                                                                              \
        return run_chains(loops, prec, exec, memory, rounds, units, seconds);                      \
    }
CHAINS(fma_f32, fma_loops, NDFT_F32)
CHAINS(fma_f64, fma_loops, NDFT_F64)
CHAINS(add_f32, add_loops, NDFT_F32)
CHAINS(add_f64, add_loops, NDFT_F64)
CHAINS(issue_f32, issue_loops, NDFT_F32)
CHAINS(issue_f64, issue_loops, NDFT_F64)

/* Each thread reads its own share. */
static team run_reads(const ndft_exec *exec, const void *memory, size_t share, int rounds)
{
    read_loop *loop = read_loops[exec->device.isa][NDFT_F32];
    team all = {.begin = INFINITY};
#pragma omp parallel num_threads(exec->threads)
    {
        _Alignas(LINE) char out[LINE];
        const char *own = (const char *)memory + share * (size_t)omp_get_thread_num();
        const double begin = ndft_now_s();
        report(&all, loop(own, share, rounds, out), begin);
    }
    return all;
}

static size_t pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/* Half of a core's second cache, and of memory more than any cache keeps. */
static size_t l2_share(const ndft_device *device)
{
    return pages(device->l2_bytes ? device->l2_bytes / 2 : (size_t)1 << 17);
}

static size_t dram_share(const ndft_device *device)
{
    const long last = sysconf(_SC_LEVEL3_CACHE_SIZE); /* machines of many threads have several */
    const size_t half = last > 0 ? (size_t)last / 2 : 0, least = (size_t)1 << 28;
    return pages(half > least / (size_t)device->units ? half : least / (size_t)device->units);
}

static ndft_status l2_read(ndft_exec *exec, void *memory, int rounds, double *units,
                           double *seconds)
{
    const team all = run_reads(exec, memory, l2_share(&exec->device), rounds);
    *units = all.units;
    *seconds = all.units / all.rate;
    return NDFT_OK;
}

/* Memory is shared: a thread that reads while others wait has more of it than its own. */
static ndft_status dram_read(ndft_exec *exec, void *memory, int rounds, double *units,
                             double *seconds)
{
    const team all = run_reads(exec, memory, dram_share(&exec->device), rounds);
    *units = all.units;
    *seconds = all.end - all.begin;
    return NDFT_OK;
}

static size_t chain_bytes(const ndft_device *device)
{
    (void)device;
    return LINE;
}

static size_t l2_bytes(const ndft_device *device)
{
    return l2_share(device) * (size_t)device->units;
}

static size_t dram_bytes(const ndft_device *device)
{
    return dram_share(device) * (size_t)device->units;
}

/* A linear congruential generator (D. Knuth, The Art of Computer Programming 2, 3.3.4) for each
 * page, run by the thread that will read it. */
static ndft_status prepare(ndft_exec *exec, void *memory, size_t bytes)
{
#pragma omp parallel for schedule(static) num_threads(exec->threads)
    for (size_t page = 0; page < bytes; page += PAGE) {
        uint32_t state = (uint32_t)(page / PAGE);
        for (size_t at = page; at < page + PAGE && at < bytes; at += sizeof state) {
            state = state * 1664525 + 1013904223;
            const uint32_t bits = 0x3f800000 | state >> 9;
            memcpy((char *)memory + at, &bits, sizeof bits);
        }
    }
    return NDFT_OK;
}

static const ndft_probe probes[] = {
    {"fma", "lane operations", "vectors, 12 chains", NULL, chain_bytes, fma_f32},
    {"fma_f64", "lane operations", "vectors, 12 chains", NULL, chain_bytes, fma_f64},
    {"add", "lane operations", "vectors, 12 chains", NULL, chain_bytes, add_f32},
    {"add_f64", "lane operations", "vectors, 12 chains", NULL, chain_bytes, add_f64},
    {"fma_add_mix", "lane operations", "vectors of multiply-adds and additions in turn", NULL,
     chain_bytes, issue_f32},
    {"fma_add_mix_f64", "lane operations", "vectors of multiply-adds and additions in turn", NULL,
     chain_bytes, issue_f64},
    {"l2_bytes", "bytes", "vectors read from half of L2", NULL, l2_bytes, l2_read},
    {"dram_bytes", "bytes", "vectors read from more memory than caches hold", NULL, dram_bytes,
     dram_read},
    {0},
};

static const ndft_probe *const lists[] = {probes, NULL};

const ndft_probes ndft_probes_cpu = {
    .backend = "cpu",
    .lists = lists,
    .warm_s = 0.1,
    .sample_s = 0.002, /* short enough to fall between what else a processor does */
    .samples = 60,
    .faster = 0.05,
    .agree = 0.1,
    .prepare = prepare,
};
