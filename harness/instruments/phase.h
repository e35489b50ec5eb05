/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PHASE_H
#define NDFT_PHASE_H

#ifdef __cplusplus
extern "C" {
#endif

/* What a group is doing: the category of a profiler's range, and what is said of one that died. */
typedef enum ndft_phase {
    NDFT_PHASE_MAKE, /* the problem */
    NDFT_PHASE_REFERENCE,
    NDFT_PHASE_PLAN,
    NDFT_PHASE_FORWARD,
    NDFT_PHASE_ADJOINT,
    NDFT_PHASE_NORMAL,
    NDFT_PHASE_TIME,
    NDFT_N_PHASES
} ndft_phase;

/* "make", "reference", "plan", "forward", "adjoint", "normal", "time" */
const char *ndft_phase_name(ndft_phase);

#ifdef __cplusplus
}
#endif
#endif
