/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NPY_H
#define NDFT_NPY_H

#include "array.h"

/* NumPy's .npy, versions 1 to 3 of its header, C order, little endian: bool, float32, float64,
 * complex64, complex128 (numpy.lib.format). */

/* Reads path into memory of arena, with scale 1. NDFT_EINVAL for another format, type or order, and
 * for a file shorter or longer than its header says; NDFT_EIO. */
ndft_status ndft_npy_read(const char *path, ndft_arena *, ndft_array *, ndft_error *);

/* Writes version 1; ignores scale. NDFT_EIO. */
ndft_status ndft_npy_write(const char *path, const ndft_array *, ndft_error *);

/* NDFT_EINVAL when it would replace a file that is no npy file. */
ndft_status ndft_npy_allowed(const char *path, ndft_error *);

/* numpy's word for an element, "float32", and for a shape, "(3,47,33)". */
const char *ndft_npy_type(ndft_element);
void ndft_npy_shape(const int64_t *shape, int rank, char *text, size_t size);

#endif
