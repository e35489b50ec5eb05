/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ROOFS_H
#define NDFT_ROOFS_H

#include "records/log.h"
#include "records/record.h"

#include <ndft/exec.h>

#include <jansson.h>

/* The ceilings of the devices in use: an object of their arrays by backend. */

/* Looks up what is known of a device. */
void ndft_roofs_find(json_t *roofs, const ndft_device *);

/* Sets what a case record says of its bounds. */
void ndft_roofs_apply(const json_t *roofs, json_t *record);

/* Begins a record file: the run, and the ceilings that its bounds are measured by. */
ndft_status ndft_roofs_head(const json_t *roofs, ndft_log *, const ndft_run *, ndft_error *);

/* Says on stderr of which nothing is known, and how to know it. */
void ndft_roofs_note(const json_t *roofs);

#endif
