/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_fftw.h"

#include <fftw3.h>
#include <pthread.h>

/* FFTW's planner, its time limit and what it has learnt belong to the process. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* What FFTW's guru interface takes; both precisions have the same type for a mode. */
typedef struct guru {
    ndft_domain domain;
    int sign, axes, batches;
    unsigned flags;
    double limit;
    fftw_iodim64 axis[3], batch[2];
} guru;

static fftw_iodim64 iodim(ndft_fft_mode m) { return (fftw_iodim64){m.n, m.in, m.out}; }

static guru guru_of(const ndft_fft_shape *s, double seconds)
{
    guru g = {.domain = s->domain,
              .sign = s->sign,
              .axes = s->axes,
              .batches = s->batches,
              .flags = seconds > 0 ? FFTW_MEASURE : FFTW_ESTIMATE,
              .limit = seconds > 0 ? seconds : FFTW_NO_TIMELIMIT};
    for (int i = 0; i < s->axes; i++) g.axis[i] = iodim(s->axis[i]);
    for (int i = 0; i < s->batches; i++) g.batch[i] = iodim(s->batch[i]);
    return g;
}

static void *plan_f32(const guru *g, void *in, void *out)
{
    fftwf_set_timelimit(g->limit);
    if (g->domain == NDFT_R2C)
        return fftwf_plan_guru64_dft_r2c(g->axes, g->axis, g->batches, g->batch, in, out, g->flags);
    if (g->domain == NDFT_C2R)
        return fftwf_plan_guru64_dft_c2r(g->axes, g->axis, g->batches, g->batch, in, out, g->flags);
    return fftwf_plan_guru64_dft(g->axes, g->axis, g->batches, g->batch, in, out, g->sign,
                                 g->flags);
}

static void *plan_f64(const guru *g, void *in, void *out)
{
    fftw_set_timelimit(g->limit);
    if (g->domain == NDFT_R2C)
        return fftw_plan_guru64_dft_r2c(g->axes, g->axis, g->batches, g->batch, in, out, g->flags);
    if (g->domain == NDFT_C2R)
        return fftw_plan_guru64_dft_c2r(g->axes, g->axis, g->batches, g->batch, in, out, g->flags);
    return fftw_plan_guru64_dft(g->axes, g->axis, g->batches, g->batch, in, out, g->sign, g->flags);
}

ndft_status ndft_fft_make(ndft_error *error, const ndft_fft_shape *shape, double seconds, void *in,
                          void *out, ndft_fft *fft)
{
    const guru g = guru_of(shape, seconds);
    pthread_mutex_lock(&planner);
    void *plan = (shape->prec == NDFT_F32 ? plan_f32 : plan_f64)(&g, in, out);
    pthread_mutex_unlock(&planner);
    *fft = (ndft_fft){shape->prec, shape->domain, plan};
    return plan ? NDFT_OK
                : ndft_fail(error, NDFT_ENOMEM, "FFTW made no plan for lines of %lld cells",
                            (long long)shape->axis[shape->axes - 1].n);
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

void ndft_fft_forget(void)
{
    pthread_mutex_lock(&planner);
    fftwf_forget_wisdom();
    fftw_forget_wisdom();
    fftwf_set_timelimit(FFTW_NO_TIMELIMIT);
    fftw_set_timelimit(FFTW_NO_TIMELIMIT);
    pthread_mutex_unlock(&planner);
}

static void run_real_f32(const ndft_fft *fft, void *from, void *to)
{
    if (fft->domain == NDFT_R2C)
        fftwf_execute_dft_r2c(fft->plan, from, to);
    else
        fftwf_execute_dft_c2r(fft->plan, from, to);
}

static void run_real_f64(const ndft_fft *fft, void *from, void *to)
{
    if (fft->domain == NDFT_R2C)
        fftw_execute_dft_r2c(fft->plan, from, to);
    else
        fftw_execute_dft_c2r(fft->plan, from, to);
}

void ndft_fft_run(const ndft_fft *fft, void *from, void *to)
{
    if (fft->domain != NDFT_C2C)
        (fft->prec == NDFT_F32 ? run_real_f32 : run_real_f64)(fft, from, to);
    else if (fft->prec == NDFT_F32)
        fftwf_execute_dft(fft->plan, from, to);
    else
        fftw_execute_dft(fft->plan, from, to);
}

void ndft_fft_destroy(ndft_fft *fft)
{
    if (!fft->plan) return;
    pthread_mutex_lock(&planner);
    if (fft->prec == NDFT_F32)
        fftwf_destroy_plan(fft->plan);
    else
        fftw_destroy_plan(fft->plan);
    pthread_mutex_unlock(&planner);
    fft->plan = NULL;
}

void ndft_fft_destroy_pair(ndft_fft fft[2])
{
    for (int back = 0; back < 2; back++) ndft_fft_destroy(&fft[back]);
}

const char *ndft_fft_version(void) { return fftwf_version; }
