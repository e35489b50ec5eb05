/* SPDX-License-Identifier: Apache-2.0 */
#include "shim.h"

#include <benchmark/benchmark.h>

#include <cmath>

struct ndft_gbench_state {
    benchmark::State &library;
};

/* 0; -1 when body throws. */
template <class Body> static int guarded(Body body) noexcept
{
    try {
        body();
        return 0;
    } catch (...) {
        return -1;
    }
}

void ndft_gbench_begin(int *argc, char **argv)
{
    guarded([=] { benchmark::Initialize(argc, argv); });
}

void ndft_gbench_context(const char *key, const char *value)
{
    guarded([=] { benchmark::AddCustomContext(key, value); });
}

int ndft_gbench_add(const char *name, ndft_gbench_body *body, void *context)
{
    auto run = [=](benchmark::State &library) {
        ndft_gbench_state state{library};
        body(context, &state);
    };
    return guarded([=] { benchmark::RegisterBenchmark(name, run)->UseManualTime(); });
}

size_t ndft_gbench_run(void)
{
    size_t matched = 0;
    guarded([&] { matched = benchmark::RunSpecifiedBenchmarks(); });
    return matched;
}

void ndft_gbench_skip(ndft_gbench_state *state, const char *why)
{
    guarded([=] { state->library.SkipWithError(why); });
}

int ndft_gbench_loop(ndft_gbench_state *state, int batch, ndft_gbench_batch *run, void *context)
{
    int failed = 0;
    while (!failed && state->library.KeepRunningBatch(batch)) {
        double seconds = 0;
        failed = run(context, &seconds);
        state->library.SetIterationTime(seconds);
    }
    return failed;
}

void ndft_gbench_counter(ndft_gbench_state *state, const char *name, double value, bool rate)
{
    using benchmark::Counter;
    auto kind = rate ? Counter::kIsIterationInvariantRate : Counter::kDefaults;
    if (std::isfinite(value))
        guarded([=] { state->library.counters[name] = Counter(value, kind); });
}
