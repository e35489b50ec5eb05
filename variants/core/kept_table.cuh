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

inline void ndft_free_kept_table(ndft_retained *retained)
{
    ndft_kept_table *table = (ndft_kept_table *)retained;
    ndft_arrays_release(&table->arrays);
    free(table);
}

/* One that nobody has: were it shared, how much memory two engines take would depend on whether
 * their numbers happen to be the same. */
inline ndft_kept_table *ndft_find_kept_table(const ndft_exec *exec, const char *what,
                                             const ndft_table_key &key)
{
    return ndft_find_retained<ndft_kept_table>(
        exec, ndft_free_kept_table, [&](const ndft_kept_table &t) {
            return !t.retained.users && !strcmp(t.what, what) && !memcmp(&t.key, &key, sizeof key);
        });
}

/* As ndft_place_filled, of a name and a key that tell what the values are. */
template <class T, class Fill>
ndft_status ndft_place_kept(ndft_arrays *arrays, const char *what, const ndft_table_key &key,
                            int64_t count, const T **device, Fill fill)
{
    ndft_exec *exec = arrays->exec;
    ndft_kept_table *table = ndft_find_kept_table(exec, what, key);
    if (table) {
        table->retained.users++;
        *device = (const T *)table->elements;
        return ndft_hold(arrays, &table->retained);
    }
    ndft_forget(exec, ndft_free_kept_table);
    table = (ndft_kept_table *)calloc(1, sizeof *table);
    if (!table) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    table->what = what;
    table->key = key;
    table->arrays.exec = exec;
    const ndft_status status = ndft_place_filled(&table->arrays, what, count, device, fill);
    if (status != NDFT_OK) {
        ndft_free_kept_table(&table->retained);
        return status;
    }
    table->elements = *device;
    ndft_retain(exec, &table->retained, ndft_free_kept_table);
    return ndft_hold(arrays, &table->retained);
}

#endif
