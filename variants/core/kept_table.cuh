/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_KEPT_TABLE_CUH
#define NDFT_KEPT_TABLE_CUH

#include "core/device.cuh"

#include <cstring>

/* Tables that follow from a few numbers, and not from samples: they stay while an engine is
 * prepared anew. */

/* What a table follows from; the rest is 0. */
struct ndft_table_key {
    double number[12];
};

struct ndft_kept_table {
    ndft_retained retained; /* first */
    const char *what;
    ndft_table_key key;
    ndft_arrays arrays;
    const void *elements;
};

/* As ndft_place_filled, of a name and a key that tell what the values are. None that somebody has
 * is taken: were it shared, how much memory two engines take would depend on whether their numbers
 * happen to be the same. */
template <class T, class Fill>
ndft_status ndft_place_kept(ndft_arrays *arrays, const char *what, const ndft_table_key &key,
                            int64_t count, const T **device, Fill fill)
{
    ndft_kept_table *table = nullptr;
    NDFT_TRY(ndft_take_retained<ndft_kept_table>(
        arrays->exec, &table,
        [&](const ndft_kept_table &t) {
            return !t.retained.users && !strcmp(t.what, what) && !memcmp(&t.key, &key, sizeof key);
        },
        [&](ndft_kept_table *t) {
            t->what = what;
            t->key = key;
            const T *elements = nullptr;
            const ndft_status status = ndft_place_filled(&t->arrays, what, count, &elements, fill);
            t->elements = elements;
            return status;
        }));
    *device = (const T *)table->elements;
    return ndft_hold(arrays, &table->retained);
}

#endif
