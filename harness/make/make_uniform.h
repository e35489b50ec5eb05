/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MAKE_UNIFORM_H
#define NDFT_MAKE_UNIFORM_H

#include "make.h"

/*
 * Makes a uniform case: the problem and its input, standard complex normal, or normal where it is
 * real, or a file's; half a spectrum is that of a real signal, what a file holds beyond it is left
 * out. What lies between the input's elements, and those that its load function does not read, are
 * NaN, so that no transform can read them unnoticed. There is no second vector. NDFT_EINVAL and
 * NDFT_EIO for files, NDFT_ENOMEM, and what ndft_callbacks_make has.
 */
ndft_status ndft_make_uniform(const ndft_case *, ndft_made *, ndft_error *);

#endif
