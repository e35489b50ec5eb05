/* SPDX-License-Identifier: Apache-2.0 */
#include "sort.cuh"

#include <cub/device/device_radix_sort.cuh>

ndft_status ndft_sort_keyed(const ndft_exec *exec, void *storage, size_t *bytes,
                            const ndft_keyed *keyed, int64_t count, uint64_t keys_end)
{
    int bits = 1;
    while (bits < 64 && keys_end >> bits) bits++;
    return ndft_checked(exec,
                        cub::DeviceRadixSort::SortPairs(
                            storage, *bytes, keyed->key[0], keyed->key[1], keyed->number[0],
                            keyed->number[1], count, 0, bits, ndft_stream(exec)),
                        "sorting samples");
}
