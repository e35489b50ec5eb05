/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STATUS_H
#define NDFT_STATUS_H

/* Errors travel as a status plus a message in a struct that the caller owns; only main exits. */

#ifdef __cplusplus
#define NDFT_NODISCARD [[nodiscard]]
extern "C" {
#else
#define NDFT_NODISCARD
#endif

typedef enum NDFT_NODISCARD ndft_status {
    NDFT_OK = 0,
    NDFT_EINVAL, /* a value from outside is wrong; the message names it and the nearest valid one */
    NDFT_ENOMEM, /* host or device memory does not suffice; the message has bytes wanted and free */
    NDFT_EUNSUPPORTED, /* a variant cannot serve this problem; the message says why */
    NDFT_EDEVICE,      /* the device or its driver failed */
    NDFT_EIO,          /* a file could not be read or written */
    NDFT_EINTR,        /* the user asked to stop */
} ndft_status;

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
