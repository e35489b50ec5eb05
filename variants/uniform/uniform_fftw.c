/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform_fftw.h"

#include <fftw3.h>

static const double most_seconds = 5;

/* The axes and the batches as FFTW wants them, the slowest first. Both precisions have the same
 * type for one. */
typedef struct guru {
    int rank, batches;
    fftw_iodim64 axis[3], batch[2];
    unsigned flags;
} guru;

static fftw_iodim64 mode_of(const ndft_transform *t, int mode)
{
    return (fftw_iodim64){t->shape[mode], t->in.stride[mode], t->out.stride[mode]};
}

static guru guru_of(const ndft_transform *t, bool measured)
{
    guru g = {.rank = t->dim, .flags = measured ? FFTW_MEASURE : FFTW_ESTIMATE};
    for (int d = 0; d < t->dim; d++) g.axis[d] = mode_of(t, t->dim - d);
    if (t->shape[NDFT_MODE_K] > 1) g.batch[g.batches++] = mode_of(t, NDFT_MODE_K);
    if (t->shape[NDFT_MODE_M] > 1) g.batch[g.batches++] = mode_of(t, NDFT_MODE_M);
    return g;
}

static void *plan_f32(const guru *g, const ndft_transform *t, void *in, void *out)
{
    fftwf_set_timelimit(most_seconds);
    if (t->domain == NDFT_R2C)
        return fftwf_plan_guru64_dft_r2c(g->rank, g->axis, g->batches, g->batch, in, out, g->flags);
    if (t->domain == NDFT_C2R)
        return fftwf_plan_guru64_dft_c2r(g->rank, g->axis, g->batches, g->batch, in, out, g->flags);
    return fftwf_plan_guru64_dft(g->rank, g->axis, g->batches, g->batch, in, out, t->sign,
                                 g->flags);
}

static void *plan_f64(const guru *g, const ndft_transform *t, void *in, void *out)
{
    fftw_set_timelimit(most_seconds);
    if (t->domain == NDFT_R2C)
        return fftw_plan_guru64_dft_r2c(g->rank, g->axis, g->batches, g->batch, in, out, g->flags);
    if (t->domain == NDFT_C2R)
        return fftw_plan_guru64_dft_c2r(g->rank, g->axis, g->batches, g->batch, in, out, g->flags);
    return fftw_plan_guru64_dft(g->rank, g->axis, g->batches, g->batch, in, out, t->sign, g->flags);
}

static size_t bytes_of(const ndft_tensor *t, ndft_prec prec)
{
    return (size_t)ndft_tensor_room(t) * 2 * ndft_real_size(prec);
}

/* Arrays to plan on; a guess touches none, and needs only two places. */
static ndft_status take_arrays(ndft_exec *exec, const ndft_transform *t, bool measured,
                               void *array[2])
{
    const size_t in = measured ? bytes_of(&t->in, t->prec) : NDFT_FFT_ALIGN;
    const size_t out = measured ? bytes_of(&t->out, t->prec) : NDFT_FFT_ALIGN;
    const size_t both = in > out ? in : out;
    NDFT_TRY(exec->alloc(exec, "an array to plan on", t->in_place ? both : in, &array[0]));
    if (t->in_place) {
        array[1] = array[0];
        return NDFT_OK;
    }
    ndft_status status = exec->alloc(exec, "an array to plan on", out, &array[1]);
    if (status != NDFT_OK) exec->release(exec, array[0]);
    return status;
}

/* A plan is made as the first of a process is: what was measured before, its own plans included,
 * would make a guess no guess, and planning cheap. */
ndft_status ndft_uniform_fft_plan(ndft_exec *exec, const ndft_transform *t, bool measured,
                                  ndft_uniform_fft *fft)
{
    const guru g = guru_of(t, measured);
    void *array[2] = {NULL, NULL};
    NDFT_TRY(take_arrays(exec, t, measured, array));
    ndft_fft_forget();
    void *plan = (t->prec == NDFT_F32 ? plan_f32 : plan_f64)(&g, t, array[0], array[1]);
    exec->release(exec, array[0]);
    if (!t->in_place) exec->release(exec, array[1]);
    *fft = (ndft_uniform_fft){t->domain, {t->prec, plan}};
    return plan ? NDFT_OK : ndft_fail(exec->error, NDFT_ENOMEM, "FFTW made no plan");
}

static void run_real_f32(const ndft_uniform_fft *u, void *in, void *out)
{
    if (u->domain == NDFT_R2C)
        fftwf_execute_dft_r2c(u->fft.plan, in, out);
    else
        fftwf_execute_dft_c2r(u->fft.plan, in, out);
}

static void run_real_f64(const ndft_uniform_fft *u, void *in, void *out)
{
    if (u->domain == NDFT_R2C)
        fftw_execute_dft_r2c(u->fft.plan, in, out);
    else
        fftw_execute_dft_c2r(u->fft.plan, in, out);
}

void ndft_uniform_fft_run(const ndft_uniform_fft *u, void *in, void *out)
{
    if (u->domain == NDFT_C2C)
        ndft_fft_run(&u->fft, in, out);
    else
        (u->fft.prec == NDFT_F32 ? run_real_f32 : run_real_f64)(u, in, out);
}
