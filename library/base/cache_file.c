/* SPDX-License-Identifier: Apache-2.0 */
#include "cache_file.h"

#include "digest.h"
#include "regular.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY = 256 };
static const long most_bytes = 1L << 28;

static bool fits(int length) { return length >= 0 && length < NDFT_CACHE_PATH; }

bool ndft_cache_directory(char *path)
{
    const char *own = getenv("NDFT_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own) return *own && fits(snprintf(path, NDFT_CACHE_PATH, "%s", own));
    if (xdg && *xdg) return fits(snprintf(path, NDFT_CACHE_PATH, "%s/ndft", xdg));
    return home && *home && fits(snprintf(path, NDFT_CACHE_PATH, "%s/.cache/ndft", home));
}

/* So that a file that is torn, overwritten or changed in any bit does not pass for a result. */
static void set_checksum(const void *content, size_t size, uint64_t checksum[2])
{
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, content, size);
    ndft_digest_finish(&digest, checksum);
}

/* Bytes between here and the file's end; negative: nobody knows. */
static long rest_of(FILE *file)
{
    const long here = ftell(file);
    if (here < 0 || fseek(file, 0, SEEK_END) != 0) return -1;
    const long end = ftell(file);
    return fseek(file, here, SEEK_SET) == 0 ? end - here : -1;
}

static void *read_whole(FILE *file, const void *key, size_t key_size, size_t *size)
{
    unsigned char found[KEY];
    uint64_t kept[2], checksum[2];
    if (key_size > KEY || fread(found, key_size, 1, file) != 1 || memcmp(found, key, key_size) ||
        fread(kept, sizeof kept, 1, file) != 1)
        return NULL;
    const long rest = rest_of(file);
    void *content = rest > 0 && rest <= most_bytes ? malloc((size_t)rest) : NULL;
    if (!content) return NULL;
    *size = (size_t)rest;
    const bool whole = fread(content, 1, *size, file) == *size;
    set_checksum(content, *size, checksum);
    if (whole && !memcmp(kept, checksum, sizeof kept)) return content;
    free(content);
    return NULL;
}

void *ndft_cache_read(const char *name, const void *key, size_t key_size, size_t *size)
{
    char folder[NDFT_CACHE_PATH], path[NDFT_CACHE_PATH];
    if (!ndft_cache_directory(folder) || !fits(snprintf(path, sizeof path, "%s/%s", folder, name)))
        return NULL;
    FILE *file = ndft_open_regular(path);
    if (!file) return NULL;
    void *content = read_whole(file, key, key_size, size);
    fclose(file);
    return content;
}

/* mkdir -p; whether it worked shows when a file is opened. */
static void make_directory(const char *path)
{
    char part[NDFT_CACHE_PATH];
    for (size_t i = 1; path[i - 1]; i++) {
        if (path[i] != '/' && path[i]) continue;
        memcpy(part, path, i);
        part[i] = 0;
        mkdir(part, 0777);
    }
}

/* Written under a name of its own and renamed, so that a reader never meets half a file. */
void ndft_cache_write(const char *name, const void *key, size_t key_size, const void *content,
                      size_t size)
{
    char folder[NDFT_CACHE_PATH], path[NDFT_CACHE_PATH], part[NDFT_CACHE_PATH];
    uint64_t checksum[2];
    if (size > (size_t)most_bytes || !ndft_cache_directory(folder) ||
        !fits(snprintf(path, sizeof path, "%s/%s", folder, name)) ||
        !fits(snprintf(part, sizeof part, "%s/part-XXXXXX", folder)))
        return;
    make_directory(folder);
    const int fd = mkstemp(part);
    if (fd < 0) return;
    set_checksum(content, size, checksum);
    FILE *file = fdopen(fd, "wb");
    if (!file) close(fd);
    bool whole = file && fwrite(key, key_size, 1, file) == 1 &&
                 fwrite(checksum, sizeof checksum, 1, file) == 1 &&
                 fwrite(content, 1, size, file) == size;
    if (file) whole = fclose(file) == 0 && whole;
    if (!whole || rename(part, path) != 0) unlink(part);
}
