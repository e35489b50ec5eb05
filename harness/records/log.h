/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LOG_H
#define NDFT_LOG_H

#include <ndft/status.h>

#include <jansson.h>
#include <stdbool.h>

/* A record file: append-only JSON Lines. */
typedef struct ndft_log {
    int fd;
    char path[512];
} ndft_log;

/* Opens path, making its folders. resume keeps what is there and mends a torn last line; else the
 * file is emptied. NDFT_EIO, also when another process has it open here. */
ndft_status ndft_log_open(const char *path, bool resume, ndft_log *, ndft_error *);
void ndft_log_close(ndft_log *);

/* Writes one line with one write and syncs it to the disk; takes the reference. NDFT_EIO, and then
 * the file ends with the line before. */
ndft_status ndft_log_write(ndft_log *, json_t *, ndft_error *);

/* The same for every element of an array. */
ndft_status ndft_log_write_all(ndft_log *, json_t *lines, ndft_error *);

/* Gives every line of a file that is JSON to take; a line torn by a crash is passed over. NDFT_EIO
 * when the file cannot be opened. */
ndft_status ndft_log_read(const char *path, void (*take)(void *context, const json_t *),
                          void *context, ndft_error *);

#endif
