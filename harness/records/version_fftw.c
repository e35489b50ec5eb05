/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

#include "fft/fft_fftw.h"

const char *ndft_fftw_version(void) { return ndft_fft_version(); }
