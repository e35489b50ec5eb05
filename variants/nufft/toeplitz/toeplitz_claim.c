/* SPDX-License-Identifier: Apache-2.0 */
#include "toeplitz_claim.h"

#include <math.h>

static double roundoff(const ndft_problem *p) { return p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53; }

/*
 * With M cells a spectrum H is the sum over the samples of b_j times a Dirichlet kernel's values,
 * whose mean modulus is at most (2/pi) log M + 1 an axis (Zygmund, Trigonometric Series, 1959,
 * II.12). So an error of eps in each cell of a transformed image comes out as that times eps m, as
 * do the product's. There are two transforms (worst.h), and the sum over terms.
 */
static double roundings(const ndft_problem *p, int terms)
{
    const ndft_psf psf = ndft_psf_of(p, ndft_fft_size);
    double kernel = 1, units = 2 * (sqrt(5) + 2) * log2((double)psf.size) + 2 * (sqrt(5) + 1) + 1;
    for (int d = 0; d < p->dim; d++) kernel *= 2 / M_PI * log((double)psf.cells[d]) + 1;
    return roundoff(p) * kernel * (units + terms);
}

/* Most of tol, less what the descriptors claim beside it of white data: c = 4, forward and adjoint.
 */
static double room(const ndft_problem *p)
{
    if (p->tol_kind == NDFT_TOL_ANY) return 0.9 * p->tol;
    return fmax(0.9 * (p->tol - 8 * roundoff(p)), 0.1 * p->tol);
}

/* Of each of so many terms. */
static double worst_of_each(const ndft_problem *p, int terms)
{
    return ndft_psf_worst(p) + roundings(p, terms);
}

void ndft_toeplitz_fit(const ndft_problem *p, ndft_toeplitz *toeplitz)
{
    const double each = p->tol_kind == NDFT_TOL_ANY
                            ? worst_of_each(p, p->dw ? NDFT_TOEPLITZ_TERMS : 1)
                            : ndft_psf_error(p);
    ndft_toeplitz_choose(p, each, room(p), toeplitz);
}

const char *ndft_toeplitz_unsupported(const ndft_problem *p)
{
    if (ndft_has_gradients(p)) return "with gradient maps A^H A is no sum of convolutions";
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    return toeplitz.terms > NDFT_TOEPLITZ_TERMS
               ? "its field map over its readout takes more than 96 convolutions at this tol"
               : NULL;
}

double ndft_toeplitz_truncation(const ndft_problem *p)
{
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    return 0.5 * toeplitz.error;
}

double ndft_toeplitz_any(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    (void)knobs;
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    const double each = worst_of_each(p, toeplitz.terms) + 0x1p-53 * toeplitz.phase;
    return 0.5 * (toeplitz.lost + toeplitz.gain * each);
}

/* Of one transform of a length, in multiply-adds. */
static double transform(double length) { return 2.5 * length * log2(length); }

ndft_cost ndft_toeplitz_cost(const ndft_problem *p, double passes, double launches)
{
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    const ndft_psf psf = ndft_psf_of(p, ndft_fft_size);
    const double columns = (double)toeplitz.terms * p->coils,
                 real = (double)ndft_real_size(p->prec);
    const double voxels = (double)p->n_voxels, size = (double)psf.size;
    double fma = 2 * size + 2 * voxels * (p->dw ? 24 : 0);
    for (int d = 0; d < p->dim; d++) {
        const double cells = (double)psf.cells[d];
        fma += 2 * size / cells * transform(cells);
    }
    return (ndft_cost){.fma = columns * fma,
                       .issue_slots = columns * fma,
                       .dram_bytes = columns * real * (size + 4 * voxels),
                       .l2_bytes = columns * real * (2 * passes * size + size + 4 * voxels),
                       .launches = launches};
}
