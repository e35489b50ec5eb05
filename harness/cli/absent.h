/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ABSENT_H
#define NDFT_ABSENT_H

#include "work.h"

#include <jansson.h>

/* Variants that cannot run here whatever the case: they were not built, or their backend has no
 * device. They have their records; people are told once, not once a case. */

/* Why the variant is absent, NULL when it is not. */
const char *ndft_absent_why(const ndft_registered *);

/* Whether a record is of one. */
bool ndft_absent_record(const json_t *);

/* One line on stderr for each reason that variants of the workload are absent for. */
void ndft_absent_say(const ndft_workload *);

#endif
