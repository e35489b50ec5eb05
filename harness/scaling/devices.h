/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICES_H
#define NDFT_DEVICES_H

#include "device/backend.h"
#include "divided.h"

/* Several devices of a backend, as options of the command line name them. */

enum { NDFT_DEVICE_NAME = 32 };

/* "cpu", whichever it is, or "cuda:1" */
const char *ndft_device_name(const ndft_backend *, int device, char name[NDFT_DEVICE_NAME]);

/* The backend of this name (NULL: CUDA where there is a GPU, else the processor), and numbers of
 * its devices, "1,2,4", which an option gave. NDFT_EINVAL where it is missing, or there are not so
 * many: with the nearest. */
ndft_status ndft_devices_parse(const char *option, const char *text, const char *name,
                               const ndft_backend **, int numbers[NDFT_MOST_NUMBERS], int *n,
                               ndft_error *);

/*
 * A thread opens several devices, and the last one is its own from then on: whatever else is done
 * by an exec of another is done between these two.
 */
static inline ndft_before ndft_turn_to(const ndft_backend *backend, const ndft_exec *exec)
{
    return backend->enter ? backend->enter(exec, true) : (ndft_before){0};
}

static inline void ndft_turn_back(const ndft_backend *backend, ndft_before before)
{
    if (backend->leave) backend->leave(before);
}

#endif
