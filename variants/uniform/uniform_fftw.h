/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_FFTW_H
#define NDFT_UNIFORM_FFTW_H

#include "fft/fft_fftw.h"

#include <ndft/exec.h>
#include <ndft/uniform.h>

/* Any uniform transform by FFTW's guru interface, in either precision, by one thread. */

typedef struct ndft_uniform_fft {
    ndft_domain domain;
    ndft_fft fft;
} ndft_uniform_fft;

/* measured: FFTW times its candidates, on arrays that it takes meanwhile, for seconds at most; else
 * it guesses. NDFT_ENOMEM without the memory, or when FFTW makes no plan. Freed as its fft is. */
ndft_status ndft_uniform_fft_plan(ndft_exec *, const ndft_transform *, bool measured,
                                  ndft_uniform_fft *);

/* On arrays aligned as for ndft_fft_run, the same one where it was planned in place. A transform to
 * reals overwrites its input. */
void ndft_uniform_fft_run(const ndft_uniform_fft *, void *in, void *out);

#endif
