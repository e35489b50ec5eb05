/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_fftw.h"

/* In place of fft_fftw.c where FFTW is not there. Loops that run transforms are compiled all the
 * same, but no plan is made for them. */
void ndft_fft_run(const ndft_fft *fft, void *from, void *to)
{
    (void)fft;
    (void)from;
    (void)to;
}

const char *ndft_fft_version(void) { return ""; }
