/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STREAM_H
#define NDFT_STREAM_H

#include "array.h"

#include <stdio.h>

/* Files whose failures become NDFT_EIO with path and reason, and what the array formats share. */

/* Makes the folders above a file that is to be written. */
ndft_status ndft_stream_folders(const char *path, ndft_error *);

ndft_status ndft_stream_open(const char *path, const char *mode, FILE **, ndft_error *);

/* Reads what is left of the stream as the array's data. NDFT_EINVAL when there are fewer or more
 * bytes than its shape and type need. */
ndft_status ndft_stream_read_array(FILE *, const char *path, ndft_arena *, ndft_array *,
                                   ndft_error *);

#endif
