/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CREW_H
#define NDFT_CREW_H

#include "base/status.h"

/* Threads that wait for work, one for each device of a group but the first, which is the caller's.
 */
typedef struct ndft_crew ndft_crew;

/* What the thread of a device does; where it fails its thread's message says why. */
typedef ndft_status ndft_crew_work(void *context, int device);

/* patience_s: for so long they look out for each other before they sleep, since to wake one takes
 * as long as a small sum. */
ndft_status ndft_crew_create(int n, double patience_s, ndft_crew **);

/* Lets all do it, each for its own device, and waits for them; callers one after the other. The
 * status of the first device that failed, whose message becomes the caller's. */
ndft_status ndft_crew_run(ndft_crew *, ndft_crew_work *, void *context);

void ndft_crew_destroy(ndft_crew *); /* NULL is allowed */

#endif
