/* SPDX-License-Identifier: Apache-2.0 */
#include "threads.h"

#include <omp.h>

ndft_status ndft_openmp_threads(int *threads, ndft_error *err)
{
    *threads = omp_get_max_threads();
    if (*threads <= NDFT_MOST_THREADS) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "OpenMP is to have %d threads (OMP_NUM_THREADS); nearest: %d", *threads,
                     NDFT_MOST_THREADS);
}
