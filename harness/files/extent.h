/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EXTENT_H
#define NDFT_EXTENT_H

#include "case/case.h"
#include "case/texts.h"

#include "base/problem.h"

/*
 * How far a problem's samples, times and field map reach, and what of it is legal but unlikely.
 * Files carry no units: radians for cycles, Hz for rad/s or ms for s give a right answer to a
 * question that nobody asked.
 */
typedef struct ndft_span {
    double low, high;
} ndft_span;

typedef struct ndft_extent {
    double k[3];        /* max|k| over N/2 */
    ndft_span field_hz; /* 0 without a field map */
    ndft_span decay;    /* 1/s, 0 without */
    ndft_span time_s;
    double cycles; /* of phase between any two voxels in the readout: both spans multiplied */
} ndft_extent;

ndft_extent ndft_extent_of(const ndft_problem *);

/* "|k| up to 0.998, 0.997 of N/2; field -60 to 75.5 Hz; ...": one line of a case's files. Returns
 * the length as snprintf does. */
int ndft_extent_print(const ndft_extent *, const ndft_case *, const ndft_problem *, char *text,
                      size_t size);

/* Whether anything of a nonuniform case is read from a file. */
bool ndft_case_reads_files(const ndft_case *);

/* Whether that file, or one in that folder by whatever name, is one that a case reads. */
bool ndft_case_reads_at(const ndft_case *, const char *path);

/* Whether there may be doubts: of files, and of maps that have no effect without a readout. */
bool ndft_case_is_doubted(const ndft_case *);

/* Appends a sentence for each doubt about a nonuniform case. NDFT_ENOMEM. */
ndft_status ndft_doubts_add(const ndft_extent *, const ndft_case *, const ndft_problem *,
                            ndft_texts *, ndft_error *);

#endif
