/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

#include <fftw3.h>

/* It names the instruction sets that it was built for, too. */
const char *ndft_fftw_version(void) { return fftwf_version; }
