/* SPDX-License-Identifier: Apache-2.0 */

/* The load and store functions that cases name: C here, and as text CUDA C for plans to compile. */

#include <ndft/callback.h>

/* Of how many elements along each axis an index must be one; else it is not there. */
NDFT_CALLBACK bool is_kept(const int64_t *index, const int64_t *keep)
{
    return index[NDFT_MODE_N] < keep[0] && index[NDFT_MODE_N + 1] < keep[1] &&
           index[NDFT_MODE_N + 2] < keep[2];
}

/* data: int64_t[3], the elements that are kept along each axis. */
NDFT_CALLBACK ndft_value zero_pad(ndft_slot from, const int64_t *index, const void *data)
{
    const ndft_value zero = {0, 0};
    return is_kept(index, (const int64_t *)data) ? ndft_read(from) : zero;
}

/* data: as of zero_pad. */
NDFT_CALLBACK void crop(ndft_slot to, ndft_value value, const int64_t *index, const void *data)
{
    if (is_kept(index, (const int64_t *)data)) ndft_write(to, value);
}

/* data: int64_t[3], where in the table behind them each axis begins; the table: a factor for each
 * index along each axis. */
NDFT_CALLBACK void deapodise(ndft_slot to, ndft_value value, const int64_t *index, const void *data)
{
    const int64_t *first = (const int64_t *)data;
    const double *table = (const double *)(first + 3);
    ndft_scalar factor = 1;
    for (int d = 0; d < 3; d++) factor *= (ndft_scalar)table[first[d] + index[NDFT_MODE_N + d]];
    value.re *= factor;
    value.im *= factor;
    ndft_write(to, value);
}
