/* SPDX-License-Identifier: Apache-2.0 */
#include "folded.h"
#include "gemm/gemm_tile.h"
#include "uniform/line_plan.h"

#include <omp.h>

/* table: the cosines' matrix, then the sines', whose rows and columns go from N/2 down. */
ndft_line_loop NDFT_LOOP(uniform_gemm);

/* Rows of lanes, a lane a number of its line: real parts of complex lines first, then imaginary
 * parts. Row j holds e_j up to N/2 and o_{N-j} beyond, which folding leaves where x_{N-j} was; the
 * products' rows lie likewise. */

enum { LANES = NDFT_GEMM_BYTES / sizeof(ndft_real) };

typedef struct group {
    const ndft_line_sum *sum;
    int64_t line; /* the first one */
    int lines;    /* as many as there are lanes for */
    ndft_real *x, *y;
} group;

static int lines_at_once(const ndft_pass *p) { return p->domain == NDFT_C2C ? LANES / 2 : LANES; }

/* The rows of one line's number i and of its imaginary part. */
static void load_complex(const group *g, const ndft_real *in, int l)
{
    const ndft_pass *p = &g->sum->pass;
    ndft_real *to = g->x + l;
    for (int64_t n = 0; n < p->length; n++, in += 2 * p->in.stride, to += LANES) {
        to[0] = in[0];
        to[LANES / 2] = in[1];
    }
}

static void load_real(const group *g, const ndft_real *in, int l)
{
    const ndft_pass *p = &g->sum->pass;
    for (int64_t n = 0; n < p->length; n++) g->x[n * LANES + l] = in[n * p->in.stride];
}

static void load_half(const group *g, const ndft_real *in, int l)
{
    const ndft_pass *p = &g->sum->pass;
    const int64_t n = p->length;
    for (int64_t k = 0; k < p->in.count; k++, in += 2 * p->in.stride) {
        const ndft_real weight = (ndft_real)ndft_line_weight(p, k);
        g->x[k * LANES + l] = weight * in[0];
        if (k > 0 && 2 * k != n) g->x[(n - k) * LANES + l] = weight * in[1];
    }
}

static void load(const group *g, const ndft_real *in)
{
    const ndft_pass *p = &g->sum->pass;
    for (int l = 0; l < g->lines; l++) {
        const int64_t at = ndft_line_at(p, &p->in, g->line + l);
        if (p->domain == NDFT_C2C)
            load_complex(g, in + 2 * at, l);
        else if (p->domain == NDFT_R2C)
            load_real(g, in + at, l);
        else
            load_half(g, in + 2 * at, l);
    }
}

/* x_j and x_{N-j} become their sum and difference. */
static void fold(const group *g)
{
    const int64_t n = g->sum->pass.length;
    for (int64_t j = 1; 2 * j < n; j++) {
        ndft_real *restrict a = g->x + j * LANES, *restrict b = g->x + (n - j) * LANES;
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            const ndft_real even = a[l] + b[l];
            b[l] = a[l] - b[l];
            a[l] = even;
        }
    }
}

static void multiply(const group *g)
{
    const int64_t n = g->sum->pass.length, even = ndft_even_rows(n), odd = ndft_odd_rows(n);
    const ndft_real *cosines = g->sum->table;
    ndft_gemm product = {.lanes = LANES,
                         .columns = (int)even,
                         .terms = (int)even,
                         .a = g->x,
                         .b = cosines,
                         .c = g->y,
                         .a_stride = LANES,
                         .b_stride = even,
                         .c_stride = LANES};
    for (int64_t i = 0; i < n * LANES; i++) g->y[i] = 0;
    ndft_gemm_add(&product);
    product.columns = product.terms = (int)odd;
    product.a += even * LANES;
    product.b += even * even;
    product.c += even * LANES;
    product.b_stride = odd;
    ndft_gemm_add(&product);
}

/* y_k and y_{N-k} of one line, whose E_k and O_k are at even and odd. */
static void store_complex(const group *g, int l, ndft_real *out)
{
    const ndft_pass *p = &g->sum->pass;
    const int64_t n = p->length, step = 2 * p->out.stride;
    const ndft_real sign = (ndft_real)p->sign;
    for (int64_t k = 0; 2 * k <= n; k++) {
        const bool pair = k > 0 && 2 * k != n;
        const ndft_real *even = g->y + k * LANES + l, *odd = g->y + (n - k) * LANES + l;
        const ndft_real re = pair ? sign * odd[0] : 0, im = pair ? sign * odd[LANES / 2] : 0;
        out[k * step] = even[0] - im;
        out[k * step + 1] = even[LANES / 2] + re;
        if (!pair) continue;
        out[(n - k) * step] = even[0] + im;
        out[(n - k) * step + 1] = even[LANES / 2] - re;
    }
}

static void store_half(const group *g, int l, ndft_real *out)
{
    const ndft_pass *p = &g->sum->pass;
    const int64_t n = p->length;
    for (int64_t k = 0; k < p->out.count; k++, out += 2 * p->out.stride) {
        const bool pair = k > 0 && 2 * k != n;
        out[0] = g->y[k * LANES + l];
        out[1] = pair ? (ndft_real)p->sign * g->y[(n - k) * LANES + l] : 0;
    }
}

static void store_real(const group *g, int l, ndft_real *out)
{
    const ndft_pass *p = &g->sum->pass;
    const int64_t n = p->length, stride = p->out.stride;
    for (int64_t k = 0; 2 * k <= n; k++) {
        const bool pair = k > 0 && 2 * k != n;
        const ndft_real even = g->y[k * LANES + l];
        const ndft_real odd = pair ? (ndft_real)p->sign * g->y[(n - k) * LANES + l] : 0;
        out[k * stride] = even - odd;
        if (pair) out[(n - k) * stride] = even + odd;
    }
}

static void store(const group *g, ndft_real *out)
{
    const ndft_pass *p = &g->sum->pass;
    for (int l = 0; l < g->lines; l++) {
        const int64_t at = ndft_line_at(p, &p->out, g->line + l);
        if (p->domain == NDFT_C2C)
            store_complex(g, l, out + 2 * at);
        else if (p->domain == NDFT_R2C)
            store_half(g, l, out + 2 * at);
        else
            store_real(g, l, out + at);
    }
}

void NDFT_LOOP(uniform_gemm)(const ndft_line_sum *s, const void *in, void *out)
{
    const int64_t most = lines_at_once(&s->pass), groups = (s->pass.lines + most - 1) / most;
#pragma omp parallel for num_threads(s->threads) schedule(dynamic)
    for (int64_t i = 0; i < groups; i++) {
        const int64_t left = s->pass.lines - i * most;
        group g = {.sum = s, .line = i * most, .lines = (int)(left < most ? left : most)};
        g.x = (ndft_real *)s->work + (size_t)omp_get_thread_num() * s->work_reals;
        g.y = g.x + s->pass.length * LANES;
        load(&g, in);
        if (s->pass.domain != NDFT_C2R) fold(&g);
        multiply(&g);
        store(&g, out);
    }
}
