/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINKS_H
#define NDFT_LINKS_H

#include "device/backend.h"

#include <jansson.h>

/*
 * What moves between devices of one backend, as ceilings like the others: of devices 0 and 1
 * link_bytes_0_1, copied from the first to the second, link_both_0_1, both ways at once, and
 * link_messages_0_1, copies of 8 bytes that are waited for one by one. The note says whether
 * kernels of each reach the other's memory. Where there are no two there is one ceiling, link,
 * without a value, whose note says why.
 */

/* Whether they hold the links of all devices that there are now. */
bool ndft_links_known(const ndft_backend *, const json_t *ceilings);

/* Adds them in place of those that are there. NDFT_ENOMEM, NDFT_EDEVICE. */
ndft_status ndft_links_measure(const ndft_backend *, json_t *ceilings, ndft_error *);

/* How many devices there are; of a processor one. */
int ndft_devices_count(const ndft_backend *);

/* Whether a resource is one of them. */
bool ndft_is_link(const char *resource);

#endif
