/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_COILS_COIL_IMAGES_H
#define NDFT_LIBRARY_COILS_COIL_IMAGES_H

#include "base/exec.h"
#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a plan has where coil maps are around its engine (coil_maps.h): the maps, as images lie, and
 * images of all coils. */
typedef struct ndft_coil_images {
    const void *maps; /* on the device: the problem's own where that is the host, or a copy */
    void *copy;
    void *images[2]; /* the second of an engine that reads one and writes the other */
} ndft_coil_images;

/* NDFT_ENOMEM; what was taken is to be dropped all the same. */
ndft_status ndft_coil_images_take(ndft_exec *, const ndft_problem *, bool both, ndft_coil_images *);
void ndft_coil_images_drop(ndft_coil_images *, ndft_exec *);

/* Queue the images of all coils of an image, and the sum that is its adjoint. */
ndft_status ndft_coil_images_make(const ndft_coil_images *, ndft_exec *, const ndft_problem *,
                                  const void *image, void *images);
ndft_status ndft_coil_images_sum(const ndft_coil_images *, ndft_exec *, const ndft_problem *,
                                 const void *images, void *image);

#ifdef __cplusplus
}
#endif
#endif
