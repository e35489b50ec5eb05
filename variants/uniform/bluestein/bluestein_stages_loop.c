/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_stages_loop.h"

#include "chirp.h"
#include "convolve/bluestein_hooks.h"

/* What the lines are convolved with: conj(w_m)/cells, wrapped around. */
static inline void set_filter(const ndft_bluestein_axis *a, ndft_real *filter)
{
    const int64_t inputs = ndft_bluestein_loaded(a), outputs = ndft_bluestein_stored(a);
    const int64_t cells = a->convolve.cells;
    const ndft_real *chirp = a->before, factor = 1 / (ndft_real)cells;
    memset(filter, 0, (size_t)cells * 2 * sizeof *filter);
    for (int64_t m = 0; m < outputs; m++) {
        filter[2 * m] = factor * chirp[2 * m];
        filter[2 * m + 1] = -factor * chirp[2 * m + 1];
    }
    for (int64_t m = 1; m < inputs; m++) {
        filter[2 * (cells - m)] = factor * chirp[2 * m];
        filter[2 * (cells - m) + 1] = -factor * chirp[2 * m + 1];
    }
}

static ndft_bluestein_job job_of(const ndft_bluestein_part *p)
{
    return (ndft_bluestein_job){p->axis, p->from, p->to};
}

/* bluestein_split: each stage is a pass of its own over the lines in memory. */

typedef void on_line(const ndft_bluestein_part *, int64_t line, ndft_real *kept);

/* Lines first, ..., end - 1; beside them the filter as line -1 where it is new. */
static inline void each_line(const ndft_bluestein_part *p, bool with_filter, on_line *f)
{
    const ndft_convolve_batch *c = &p->axis->convolve;
    const int64_t before = with_filter && p->first == 0 ? -1 : 0, lines = p->end - p->first;
#pragma omp parallel for num_threads(ndft_batch_threads(c, lines - before)) schedule(static)
    for (int64_t i = before; i < lines; i++)
        f(p, p->first + i, i < 0 ? c->spectrum : (ndft_real *)p->kept + 2 * i * c->pitch);
}

void NDFT_LOOP(bluestein_chirp)(const ndft_bluestein_part *p)
{
    enum { BLOCK = 256 };
    const int64_t n = p->axis->pass.length;
    ndft_real *chirp = p->axis->before;
#pragma omp parallel for num_threads(p->axis->convolve.threads) schedule(static) if (n > 8 * BLOCK)
    for (int64_t first = 0; first < n; first += BLOCK) {
        double w[2 * BLOCK];
        const int64_t count = n - first < BLOCK ? n - first : BLOCK;
        ndft_chirp_fill(first, count, n, p->axis->pass.sign, w);
        for (int64_t i = 0; i < 2 * count; i++) chirp[2 * first + i] = (ndft_real)w[i];
    }
}

static void pad_mul(const ndft_bluestein_part *p, int64_t line, ndft_real *kept)
{
    const ndft_bluestein_job job = job_of(p);
    if (line < 0)
        set_filter(p->axis, kept);
    else
        ndft_bluestein_load(&job, line, 1, kept);
}

static void forward(const ndft_bluestein_part *p, int64_t line, ndft_real *kept)
{
    (void)line;
    ndft_fft_run(&p->axis->convolve.fft[0], kept, kept);
}

static void fft_mul(const ndft_bluestein_part *p, int64_t line, ndft_real *kept)
{
    (void)line;
    ndft_multiply_line(&p->axis->convolve, kept);
}

static void back(const ndft_bluestein_part *p, int64_t line, ndft_real *kept)
{
    (void)line;
    ndft_fft_run(&p->axis->convolve.fft[1], kept, kept);
}

static void res_mul(const ndft_bluestein_part *p, int64_t line, ndft_real *kept)
{
    const ndft_bluestein_job job = job_of(p);
    ndft_bluestein_store(&job, line, 1, kept);
}

void NDFT_LOOP(bluestein_pad_mul)(const ndft_bluestein_part *p) { each_line(p, true, pad_mul); }
void NDFT_LOOP(bluestein_fft)(const ndft_bluestein_part *p) { each_line(p, true, forward); }
void NDFT_LOOP(bluestein_fft_mul)(const ndft_bluestein_part *p) { each_line(p, false, fft_mul); }
void NDFT_LOOP(bluestein_ifft)(const ndft_bluestein_part *p) { each_line(p, false, back); }
void NDFT_LOOP(bluestein_res_mul)(const ndft_bluestein_part *p) { each_line(p, false, res_mul); }

/* bluestein_fused. */

void NDFT_LOOP(bluestein_filter)(const ndft_bluestein_part *p)
{
    const ndft_convolve_batch *c = &p->axis->convolve;
    set_filter(p->axis, c->spectrum);
    ndft_fft_run(&c->fft[0], c->spectrum, c->spectrum);
}

void NDFT_LOOP(bluestein_forward)(const ndft_bluestein_part *p)
{
    const ndft_bluestein_job job = job_of(p);
    ndft_convolve_lines(&p->axis->convolve, p->first, p->end, ndft_bluestein_load, NULL, &job,
                        p->kept);
}

void NDFT_LOOP(bluestein_back)(const ndft_bluestein_part *p)
{
    const ndft_bluestein_job job = job_of(p);
    ndft_convolve_lines(&p->axis->convolve, p->first, p->end, NULL, ndft_bluestein_store, &job,
                        p->kept);
}
