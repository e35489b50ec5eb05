/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_fftw.h"

#include <fftw3.h>

static void *plan_f32(int n, int lines, ndft_fft_lines from, ndft_fft_lines to, int sign)
{
    return fftwf_plan_many_dft(1, &n, lines, from.memory, NULL, (int)from.cell, (int)from.line,
                               to.memory, NULL, (int)to.cell, (int)to.line, sign, FFTW_ESTIMATE);
}

static void *plan_f64(int n, int lines, ndft_fft_lines from, ndft_fft_lines to, int sign)
{
    return fftw_plan_many_dft(1, &n, lines, from.memory, NULL, (int)from.cell, (int)from.line,
                              to.memory, NULL, (int)to.cell, (int)to.line, sign, FFTW_ESTIMATE);
}

ndft_status ndft_fft_plan(ndft_error *error, ndft_prec prec, int sign, int64_t cells, int lines,
                          ndft_fft_lines from, ndft_fft_lines to, ndft_fft *fft)
{
    fft->prec = prec;
    fft->plan = (prec == NDFT_F32 ? plan_f32 : plan_f64)((int)cells, lines, from, to, sign);
    if (fft->plan) return NDFT_OK;
    return ndft_fail(error, NDFT_ENOMEM, "FFTW made no plan for %d lines of %lld cells", lines,
                     (long long)cells);
}

static void *plan_line_f32(int n, void *memory, int sign, double seconds)
{
    fftwf_set_timelimit(seconds > 0 ? seconds : FFTW_NO_TIMELIMIT);
    return fftwf_plan_dft_1d(n, memory, memory, sign, seconds > 0 ? FFTW_MEASURE : FFTW_ESTIMATE);
}

static void *plan_line_f64(int n, void *memory, int sign, double seconds)
{
    fftw_set_timelimit(seconds > 0 ? seconds : FFTW_NO_TIMELIMIT);
    return fftw_plan_dft_1d(n, memory, memory, sign, seconds > 0 ? FFTW_MEASURE : FFTW_ESTIMATE);
}

ndft_status ndft_fft_plan_line(ndft_error *error, ndft_prec prec, int sign, int64_t cells,
                               void *memory, double seconds, ndft_fft *fft)
{
    fft->prec = prec;
    fft->plan =
        (prec == NDFT_F32 ? plan_line_f32 : plan_line_f64)((int)cells, memory, sign, seconds);
    if (fft->plan) return NDFT_OK;
    return ndft_fail(error, NDFT_ENOMEM, "FFTW made no plan for %lld cells", (long long)cells);
}

void ndft_fft_forget(void)
{
    fftwf_forget_wisdom();
    fftw_forget_wisdom();
    fftwf_set_timelimit(FFTW_NO_TIMELIMIT);
    fftw_set_timelimit(FFTW_NO_TIMELIMIT);
}

void ndft_fft_run(const ndft_fft *fft, void *from, void *to)
{
    if (fft->prec == NDFT_F32)
        fftwf_execute_dft(fft->plan, from, to);
    else
        fftw_execute_dft(fft->plan, from, to);
}

void ndft_fft_destroy(ndft_fft *fft)
{
    if (fft->plan && fft->prec == NDFT_F32) fftwf_destroy_plan(fft->plan);
    if (fft->plan && fft->prec == NDFT_F64) fftw_destroy_plan(fft->plan);
    fft->plan = NULL;
}
