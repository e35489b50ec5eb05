/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <math.h>
#include <string.h>

/* Every mode times every variant, and the modes stand to each other as they must. */

static const char text[] =
    "forward 2d n=64x64 m=8192 traj=radial:64 field=smooth:100Hz t=10ms coils=4 tol=1e-3";
static const char normal[] =
    "normal 2d n=64x64 m=8192 traj=radial:64 field=smooth:100Hz t=10ms coils=4 tol=1e-3";

/* Long enough for a gap between launches to be no tenth of it: kernels that begin early follow each
 * other more closely in a stream than in a graph, by some 0.4 us on an H200. */
static const char uniform[] = "uniform:scfo8.101*512 tol=1e-3";
static const char chirpz[] = "chirpz:s1000*256 outputs=500 tol=1e-3";
static const char convolution[] = "convolve:sf256x256*8 cells=512x512 tol=1e-3";

typedef struct timed {
    ndft_check check;
    ndft_timing timing; /* n = 0: none */
} timed;

static void take(void *context, const ndft_result *result)
{
    timed *t = context;
    t->check = result->check;
    if (result->timing) t->timing = *result->timing;
}

static timed time_in(const variant_suite *s, const ndft_candidate *candidate, const char *line,
                     ndft_mode mode)
{
    ndft_case problem;
    ndft_error err = {0};
    timed t = {.timing = {.n = 0}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.mode = mode;
    options.timing.budget_s = 0.05;
    options.timing.min_samples = 10;
    ndft_status status = ndft_case_parse(line, &problem, &err);
    if (status == NDFT_OK)
        status = ndft_run_group(ndft_kind_of(&problem), &problem, s->backend, candidate, 1,
                                &options, &(ndft_sink){take, &t}, &err);
    if (status != NDFT_OK) ndft_set_verdict(&t.check, NDFT_ERROR, "%s", err.message);
    return t;
}

static int known_clocks(const ndft_timing *t)
{
    int known = 0;
    for (int i = 0; i < t->n; i++) known += t->clocks[i] > 100 && t->clocks[i] < 5000;
    return known;
}

/* What is wrong with a timing; NULL: nothing. */
static const char *fault(const variant_suite *s, ndft_mode mode, const ndft_timing *t)
{
    bool cuda = !strcmp(s->backend->name, "cuda");
    if (t->n < 10 || !(t->stats.median > 0)) return "has no samples";
    if (cuda && mode == NDFT_BATCH && known_clocks(t) < t->n / 2) return "has no clocks";
    for (int i = 0; t->step_names && t->step_names[i]; i++)
        if (mode == NDFT_END_TO_END && !(t->steps[i] > 0)) return "has the wrong phases";
    return NULL;
}

static void judge(variant_suite *s, const ndft_candidate *candidate, ndft_mode mode, const timed *t)
{
    const char *what = ndft_mode_name(mode);
    const char *sentence = ndft_mode_unsupported(mode, ndft_instruments_of(s->backend->name),
                                                 candidate->entry->variant);
    if (t->check.verdict == NDFT_UNSUPPORTED && sentence) {
        suite_unsupported(s);
        return;
    }
    const char *wrong = t->check.verdict == NDFT_PASS ? fault(s, mode, &t->timing) : NULL;
    if (t->check.verdict != NDFT_PASS)
        suite_fail(s, candidate, what, "%s: %s", ndft_verdict_name(t->check.verdict),
                   t->check.reason);
    else if (wrong)
        suite_fail(s, candidate, what, "it %s", wrong);
    else
        suite_pass(s);
}

/* Cold is no faster than warm, and a replay no slower than launches, within what noise may do. */
static void compare(variant_suite *s, const ndft_candidate *candidate, const char *what,
                    const timed *fast, const timed *slow)
{
    double quick = fast->timing.stats.median, late = slow->timing.stats.median;
    if (!fast->timing.n || !slow->timing.n) return;
    if (quick <= 1.1 * late)
        suite_pass(s);
    else
        suite_fail(s, candidate, what, "%.3g s and %.3g s", quick, late);
}

void test_timing(variant_suite *s, const ndft_registered *entry)
{
    ndft_candidate candidate = ndft_candidate_of(entry);
    const char *const texts[] = {[NDFT_NONUNIFORM] = text,
                                 [NDFT_UNIFORM] = uniform,
                                 [NDFT_CONVOLUTION] = convolution,
                                 [NDFT_CHIRPZ] = chirpz};
    timed all[NDFT_N_MODES];
    for (int mode = 0; mode < NDFT_N_MODES; mode++) {
        all[mode] = time_in(s, &candidate, texts[entry->kind], (ndft_mode)mode);
        if (mode == NDFT_BATCH && all[mode].check.verdict == NDFT_UNSUPPORTED) {
            suite_unsupported(s);
            return;
        }
        judge(s, &candidate, (ndft_mode)mode, &all[mode]);
    }
    if (entry->kind == NDFT_NONUNIFORM &&
        ndft_served_ops(entry->variant, candidate.knobs) & NDFT_NORMAL) {
        timed both_ways = time_in(s, &candidate, normal, NDFT_GRAPH);
        judge(s, &candidate, NDFT_GRAPH, &both_ways);
        compare(s, &candidate, "forward against normal in a graph", &all[NDFT_GRAPH], &both_ways);
    }
    compare(s, &candidate, "warm against cold", &all[NDFT_WARM], &all[NDFT_COLD]);
    compare(s, &candidate, "graph against batch", &all[NDFT_GRAPH], &all[NDFT_BATCH]);
}
