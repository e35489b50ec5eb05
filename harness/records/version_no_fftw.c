/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

/* In place of version_fftw.c where FFTW is not there. */
const char *ndft_fftw_version(void) { return ""; }
