/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_KNOBS_H
#define NDFT_NUFFT_KNOBS_H

#include "nufft/window/window.h"

#include "base/variant.h"

/*
 * The knobs that every variant of the family has, first and in this order; those of a scheme alone
 * come after them, from NDFT_NUFFT_KNOBS on:
 *
 *     static const ndft_knob knobs[] = {
 *     #include "knobs.def"
 *         {"tile", ...},
 *     };
 */

enum {
    NDFT_KNOB_SIGMA,   /* percent */
    NDFT_KNOB_WINDOW,  /* an ndft_window_kind */
    NDFT_KNOB_WEIGHTS, /* by polynomials or a table */
    NDFT_KNOB_WIDTH,   /* cells, 0: by tol */
    NDFT_KNOB_FIELD,   /* how a field map comes apart */
    NDFT_NUFFT_KNOBS
};

enum { NDFT_WEIGHTS_POLYNOMIAL, NDFT_WEIGHTS_TABLE };
enum { NDFT_FIELD_SVD, NDFT_FIELD_SEGMENTS, NDFT_FIELD_HANNING };

static const char *const ndft_window_words[] = {"kb", "gaussian", "es", 0};
static const char *const ndft_weights_words[] = {"polynomial", "table", 0};
static const char *const ndft_field_words[] = {"svd", "segments", "hanning", 0};

#endif
