/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MAKE_CALLBACKS_H
#define NDFT_MAKE_CALLBACKS_H

#include "base/digest.h"
#include "make.h"

/*
 * Sets load and store of a transform to what its case names. Deapodisation divides by the Fourier
 * transform of the Kaiser-Bessel window for a grid oversampled twice (Beatty, Nishimura and Pauly
 * 2005), relative to that at 0, frequencies beyond the middle of an axis counted from its end.
 *
 * file:PATH:FUNCTION loads the shared object PATH.so, which stays until the program ends, and reads
 * the source PATH.cu where there is one. NDFT_EIO without the object, NDFT_EINVAL when it has no
 * such function, NDFT_ENOMEM.
 */
ndft_status ndft_callbacks_make(const ndft_case *, ndft_transform *, ndft_arena *, ndft_error *);

/* Adds name, source and data; NULL adds nothing. */
void ndft_callback_digest(const ndft_callback *, ndft_digest *);

#endif
