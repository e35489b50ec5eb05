/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve/convolve.h"
#include "phase/sincos_poly.h"
#include "toeplitz.h"

#include <math.h>

ndft_toeplitz_loop NDFT_LOOP(nufft_toeplitz);

/* One coil and term: what the hooks are given. */
typedef struct job {
    const ndft_toeplitz_sum *sum;
    const ndft_real *in;
    ndft_real *out;
    double tau;
    bool adds; /* to what earlier terms left in out */
} job;

/* exp(i dw tau) of a voxel, its whole turns taken off in double. */
static inline void phasor(const job *j, int64_t v, ndft_real *s, ndft_real *c)
{
    *s = 0;
    *c = 1;
    if (!j->sum->field) return;
    const double half_turns = j->sum->field[v] * j->tau;
    ndft_sincospi((ndft_real)(half_turns - 2 * rint(0.5 * half_turns)), s, c);
}

static inline int64_t place(const ndft_toeplitz_sum *p, int64_t v, int64_t row)
{
    return (p->voxel ? p->voxel[v] : v) - row * p->convolve->n[0];
}

static void load(const void *context, int64_t row, ndft_real *line)
{
    const job *j = context;
    const ndft_toeplitz_sum *p = j->sum;
    if (p->voxel) ndft_zero_cells(line, p->convolve->n[0]);
    for (int64_t v = p->row_first[row]; v < p->row_first[row + 1]; v++) {
        const ndft_real *z = j->in + 2 * v * p->element;
        ndft_real s, c, *to = line + 2 * place(p, v, row);
        phasor(j, v, &s, &c);
        to[0] = c * z[0] + s * z[1];
        to[1] = c * z[1] - s * z[0];
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): of the type of load */
static void store(const void *context, int64_t row, ndft_real *line)
{
    const job *j = context;
    const ndft_toeplitz_sum *p = j->sum;
    for (int64_t v = p->row_first[row]; v < p->row_first[row + 1]; v++) {
        const ndft_real *z = line + 2 * place(p, v, row);
        ndft_real s, c, *to = j->out + 2 * v * p->element;
        phasor(j, v, &s, &c);
        const ndft_real re = c * z[0] - s * z[1], im = c * z[1] + s * z[0];
        to[0] = j->adds ? to[0] + re : re;
        to[1] = j->adds ? to[1] + im : im;
    }
}

void NDFT_LOOP(nufft_toeplitz)(const ndft_toeplitz_sum *p, const void *in, void *out)
{
#pragma omp parallel num_threads(p->convolve->threads)
    for (int coil = 0; coil < p->coils; coil++) {
        for (int term = 0; term < p->terms; term++) {
            const job j = {.sum = p,
                           .in = (const ndft_real *)in + 2 * coil * p->coil_stride,
                           .out = (ndft_real *)out + 2 * coil * p->coil_stride,
                           .tau = p->tau[term],
                           .adds = term > 0};
            ndft_convolve_image(p->convolve, (const ndft_real *)p->spectrum + term * p->cells, load,
                                store, &j);
        }
    }
}
