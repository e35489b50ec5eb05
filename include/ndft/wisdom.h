/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WISDOM_H
#define NDFT_WISDOM_H

#include <ndft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What plans that measured have found: for a device and a problem's shape, the engine that was
 * fastest and its time. One table of the process, for all threads; plans of the same shape take
 * what it says, whatever their mode. An engine that was built of other sources than those that were
 * measured is not taken. Nothing is read or written but by these calls. After FFTW's wisdom (Frigo
 * and Johnson, Proc. IEEE 93, 2005).
 */

/*
 * Adds a file's entries; of two for the same shape the one that was measured later stays, and any
 * before one whose engine was built of other sources. A line that is damaged costs itself. NDFT_EIO
 * where it cannot be read, NDFT_EINVAL where it is no wisdom, NDFT_ENOMEM.
 */
NDFT_API ndft_status ndft_wisdom_load(const char *path);

/*
 * Writes all entries, with those that the file has already. Several processes may write and read it
 * at once. NDFT_EIO where it cannot be written, NDFT_EINVAL where it is something else than wisdom,
 * which stays, NDFT_ENOMEM.
 */
NDFT_API ndft_status ndft_wisdom_save(const char *path);

/* Empties the table. */
NDFT_API void ndft_wisdom_forget(void);

#ifdef __cplusplus
}
#endif
#endif
