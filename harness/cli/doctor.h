/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DOCTOR_H
#define NDFT_DOCTOR_H

#include "instruments/instruments.h"

#include <jansson.h>

/* What ndft doctor finds: one line for each thing that it looks at. */

typedef enum ndft_health {
    NDFT_WORKS,
    NDFT_NOTE,   /* works, and something about it is worth knowing */
    NDFT_ABSENT, /* what depends on it is left out */
    NDFT_BROKEN, /* a plain run needs it */
    NDFT_N_HEALTH
} ndft_health;

typedef struct ndft_doctor {
    json_t *findings; /* objects of what, state, found, advice (null: nothing to do) */
    bool broken;
} ndft_doctor;

/* Adds a finding; found is formatted as by printf. advice may be NULL. */
void ndft_doctor_say(ndft_doctor *, const char *what, ndft_health, const char *advice,
                     const char *found, ...) __attribute__((format(printf, 5, 6)));

/* The first line of a small file without its end; false when it cannot be read. */
bool ndft_doctor_line(const char *path, char *line, size_t size);

/* The parts, in the order of the report. */
void ndft_doctor_backends(ndft_doctor *);
void ndft_doctor_driver(ndft_doctor *); /* and who may read its counters */
void ndft_doctor_host(ndft_doctor *);
void ndft_doctor_folders(ndft_doctor *);
void ndft_doctor_tools(ndft_doctor *);

#endif
