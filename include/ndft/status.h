/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STATUS_H
#define NDFT_STATUS_H

/* In C++ a status that is dropped is warned of. */
#ifdef __cplusplus
#define NDFT_NODISCARD [[nodiscard]]
extern "C" {
#else
#define NDFT_NODISCARD
#endif

/* Before what the library gives away; nothing else of it can be seen from outside. */
#define NDFT_API __attribute__((visibility("default")))

/* What every call that can fail returns; its sentence is the calling thread's (ndft_message). */
typedef enum NDFT_NODISCARD ndft_status {
    NDFT_OK = 0, /* it has done what it says */
    NDFT_EINVAL, /* a value from outside is wrong; the message names it and the nearest valid one */
    NDFT_ENOMEM, /* host or device memory does not suffice; the message has bytes wanted and free */
    NDFT_EUNSUPPORTED, /* this problem cannot be served so; the message says why */
    NDFT_EDEVICE, /* the device or its driver failed; a kernel that faults, whoever launched it,
                   * ends CUDA in the whole process, on every GPU of it */
    NDFT_EIO,     /* a file could not be read or written */
    NDFT_EINTR,   /* the user asked to stop */
} ndft_status;

/* One line about the last call of this thread that failed; empty where none has. It stays until the
 * next one that fails, and never NULL. */
NDFT_API const char *ndft_message(void);

#ifdef __cplusplus
}
#endif
#endif
