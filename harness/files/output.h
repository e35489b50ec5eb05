/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OUTPUT_H
#define NDFT_OUTPUT_H

#include "array.h"

#include "base/status.h"

#include <limits.h>
#include <stdio.h>

/* A file that is written under a name of its own and renamed once it is whole: until then, and when
 * anything fails, what was there before stays. Pipes and the like are written as they are. */
typedef struct ndft_output {
    FILE *file;
    char path[PATH_MAX], part[PATH_MAX]; /* part empty: path itself is written */
} ndft_output;

/* NDFT_EINVAL when path is a file that does not begin as all of its kind do, and so is none of ours
 * to replace; kind NULL: there is no telling. */
ndft_status ndft_output_allowed(const char *path, const char *kind, ndft_error *);

/* Begins; NDFT_EINVAL as above, NDFT_EIO. */
ndft_status ndft_output_open(const char *path, const char *kind, ndft_output *, ndft_error *);

/* Ends; NDFT_EIO for whatever failed since the beginning. */
ndft_status ndft_output_close(ndft_output *, ndft_error *);

/* Files whose failures become NDFT_EIO with path and reason, and what the array formats share. */

/* Makes the folders above a file that is to be written. */
ndft_status ndft_stream_folders(const char *path, ndft_error *);

ndft_status ndft_stream_open(const char *path, FILE **, ndft_error *);

/* Reads what is left of the stream as the array's data. NDFT_EINVAL when there are fewer or more
 * bytes than its shape and type need. */
ndft_status ndft_stream_read_array(FILE *, const char *path, ndft_arena *, ndft_array *,
                                   ndft_error *);

#endif
