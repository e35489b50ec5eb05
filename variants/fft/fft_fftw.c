/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_fftw.h"

#include "base/host_fft.h"

#include <pthread.h>
#include <stdlib.h>

/* FFTW's planner, its time limit and what it has learnt belong to the process. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* FFTW's, from its manual. */
enum { MEASURE = 0, UNALIGNED = 1 << 1, ESTIMATE = 1 << 6 };
static const double no_limit = -1;

/* What the guru interface takes; both precisions have the same type for a mode. */
typedef struct guru {
    ndft_domain domain;
    int sign, axes, batches;
    unsigned flags;
    ndft_fftw_mode axis[3], batch[2];
} guru;

static ndft_fftw_mode mode_of(ndft_fft_mode m) { return (ndft_fftw_mode){m.n, m.in, m.out}; }

static guru guru_of(const ndft_fft_shape *s, double seconds)
{
    guru g = {.domain = s->domain,
              .sign = s->sign,
              .axes = s->axes,
              .batches = s->batches,
              .flags = s->unaligned  ? ESTIMATE | UNALIGNED
                       : seconds > 0 ? MEASURE
                                     : ESTIMATE};
    for (int i = 0; i < s->axes; i++) g.axis[i] = mode_of(s->axis[i]);
    for (int i = 0; i < s->batches; i++) g.batch[i] = mode_of(s->batch[i]);
    return g;
}

static void *plan_of(const ndft_fftw *f, const guru *g, void *in, void *out)
{
    if (g->domain == NDFT_R2C)
        return f->plan_from_real(g->axes, g->axis, g->batches, g->batch, in, out, g->flags);
    if (g->domain == NDFT_C2R)
        return f->plan_to_real(g->axes, g->axis, g->batches, g->batch, in, out, g->flags);
    return f->plan(g->axes, g->axis, g->batches, g->batch, in, out, g->sign, g->flags);
}

/* The same, with algorithms tried out. What others had it learn is all that it knows afterwards;
 * their limit cannot be asked for, and there is none. */
static void *plan_by_trying(const ndft_fftw *f, const guru *g, double seconds, void *in, void *out)
{
    char *learnt = f->export_wisdom ? f->export_wisdom() : NULL;
    if (f->set_time_limit) f->set_time_limit(seconds);
    void *plan = plan_of(f, g, in, out);
    if (f->set_time_limit) f->set_time_limit(no_limit);
    if (f->forget_wisdom) f->forget_wisdom();
    if (learnt) (void)f->import_wisdom(learnt);
    free(learnt);
    return plan;
}

/* Of one thread, whatever others have FFTW plan with: ours run beside each other. */
static void *plan_alone(const ndft_fftw *f, ndft_prec prec, const guru *g, double seconds, void *in,
                        void *out)
{
    ndft_fftw_threads threads;
    const int others = ndft_fftw_threads_of(prec, &threads) ? threads.now() : 1;
    if (others > 1) threads.set(1);
    void *plan = seconds > 0 ? plan_by_trying(f, g, seconds, in, out) : plan_of(f, g, in, out);
    if (others > 1) threads.set(others);
    return plan;
}

ndft_status ndft_fft_make(ndft_error *error, const ndft_fft_shape *shape, double seconds, void *in,
                          void *out, ndft_fft *fft)
{
    const ndft_fftw *f = ndft_fftw_of(shape->prec);
    const guru g = guru_of(shape, seconds);
    *fft = (ndft_fft){.prec = shape->prec};
    if (!f) return ndft_fail(error, NDFT_EUNSUPPORTED, "%s", ndft_host_fft_missing());
    fft->run = g.domain == NDFT_R2C   ? f->run_from_real
               : g.domain == NDFT_C2R ? f->run_to_real
                                      : f->run;
    pthread_mutex_lock(&planner);
    fft->plan = plan_alone(f, shape->prec, &g, seconds, in, out);
    pthread_mutex_unlock(&planner);
    return fft->plan
               ? NDFT_OK
               : ndft_fail(error, NDFT_ENOMEM, "%s made no plan for lines of %lld cells",
                           ndft_host_fft_version(), (long long)shape->axis[shape->axes - 1].n);
}

/* Lines one way, by trying out algorithms for `seconds` or by a guess. */
static ndft_status plan_lines(ndft_error *error, ndft_prec prec, int sign, int64_t cells, int lines,
                              double seconds, ndft_fft_lines from, ndft_fft_lines to, ndft_fft *fft)
{
    const ndft_fft_shape shape = {.prec = prec,
                                  .sign = sign,
                                  .axes = 1,
                                  .batches = 1,
                                  .axis = {{cells, from.cell, to.cell}},
                                  .batch = {{lines, from.line, to.line}}};
    return ndft_fft_make(error, &shape, seconds, from.memory, to.memory, fft);
}

ndft_status ndft_fft_plan(ndft_error *error, ndft_prec prec, int sign, int64_t cells, int lines,
                          ndft_fft_lines from, ndft_fft_lines to, ndft_fft *fft)
{
    return plan_lines(error, prec, sign, cells, lines, 0, from, to, fft);
}

ndft_status ndft_fft_plan_pair(ndft_error *error, ndft_prec prec, int64_t cells, int lines,
                               double seconds, void *memory, ndft_fft fft[2])
{
    const ndft_fft_lines beside = {memory, lines, 1};
    NDFT_TRY(plan_lines(error, prec, -1, cells, lines, seconds, beside, beside, &fft[0]));
    return plan_lines(error, prec, +1, cells, lines, seconds, beside, beside, &fft[1]);
}

void ndft_fft_run(const ndft_fft *fft, void *from, void *to) { fft->run(fft->plan, from, to); }

void ndft_fft_destroy(ndft_fft *fft)
{
    if (!fft->plan) return;
    pthread_mutex_lock(&planner);
    ndft_fftw_of(fft->prec)->destroy(fft->plan);
    pthread_mutex_unlock(&planner);
    fft->plan = NULL;
}

void ndft_fft_destroy_pair(ndft_fft fft[2])
{
    for (int back = 0; back < 2; back++) ndft_fft_destroy(&fft[back]);
}
