/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TYPES_H
#define NDFT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words that problems, plans, and load and store functions share. */

typedef enum ndft_prec { NDFT_F32, NDFT_F64 } ndft_prec;

/* Planar: element e of coil c at [c*length + e]. Interleaved: at [e*coils + c]. */
typedef enum ndft_layout { NDFT_PLANAR, NDFT_INTERLEAVED } ndft_layout;

/* The most terms of a phase of higher order. */
enum { NDFT_HIGHER_TERMS = 16 };

/* Bits, so that a plan can be asked for several. */
typedef enum ndft_op { NDFT_FORWARD = 1, NDFT_ADJOINT = 2, NDFT_NORMAL = 4 } ndft_op;

/*
 * What tol promises, with E = A~ - A, A~ being what is computed in place of A:
 *     typical   rms |E_jk| <= tol rms |A_jk|: the relative l2 error to be expected of white data
 *     any       max |E_jk| <= tol: each output errs by at most tol |x|_1, whatever the data
 * Of the normal operator, whose entries are sums over all samples, `any` is max |E_jk| <= tol m.
 */
typedef enum ndft_tol_kind { NDFT_TOL_TYPICAL, NDFT_TOL_ANY } ndft_tol_kind;

static inline size_t ndft_real_size(ndft_prec prec)
{
    return prec == NDFT_F32 ? sizeof(float) : sizeof(double);
}

static inline double ndft_real_at(const void *array, ndft_prec prec, int64_t i)
{
    return prec == NDFT_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

/* Rounds to the precision. */
static inline void ndft_put_real(void *array, ndft_prec prec, int64_t i, double value)
{
    if (prec == NDFT_F32)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

#endif
