/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MAKE_H
#define NDFT_MAKE_H

#include "base/chirpz.h"
#include "base/convolution.h"
#include "case/case.h"
#include "files/arena.h"

/*
 * A case made into arrays: the problem and a vector for each side of the operator, in its precision
 * and layout. With data=random both are standard complex normal; with data=phantom the image is the
 * Shepp-Logan phantom and the k-space its exact transform on the trajectory; with data=file the
 * file is the side that the case's operation reads, the other is random.
 */
typedef struct ndft_made {
    union {
        ndft_problem problem;
        ndft_uniform_problem uniform;         /* of a uniform case; begins with its problem */
        ndft_convolution_problem convolution; /* of a convolution, likewise */
        ndft_chirpz_problem chirpz;           /* of a chirp z-transform */
    };
    void *image;          /* [n_voxels x coils] complex, with coil maps [n_voxels] */
    void *kspace;         /* [n_samples x coils] complex; NULL where the case has no adjoint */
    uint64_t hash[2];     /* content hash of the problem and both vectors */
    ndft_arena own;       /* what all of these point to */
    ndft_problem *handle; /* the library's problem that they are part of; NULL: none */
} ndft_made;

/* The vector that an operation reads. */
static inline const void *ndft_made_input(const ndft_made *made, ndft_op op)
{
    return op == NDFT_ADJOINT ? made->kspace : made->image;
}

/* NDFT_EINVAL for impossible values (a spiral that the gradients cannot play, with the shortest t
 * and the shots that fit; files of wrong shape, type, content); NDFT_EIO; NDFT_ENOMEM. */
ndft_status ndft_make(const ndft_case *, ndft_made *, ndft_error *);

void ndft_made_free(ndft_made *);

/*
 * Makes a uniform case: the problem and its input, standard complex normal, or normal where it is
 * real, or a file's; half a spectrum is that of a real signal, what a file holds beyond it is left
 * out. What lies between the input's elements, and those that its load function does not read, are
 * NaN, so that no transform can read them unnoticed. There is no second vector. NDFT_EINVAL and
 * NDFT_EIO for files, NDFT_ENOMEM, and what ndft_callbacks_make has.
 */
ndft_status ndft_make_uniform(const ndft_case *, ndft_made *, ndft_error *);

/* Makes a convolution: the problem with its kernel, standard complex normal or a file's, and a
 * vector for each side. NDFT_EINVAL and NDFT_EIO for files, and what ndft_convolution_create has.
 */
ndft_status ndft_make_convolution(const ndft_case *, ndft_made *, ndft_error *);

/* Makes a chirp z-transform: the problem and its input; there is no second vector. NDFT_EINVAL and
 * NDFT_EIO for files, NDFT_ENOMEM. */
ndft_status ndft_make_chirpz(const ndft_case *, ndft_made *, ndft_error *);

#endif
