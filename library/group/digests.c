/* SPDX-License-Identifier: Apache-2.0 */
#include "digests.h"

#include "base/digest.h"

static void add(ndft_digest *d, const void *array, size_t bytes)
{
    ndft_digest_add(d, array, array ? bytes : 0);
}

static void add_all(ndft_digest *d, const void *const array[], int n, size_t bytes)
{
    for (int i = 0; i < n; i++) add(d, array[i], bytes);
}

static uint64_t finished(const ndft_digest *d)
{
    uint64_t hash[2];
    ndft_digest_finish(d, hash);
    return hash[0];
}

ndft_digests ndft_digests_of(const ndft_problem *p)
{
    ndft_digest samples, voxels, maps;
    const size_t real = ndft_real_size(p->prec);
    const size_t of_sample = (size_t)p->n_samples * real, of_voxel = (size_t)p->n_voxels * real;
    ndft_digest_start(&samples);
    add_all(&samples, p->k, p->dim, of_sample);
    add(&samples, p->t, of_sample);
    add_all(&samples, p->higher.c, p->higher.terms, of_sample);
    ndft_digest_start(&voxels);
    add(&voxels, p->n, sizeof p->n);
    add(&voxels, p->voxel, (size_t)p->n_voxels * sizeof *p->voxel);
    add_all(&voxels, p->x, p->dim, of_voxel);
    add(&voxels, p->dw, of_voxel);
    add(&voxels, p->decay, of_voxel);
    add_all(&voxels, p->g, p->dim, of_voxel);
    add_all(&voxels, p->higher.b, p->higher.terms, of_voxel);
    ndft_digest_start(&maps);
    add(&maps, p->maps, 2 * (size_t)p->coils * of_voxel);
    return (ndft_digests){finished(&samples), finished(&voxels), finished(&maps)};
}
