/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include "base/cache_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The key of a file; the version changes with the reference's bits. */
typedef struct header {
    char magic[8];
    uint64_t version, hash[2], op, seed, doubles;
} header;

enum { VERSION = 3, NAME = 80 };
static const double least_pairs = 0x1p22;

/* The file in which a result is kept. */
static header place_of(const ndft_kept *kept, char name[NAME])
{
    const header h = {.magic = "ndftref",
                      .version = VERSION,
                      .hash = {kept->hash[0], kept->hash[1]},
                      .op = kept->op,
                      .seed = kept->seed,
                      .doubles = (uint64_t)kept->doubles};
    snprintf(name, NAME, "%016" PRIx64 "%016" PRIx64 "-%" PRIu64 "-%" PRIx64, h.hash[0], h.hash[1],
             h.op, h.seed);
    return h;
}

bool ndft_cache_load(const ndft_kept *kept, double *result)
{
    char name[NAME];
    const header h = place_of(kept, name);
    const size_t bytes = (size_t)kept->doubles * sizeof *result;
    size_t size;
    void *found = ndft_cache_read(name, &h, sizeof h, &size);
    const bool whole = found && size == bytes;
    if (whole) memcpy(result, found, bytes);
    free(found);
    return whole;
}

void ndft_cache_store(const ndft_kept *kept, const double *result)
{
    char name[NAME];
    const header h = place_of(kept, name);
    ndft_cache_write(name, &h, sizeof h, result, (size_t)kept->doubles * sizeof *result);
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
