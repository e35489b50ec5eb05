/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CFL_H
#define NDFT_CFL_H

#include "array.h"

/*
 * BART's pair of files: NAME.hdr has up to 16 dimensions as text, the first fastest, NAME.cfl the
 * complex floats. Both functions take either name, or NAME alone.
 */

/* Whether path names a .cfl or .hdr file. */
bool ndft_is_cfl(const char *path);

/* The array has rank 16 and BART's dimensions backwards, which is C order. Errors as for npy. */
ndft_status ndft_cfl_read(const char *path, ndft_arena *, ndft_array *, ndft_error *);

/* Writes an array of NDFT_ELEMENT_C64 with its shape backwards; ignores scale. */
ndft_status ndft_cfl_write(const char *path, const ndft_array *, ndft_error *);

#endif
