/* SPDX-License-Identifier: Apache-2.0 */
#include "coil_images.h"

#include "device/backend.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const ndft_problem *p) { return ndft_vector_bytes(p, p->n_voxels); }

/* The problem's maps are planar. */
static void interleave(const ndft_problem *p, char *to)
{
    const size_t element = 2 * ndft_real_size(p->prec);
    const char *from = p->maps;
    for (int64_t c = 0; c < p->coils; c++)
        for (int64_t v = 0; v < p->n_voxels; v++, from += element)
            memcpy(to + (size_t)(v * p->coils + c) * element, from, element);
}

static ndft_status upload(ndft_exec *exec, const ndft_problem *p, void *to)
{
    if (p->layout == NDFT_PLANAR) return exec->upload(exec, to, p->maps, bytes_of(p));
    char *laid = malloc(bytes_of(p));
    if (!laid) return ndft_fail(exec->error, NDFT_ENOMEM, "no host memory for coil maps");
    interleave(p, laid);
    const ndft_status status = exec->upload(exec, to, laid, bytes_of(p));
    free(laid);
    return status;
}

ndft_status ndft_coil_images_take(ndft_exec *exec, const ndft_problem *p, bool both,
                                  ndft_coil_images *coils)
{
    const bool host = !ndft_backend_find(exec->device.backend)->pin;
    for (int i = 0; i <= both; i++)
        NDFT_TRY(exec->alloc(exec, "images of all coils", bytes_of(p), &coils->images[i]));
    coils->maps = p->maps;
    if (host && p->layout == NDFT_PLANAR) return NDFT_OK;
    NDFT_TRY(exec->alloc(exec, "coil maps", bytes_of(p), &coils->copy));
    coils->maps = coils->copy;
    return upload(exec, p, coils->copy);
}

void ndft_coil_images_drop(ndft_coil_images *coils, ndft_exec *exec)
{
    if (coils->copy) exec->release(exec, coils->copy);
    for (int i = 0; i < 2; i++)
        if (coils->images[i]) exec->release(exec, coils->images[i]);
    *coils = (ndft_coil_images){0};
}

ndft_status ndft_coil_images_make(const ndft_coil_images *coils, ndft_exec *exec,
                                  const ndft_problem *p, const void *image, void *images)
{
    const ndft_placement all = ndft_placement_of(p->layout, p->coils, p->n_voxels);
    const ndft_backend *backend = ndft_backend_find(exec->device.backend);
    return backend->weigh(exec, p->prec, &all, coils->maps, image, images);
}

ndft_status ndft_coil_images_sum(const ndft_coil_images *coils, ndft_exec *exec,
                                 const ndft_problem *p, const void *images, void *image)
{
    const ndft_placement all = ndft_placement_of(p->layout, p->coils, p->n_voxels);
    const ndft_backend *backend = ndft_backend_find(exec->device.backend);
    return backend->combine(exec, p->prec, &all, coils->maps, images, image);
}
