/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include "digest.h"
#include "regular.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file is this header and then the result; the version changes with the reference's bits. */
typedef struct header {
    char magic[8];
    uint64_t version, hash[2], op, seed, doubles, checksum[2];
} header;

enum { VERSION = 3 };
static const double least_pairs = 0x1p22;
static const size_t most_bytes = (size_t)1 << 28;

/* So that a file that is torn, overwritten or changed in any bit does not pass for a result. */
static void set_checksum(header *h, const double *values)
{
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, values, h->doubles * sizeof *values);
    ndft_digest_finish(&digest, h->checksum);
}

static bool fits(int length) { return length >= 0 && length < NDFT_CACHE_PATH; }

bool ndft_cache_directory(char *path)
{
    const char *own = getenv("NDFT_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own) return *own && fits(snprintf(path, NDFT_CACHE_PATH, "%s", own));
    if (xdg && *xdg) return fits(snprintf(path, NDFT_CACHE_PATH, "%s/ndft", xdg));
    return home && *home && fits(snprintf(path, NDFT_CACHE_PATH, "%s/.cache/ndft", home));
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

static bool file_name(const char *dir, const header *h, char *path)
{
    return fits(snprintf(path, NDFT_CACHE_PATH,
                         "%s/%016" PRIx64 "%016" PRIx64 "-%" PRIu64 "-%" PRIx64, dir, h->hash[0],
                         h->hash[1], h->op, h->seed));
}

/* want's checksum is set to that of what was found. */
static bool load(const char *path, header *want, double *result)
{
    header found;
    FILE *file = ndft_open_regular(path);
    if (!file) return false;
    bool whole = fread(&found, sizeof found, 1, file) == 1 &&
                 memcmp(&found, want, offsetof(header, checksum)) == 0 &&
                 fread(result, sizeof *result, want->doubles, file) == want->doubles;
    fclose(file);
    if (!whole) return false;
    set_checksum(want, result);
    return memcmp(found.checksum, want->checksum, sizeof found.checksum) == 0;
}

/* Written under a name of its own and renamed, so that a reader never meets half a file. */
static void store(const char *dir, const char *path, const header *h, const double *result)
{
    char part[NDFT_CACHE_PATH];
    if (!fits(snprintf(part, sizeof part, "%s/part-XXXXXX", dir))) return;
    make_directory(dir);
    int fd = mkstemp(part);
    if (fd < 0) return;
    FILE *file = fdopen(fd, "wb");
    if (!file) close(fd);
    bool whole = file && fwrite(h, sizeof *h, 1, file) == 1 &&
                 fwrite(result, sizeof *result, h->doubles, file) == h->doubles;
    if (file) whole = fclose(file) == 0 && whole;
    if (!whole || rename(part, path) != 0) unlink(part);
}

/* Where a result is kept; false: nowhere. */
static bool place_of(const ndft_kept *kept, header *h, char *dir, char *path)
{
    *h = (header){.magic = "ndftref",
                  .version = VERSION,
                  .hash = {kept->hash[0], kept->hash[1]},
                  .op = kept->op,
                  .seed = kept->seed,
                  .doubles = (uint64_t)kept->doubles};
    return h->doubles * sizeof(double) <= most_bytes && ndft_cache_directory(dir) &&
           file_name(dir, h, path);
}

bool ndft_cache_load(const ndft_kept *kept, double *result)
{
    header h;
    char dir[NDFT_CACHE_PATH], path[NDFT_CACHE_PATH];
    return place_of(kept, &h, dir, path) && load(path, &h, result);
}

void ndft_cache_store(const ndft_kept *kept, const double *result)
{
    header h;
    char dir[NDFT_CACHE_PATH], path[NDFT_CACHE_PATH];
    if (!place_of(kept, &h, dir, path)) return;
    set_checksum(&h, result);
    store(dir, path, &h, result);
}

ndft_status ndft_reference_cached(const ndft_problem *p, ndft_op op, const void *in,
                                  const uint64_t hash[2], uint64_t seed, const int64_t *outputs,
                                  int64_t n_outputs, double *result, int threads, ndft_error *error)
{
    double terms = op == NDFT_FORWARD ? (double)p->n_voxels : (double)p->n_samples;
    double pairs = terms * (double)n_outputs;
    if (op == NDFT_NORMAL) pairs += (double)p->n_voxels * (double)p->n_samples;
    const ndft_kept kept = {{hash[0], hash[1]}, op, seed, 2 * n_outputs * ndft_output_coils(p, op)};
    const bool keep = pairs > least_pairs;
    if (keep && ndft_cache_load(&kept, result)) return NDFT_OK;
    NDFT_TRY(ndft_reference(p, op, in, outputs, n_outputs, result, threads, error));
    if (keep) ndft_cache_store(&kept, result);
    return NDFT_OK;
}
