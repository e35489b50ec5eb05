/* SPDX-License-Identifier: Apache-2.0 */
#include "properties.h"

#include "property_fixture.h"

#include <math.h>
#include <string.h>

/*
 * Properties of a phase of higher order: trajectory and field map are cases of it, and may stand
 * among its terms. A problem's own terms stay, so that they are of any order.
 */

static void append(ndft_problem *p, const void *c, const void *b)
{
    ndft_higher_phase *h = &p->higher;
    h->c[h->terms] = c;
    h->b[h->terms++] = b;
}

/* The field map as one term more. */
ndft_status ndft_higher_is_field(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem field = t->problem, term = t->problem;
    append(&term, field.t, field.dw);
    term.dw = NULL;
    ndft_property_fixture_bounds(&term);
    return ndft_property_fixture_equal(t, &term, &field, op, worst);
}

/* Positions x_d, with 2 pi slope_d t. */
static void append_axis(ndft_property_fixture *t, ndft_problem *p, int d)
{
    void *c = ndft_property_fixture_reals(t, p->n_samples);
    void *b = ndft_property_fixture_reals(t, p->n_voxels);
    for (int64_t j = 0; j < p->n_samples; j++)
        ndft_put(c, p->prec, j, 2 * M_PI * ndft_slope[d] * ndft_real_at(p->t, p->prec, j));
    for (int64_t v = 0; v < p->n_voxels; v++) {
        double x[3];
        ndft_voxel_at(p, v, x);
        ndft_put(b, p->prec, v, x[d]);
    }
    append(p, c, b);
}

/* Terms of first order are a shifted trajectory. */
ndft_status ndft_higher_is_shift(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem terms = t->problem, shifted;
    memset(terms.g, 0, sizeof terms.g);
    ndft_property_fixture_linear(t, &terms, &shifted);
    terms.dw = NULL;
    for (int d = 0; d < terms.dim; d++) append_axis(t, &terms, d);
    ndft_property_fixture_bounds(&terms);
    return ndft_property_fixture_equal(t, &terms, &shifted, op, worst);
}
