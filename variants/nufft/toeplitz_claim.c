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
