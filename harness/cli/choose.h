/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHOOSE_H
#define NDFT_CHOOSE_H

#include "select/best.h"

#include "base/status.h"

/* `--variant best`: what measurements chose for a case, on every device that is here. */

enum { NDFT_MAX_CHOSEN = 4 };

typedef struct ndft_chosen {
    ndft_device device;
    ndft_candidate candidate; /* entry is NULL where nothing fits, and choice.text says why */
    ndft_choice choice;
} ndft_chosen;

bool ndft_is_best(const char *variants); /* NULL is allowed */

/* One choice for each backend, or for this one alone, in report order. NDFT_EINVAL when the case
 * cannot be made; NDFT_EDEVICE when no such device is here. */
ndft_status ndft_choose(const ndft_case *, const char *backend, ndft_chosen[NDFT_MAX_CHOSEN],
                        int *n, ndft_error *);

/* The last that fits, so that a device goes before the processor; NDFT_EUNSUPPORTED when none does.
 */
ndft_status ndft_choose_one(const ndft_case *, ndft_chosen *, ndft_error *);

#endif
