/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_AXIS_PLAN_CUH
#define NDFT_UNIFORM_AXIS_PLAN_CUH

#include "axes.h"
#include "core/device.cuh"

#include <climits>

/* Plans of transforms axis by axis whose kernels have read all lines before the first is written:
 * in place nothing is copied. */

inline ndft_axes ndft_axes_read_first(const ndft_transform *t)
{
    ndft_axes axes = ndft_axes_of(t, true);
    if (!axes.copies) return axes;
    axes.copies = false;
    axes.room[0] = 0;
    axes.pass[0].from = NDFT_AXES_IN;
    return axes;
}

/* Memory between the passes. */
inline ndft_status ndft_axes_reserve(ndft_arrays *arrays, ndft_prec prec, ndft_axes *axes)
{
    for (int i = 0; i < 2; i++) {
        char *work = nullptr;
        if (axes->room[i] == 0) continue;
        NDFT_TRY(ndft_reserve(arrays, "a grid between axes",
                              axes->room[i] * 2 * (int64_t)ndft_real_size(prec), &work));
        axes->work[i] = work;
    }
    return NDFT_OK;
}

/* First of an execute: what the first pass reads, where it must not read the caller's array. */
inline ndft_status ndft_axes_copy(ndft_exec *exec, ndft_prec prec, const ndft_axes &axes,
                                  const void *in)
{
    if (!axes.copies) return NDFT_OK;
    const size_t bytes = (size_t)axes.room[0] * 2 * ndft_real_size(prec);
    return ndft_copy_input(exec, axes.work[0], in, bytes);
}

/* NULL, or a sentence saying why not. */
inline const char *ndft_axes_unsupported(const ndft_axes &axes)
{
    for (int i = 0; i < axes.passes; i++) {
        if (axes.pass[i].lines >= INT_MAX) return "it counts lines along an axis in 31 bits";
        if (axes.pass[i].length > 1 << 29) return "an axis is longer than 2^29";
    }
    return nullptr;
}

#endif
