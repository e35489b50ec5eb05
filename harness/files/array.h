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

size_t ndft_element_size(ndft_element); /* bytes */
int64_t ndft_array_count(const ndft_array *);
bool ndft_element_complex(ndft_element);

/* Element i as a complex number, scaled. */
void ndft_array_at(const ndft_array *, int64_t i, double z[2]);

/* "(3,47,33)" */
void ndft_shape_print(const int64_t *shape, int rank, char *text, size_t size);

#endif
