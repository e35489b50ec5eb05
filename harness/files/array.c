/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"

#include <stdio.h>

size_t ndft_element_size(ndft_element element)
{
    static const size_t size[] = {1, sizeof(float), sizeof(double), 2 * sizeof(float),
                                  2 * sizeof(double)};
    return size[element];
}

bool ndft_element_complex(ndft_element element) { return element >= NDFT_ELEMENT_C64; }

int64_t ndft_array_count(const ndft_array *a)
{
    int64_t count = 1;
    for (int d = 0; d < a->rank; d++) count *= a->shape[d];
    return count;
}

void ndft_array_at(const ndft_array *a, int64_t i, double z[2])
{
    bool pair = ndft_element_complex(a->element);
    int64_t at = pair ? 2 * i : i;
    z[1] = 0;
    if (a->element == NDFT_ELEMENT_BOOL) {
        z[0] = ((const unsigned char *)a->data)[at];
    } else if (a->element == NDFT_ELEMENT_F32 || a->element == NDFT_ELEMENT_C64) {
        z[0] = a->scale * (double)((const float *)a->data)[at];
        if (pair) z[1] = a->scale * (double)((const float *)a->data)[at + 1];
    } else {
        z[0] = a->scale * ((const double *)a->data)[at];
        if (pair) z[1] = a->scale * ((const double *)a->data)[at + 1];
    }
}

void ndft_shape_print(const int64_t *shape, int rank, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "(");
    for (int d = 0; d < rank && length < size; d++)
        length += (size_t)snprintf(text + length, size - length, d ? ",%lld" : "%lld",
                                   (long long)shape[d]);
    if (length < size) snprintf(text + length, size - length, ")");
}
