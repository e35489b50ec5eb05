/* SPDX-License-Identifier: Apache-2.0 */
#include <ndft/callback.h>

/* A load and a store function of one's own, in what C and CUDA C share (docs/uniform.md). */

/* Alternating signs: the spectrum of an axis of even length begins at its lowest frequency. */
NDFT_CALLBACK ndft_value centred(ndft_slot from, const int64_t *index, const void *data)
{
    ndft_value v = ndft_read(from);
    const int64_t sum = index[NDFT_MODE_N] + index[NDFT_MODE_N + 1] + index[NDFT_MODE_N + 2];
    (void)data;
    if (sum % 2) {
        v.re = -v.re;
        v.im = -v.im;
    }
    return v;
}

/* Every other row of the output, halved. */
NDFT_CALLBACK void half_of_even_rows(ndft_slot to, ndft_value value, const int64_t *index,
                                     const void *data)
{
    (void)data;
    value.re /= 2;
    value.im /= 2;
    if (index[NDFT_MODE_N + 1] % 2 == 0) ndft_write(to, value);
}
