/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_STATUS_H
#define NDFT_BASE_STATUS_H

#include <ndft/status.h>

/* Errors travel as a status plus a message in a struct that the caller owns; only main exits. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ndft_error {
    ndft_status status;
    char message[1024];
} ndft_error;

/* Writes a printf-style message, one line whatever its texts hold, into err (which may be NULL) and
 * returns status. */
ndft_status ndft_fail(ndft_error *err, ndft_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns from the calling function when expr is not NDFT_OK. */
#define NDFT_TRY(expr)                                                                             \
    do {                                                                                           \
        ndft_status ndft_try_status = (expr);                                                      \
        if (ndft_try_status != NDFT_OK) return ndft_try_status;                                    \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
