/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICES_H
#define NDFT_DEVICES_H

#include "device/backend.h"

/* Several devices of a backend, as options of the command line name them. */

enum { NDFT_DEVICE_NAME = 32, NDFT_MOST_NUMBERS = 8 };

/* "cpu", whichever it is, or "cuda:1" */
const char *ndft_device_name(const ndft_backend *, int device, char name[NDFT_DEVICE_NAME]);

/* The backend of this name (NULL: CUDA where there is a GPU, else the processor), and numbers of
 * its devices, "1,2,4". NDFT_EINVAL where it is missing, or there are not so many: with the
 * nearest. */
ndft_status ndft_devices_parse(const char *text, const char *name, const ndft_backend **,
                               int numbers[NDFT_MOST_NUMBERS], int *n, ndft_error *);

#endif
