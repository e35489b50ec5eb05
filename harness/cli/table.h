/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TABLE_H
#define NDFT_TABLE_H

#include "cli.h"
#include "naming/filter.h"
#include "progress.h"
#include "session.h"
#include "show.h"

/* One case over many variants, printed as it goes: what check and bench have in common. */
typedef struct ndft_table {
    const char *variants, *backend, *knobs; /* which: expression, NULL for all; settings or "" */
    const char *modes;                      /* list of names; NULL: batch */
    const ndft_filter *expect;              /* those that must pass; NULL: none in particular */
    bool json;                              /* records on stdout in place of the table */
    ndft_isolate_options isolate;
    ndft_session session; /* without a log; its devices are known where they are timed */

    json_t *kept;           /* see rivals.h */
    ndft_progress progress; /* on a terminal; elsewhere the rows show it */
    ndft_columns columns;
    int verdicts[NDFT_N_VERDICTS];
    int expected, unmet; /* results that expect names, and those of them that did not pass */
    char fastest[NDFT_ID_MAX];
    double fastest_s;
    bool unclear; /* something passed whose time is in doubt (ndft_field_doubt) */
    int lost;     /* errno of standard output when it could not be written */
} ndft_table;

/* Runs the case and returns the exit code: 0 when something passed and nothing was wrong, 1 when
 * something was wrong or expected and did not pass, 2 when nothing passed. */
int ndft_table_run(ndft_table *, const char *text);

#endif
