/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ARRAY_H
#define NDFT_ARRAY_H

#include "arena.h"

#include <stdbool.h>

/* An array of a file, in C order: the last axis is fastest. */
typedef enum ndft_element {
    NDFT_ELEMENT_BOOL, /* one byte */
    NDFT_ELEMENT_F32,
    NDFT_ELEMENT_F64,
    NDFT_ELEMENT_C64, /* two floats */
    NDFT_ELEMENT_C128,
} ndft_element;

enum { NDFT_MAX_RANK = 16 };

typedef struct ndft_array {
    ndft_element element;
    int rank;
    int64_t shape[NDFT_MAX_RANK];
    void *data;
    double scale;        /* what values are multiplied by, for the conventions of other software */
    int64_t shot_length; /* samples of a shot where the file tells them apart; else 0 */
} ndft_array;

/* Bytes. */
static inline size_t ndft_element_size(ndft_element element)
{
    static const size_t size[] = {1, sizeof(float), sizeof(double), 2 * sizeof(float),
                                  2 * sizeof(double)};
    return size[element];
}

static inline int64_t ndft_array_count(const ndft_array *a)
{
    int64_t count = 1;
    for (int d = 0; d < a->rank; d++) count *= a->shape[d];
    return count;
}

#endif
