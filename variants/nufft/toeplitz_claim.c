/* SPDX-License-Identifier: Apache-2.0 */
#include "toeplitz_claim.h"

#include <math.h>

static const double part_of_tol = 0.3;
static const double safety = 2; /* pairs of voxels that the samples tell apart may be worse off */

void ndft_toeplitz_fit(const ndft_problem *p, ndft_toeplitz *toeplitz)
{
    ndft_toeplitz_choose(p, part_of_tol * p->tol, toeplitz);
}

const char *ndft_toeplitz_unfit(const ndft_problem *p)
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
    return 0.5 * (safety * toeplitz.error + ndft_psf_error(p));
}

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
    return (p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53) * kernel * (units + terms);
}

double ndft_toeplitz_any(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    (void)knobs;
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    const double gain = toeplitz.terms;
    return 0.5 *
           (safety * toeplitz.error + gain * (ndft_psf_worst(p) + roundings(p, toeplitz.terms)));
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
