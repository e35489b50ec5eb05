/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LOOP_H
#define NDFT_LOOP_H

#include "base/exec.h"
#include "base/problem.h"

/*
 * A CPU inner loop is one file, NAME_loop.c, compiled once per instruction set and precision; this
 * is the one permitted macro template. In the loop file NDFT_LOOP(f) names the function of the
 * object being compiled (f_v3_f32) and ndft_real is its precision. NAME_loop.h declares all of them
 * with NDFT_LOOP_DECLARE; the variant picks one in plan from NDFT_LOOP_TABLE(f)[isa][prec].
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

/* Arithmetic that CUDA kernels share, where complex.cuh defines it. */
#define NDFT_INLINE static inline

#ifdef NDFT_LOOP_f32
typedef float ndft_real;
#else
typedef double ndft_real;
#endif

#endif
