/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RECORD_PROCESSES_H
#define NDFT_RECORD_PROCESSES_H

#include <jansson.h>
#include <stdbool.h>

/* Whether a case record has a timing, so that another process may add its own. */
bool ndft_record_is_timed(const json_t *record);

/*
 * One case record from those of the same candidate in several processes, at least one. "by_process"
 * lists what each had of its own: verdict and, of a timing, samples, statistics, clocks.
 *
 * All timed: median, interval and two_modes are those of ndft_stats_of_processes; whatever else is
 * of one process is that of the one whose median is the middle one; errors are the largest.
 * wanted: how many processes there should have been; with fewer it is "interrupted", so that a
 * resumed sweep does all of it again. Not all timed: the record of the worst verdict, with the
 * process named in its reason where they differ. A new reference.
 */
json_t *ndft_record_join(const json_t *records, int wanted);

#endif
