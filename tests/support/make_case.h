/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_MAKE_CASE_H
#define NDFT_TEST_MAKE_CASE_H

#include "make/make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Cases as structs, so that what makes problems is tested apart from the grammar. */

static inline ndft_case a_case(int dim, int64_t nx, int64_t ny, int64_t nz, int64_t m)
{
    return (ndft_case){.op = NDFT_FORWARD,
                       .dim = dim,
                       .n = {nx, ny, nz},
                       .m = m,
                       .traj = {.kind = NDFT_SOURCE_RANDOM, .a = 1},
                       .data = {.kind = NDFT_SOURCE_RANDOM},
                       .fov = 0.22,
                       .coils = 1,
                       .tol = 1e-4,
                       .seed = 1};
}

/* In double, with a field map. */
static inline ndft_case field_case(ndft_source_kind kind, double hz)
{
    ndft_case c = a_case(3, 12, 9, 7, 50);
    c.field = (ndft_source){.kind = kind, .largest = hz};
    c.prec = NDFT_F64;
    return c;
}

static inline double double_at(const void *array, int64_t i) { return ((const double *)array)[i]; }

static inline ndft_made made_of(const ndft_case *c)
{
    ndft_made made;
    ndft_error err = {0};
    if (ndft_make(c, &made, &err) != NDFT_OK) fail_msg("%s", err.message);
    return made;
}

/* The case must be refused with this status and a message that contains all of words, which end
 * with NULL. */
static inline void refused(const ndft_case *c, ndft_status status, const char *const *words)
{
    ndft_made made;
    ndft_error err = {0};
    assert_int_equal(ndft_make(c, &made, &err), status);
    assert_null(made.own.blocks);
    for (; *words; words++)
        if (!strstr(err.message, *words)) fail_msg("no '%s' in: %s", *words, err.message);
}

#define REFUSED(c, status, ...) refused(c, status, (const char *const[]){__VA_ARGS__, NULL})

#endif
