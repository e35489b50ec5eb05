/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_CACHE_FILE_H
#define NDFT_BASE_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Files that keep what took long from one process to the next, in $NDFT_CACHE, else
 * $XDG_CACHE_HOME/ndft, else $HOME/.cache/ndft; an empty $NDFT_CACHE switches them off. A file is a
 * key, which says what its content is of, a checksum and the content. One that is missing, damaged,
 * of another key or cannot be written is as good as none.
 */

enum { NDFT_CACHE_PATH = 1024 };

/* Writes the folder in use, NDFT_CACHE_PATH bytes at most; false when the cache is off. */
bool ndft_cache_directory(char *path);

/* The content of the file `name`, for free(), with at least a byte; NULL: there is none. */
void *ndft_cache_read(const char *name, const void *key, size_t key_size, size_t *size);

/* Keeps it, where that is possible. */
void ndft_cache_write(const char *name, const void *key, size_t key_size, const void *content,
                      size_t size);

#endif
