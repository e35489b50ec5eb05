/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_CUFFT_H
#define NDFT_BASE_CUFFT_H

#ifdef __cplusplus
extern "C" {
#endif

/* cuFFT, too, is found by name when it is first wanted: the release whose header this was compiled
 * with, where the loader finds it or the CUDA Toolkit has it. */

/* NULL, or a sentence that says what is missing and how to get it. */
const char *ndft_cufft_missing(void);

/* "12.0.0"; empty where there is none. */
const char *ndft_cufft_version(void);

#ifdef __cplusplus
}
#endif
#endif
