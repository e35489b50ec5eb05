/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LOOP_H
#define NDFT_LOOP_H

#include "base/exec.h"
#include "base/problem.h"

/*
 * A CPU inner loop is one file, NAME_loop.c, compiled once per instruction set and precision; this
 * is the one permitted macro template. In the loop file NDFT_LOOP(f) names the function of the
 * object being compiled (f_v3_f32) and ndft_real is its precision. The variant declares all of them
 * and has them in a table, [isa][prec], by NDFT_LOOPS, and picks one in plan.
 */

#define NDFT_LOOP_PASTE(f, isa, prec) f##_##isa##_##prec
#define NDFT_LOOP_NAME(f, isa, prec) NDFT_LOOP_PASTE(f, isa, prec)
#define NDFT_LOOP(f) NDFT_LOOP_NAME(f, NDFT_LOOP_ISA, NDFT_LOOP_PREC)

#define NDFT_LOOP_DECLARE(result, f, arguments)                                                    \
    result f##_v2_f32 arguments;                                                                   \
    result f##_v2_f64 arguments;                                                                   \
    result f##_v3_f32 arguments;                                                                   \
    result f##_v3_f64 arguments;                                                                   \
    result f##_v4_f32 arguments;                                                                   \
    result f##_v4_f64 arguments

#define NDFT_LOOP_TABLE(f)                                                                         \
    {                                                                                              \
        [NDFT_X86_64_V2] = {f##_v2_f32, f##_v2_f64}, [NDFT_X86_64_V3] = {f##_v3_f32, f##_v3_f64},  \
        [NDFT_X86_64_V4] = {f##_v4_f32, f##_v4_f64},                                               \
    }

/* The functions f, of a type of function, and their table. */
#define NDFT_LOOPS(table, type, f)                                                                 \
    type f##_v2_f32, f##_v2_f64, f##_v3_f32, f##_v3_f64, f##_v4_f32, f##_v4_f64;                   \
    static type *const table[3][2] = NDFT_LOOP_TABLE(f)

/* direction: what a plan prepared for an operation; in, out: interleaved complex in the problem's
 * layout.
 */
typedef void ndft_direction_loop(const void *direction, const void *in, void *out);

#ifdef NDFT_LOOP_f32
typedef float ndft_real;
#else
typedef double ndft_real;
#endif

#endif
