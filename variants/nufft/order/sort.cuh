/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SORT_CUH
#define NDFT_NUFFT_SORT_CUH

#include "core/device.cuh"

/* Pieces of one allocation, which costs what a kernel does; of none, only their sum is found. */
struct ndft_shelf {
    char *memory;
    size_t used;

    template <class T> T *take(int64_t count)
    {
        T *piece = (T *)(memory + used);
        used += ((size_t)count * sizeof(T) + 255) / 256 * 256;
        return piece;
    }
};

/* Numbers and the keys by which they are sorted, before and after. */
struct ndft_keyed {
    uint64_t *key[2];
    int32_t *number[2];
};

/* Equal keys, all below keys_end, stay in order. storage NULL: only finds its bytes. */
ndft_status ndft_sort_keyed(const ndft_exec *, void *storage, size_t *bytes, const ndft_keyed *,
                            int64_t count, uint64_t keys_end);

#endif
