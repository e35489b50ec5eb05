/* SPDX-License-Identifier: Apache-2.0 */
#include "digest.h"

#include <stddef.h>
#include <string.h>

/* A multiplicative hash over words, of which several go at once: maps may be a gigabyte. */

enum { LANES = 4, WORD = sizeof(uint64_t) };

static uint64_t mix(uint64_t digest, uint64_t word)
{
    digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 32;
}

static void mix_lanes(uint64_t lane[LANES], const char *bytes, size_t n)
{
    uint64_t word[LANES] = {0};
    memcpy(word, bytes, n);
    for (int i = 0; i < LANES; i++) lane[i] = mix(lane[i], word[i]);
}

/* NULL is not what no bytes are. */
static void add(uint64_t *digest, const void *array, size_t bytes)
{
    uint64_t lane[LANES] = {1, 2, 3, 4};
    const char *at = array;
    *digest = mix(*digest, array ? bytes + 1 : 0);
    if (!array) return;
    for (size_t left = bytes; left; left -= left < LANES * WORD ? left : LANES * WORD)
        mix_lanes(lane, at + (bytes - left), left < LANES * WORD ? left : LANES * WORD);
    for (int i = 0; i < LANES; i++) *digest = mix(*digest, lane[i]);
}

static void add_all(uint64_t *digest, const void *const array[], int n, size_t bytes)
{
    for (int i = 0; i < n; i++) add(digest, array[i], bytes);
}

ndft_digest ndft_digest_of(const ndft_problem *p)
{
    ndft_digest d = {0, 0, 0};
    const size_t real = ndft_real_size(p->prec);
    const size_t samples = (size_t)p->n_samples * real, voxels = (size_t)p->n_voxels * real;
    add_all(&d.samples, p->k, p->dim, samples);
    add(&d.samples, p->t, samples);
    add_all(&d.samples, p->higher.c, p->higher.terms, samples);
    add(&d.voxels, p->n, sizeof p->n);
    add(&d.voxels, p->voxel, (size_t)p->n_voxels * sizeof *p->voxel);
    add_all(&d.voxels, p->x, p->dim, voxels);
    add(&d.voxels, p->dw, voxels);
    add(&d.voxels, p->decay, voxels);
    add_all(&d.voxels, p->g, p->dim, voxels);
    add_all(&d.voxels, p->higher.b, p->higher.terms, voxels);
    add(&d.maps, p->maps, 2 * (size_t)p->coils * voxels);
    return d;
}
