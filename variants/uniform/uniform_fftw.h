/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_FFTW_H
#define NDFT_UNIFORM_FFTW_H

#include <ndft/exec.h>
#include <ndft/uniform.h>

/* Any uniform transform by FFTW's guru interface, in either precision, by one thread. */

enum { NDFT_FFTW_ALIGN = 16 }; /* bytes modulo which arrays lie where those of the plan did */

typedef struct ndft_uniform_fft {
    ndft_prec prec;
    ndft_domain domain;
    void *plan; /* fftwf_plan or fftw_plan; NULL: none */
} ndft_uniform_fft;

/* measured: FFTW times its candidates, on arrays that it takes meanwhile, for seconds at most; else
 * it guesses. NDFT_ENOMEM without the memory, or when FFTW makes no plan. */
ndft_status ndft_uniform_fft_plan(ndft_exec *, const ndft_transform *, bool measured,
                                  ndft_uniform_fft *);

/* On aligned arrays, the same one where it was planned in place. A transform to reals overwrites
 * its input. */
void ndft_uniform_fft_run(const ndft_uniform_fft *, void *in, void *out);

void ndft_uniform_fft_destroy(ndft_uniform_fft *);

#endif
