/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LOG_H
#define NDFT_LOG_H

#include "base/status.h"

#include <jansson.h>

/* A record file: append-only JSON Lines. */
typedef struct ndft_log {
    int fd;
    char path[512];
} ndft_log;

/* What becomes of records that are there. */
typedef enum ndft_log_mode {
    NDFT_LOG_NEW,     /* they are the user's: refuse */
    NDFT_LOG_APPEND,  /* they are kept, and a torn last line is mended */
    NDFT_LOG_REPLACE, /* they go */
} ndft_log_mode;

/* Opens path, making its folders. NDFT_EINVAL where it holds records and the mode is new, or what
 * are no records in any mode; NDFT_EIO, also when another process has it open here. */
ndft_status ndft_log_open(const char *path, ndft_log_mode, ndft_log *, ndft_error *);

/* Opens a file that nobody had before: STEM.jsonl, else STEM-2.jsonl, and so on. */
ndft_status ndft_log_create(const char *stem, ndft_log *, ndft_error *);
void ndft_log_close(ndft_log *);

/* Writes one line with one write and syncs it to the disk; takes the reference. NDFT_EIO, and then
 * the file ends with the line before; also when the file was deleted meanwhile. */
ndft_status ndft_log_write(ndft_log *, json_t *, ndft_error *);

/* The same for every element of an array. */
ndft_status ndft_log_write_all(ndft_log *, json_t *lines, ndft_error *);

/* Gives every line of a file that is JSON to take; a line torn by a crash is passed over. NDFT_EIO
 * when the file cannot be opened. */
ndft_status ndft_log_read(const char *path, void (*take)(void *context, const json_t *),
                          void *context, ndft_error *);

#endif
