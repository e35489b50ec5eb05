/* SPDX-License-Identifier: Apache-2.0 */
#include "structure_of_case.h"

#include "harness.h"
#include "trajectory.h"

/* Shots are whole lines of one length, or one shot whose last line is cut short, or none. */
static int64_t line_of_case(const ndft_case *c, int64_t length)
{
    int64_t line = 0;
    if (c->times.kind == NDFT_SOURCE_FILE) return 0;
    switch (c->traj.kind) {
    case NDFT_TRAJ_RADIAL:
    case NDFT_TRAJ_GOLDEN:
    case NDFT_TRAJ_SOS:
    case NDFT_TRAJ_KOOSHBALL:
        line = length;
        break;
    case NDFT_TRAJ_EPI:
        line = (length - 1) / ndft_epi_train(c, length) + 1;
        break;
    default:
        return 0;
    }
    return line >= NDFT_SHORTEST_LINE && (length % line == 0 || length >= c->m) ? line : 0;
}

ndft_structure ndft_structure_of_case(const ndft_case *c)
{
    const int64_t length = (c->m - 1) / ndft_case_shots(c) + 1;
    const bool own_clock = c->times.kind == NDFT_SOURCE_FILE;
    const bool unread = own_clock || (c->traj.kind == NDFT_SOURCE_FILE && c->t != 0);
    const int64_t distinct = c->t == 0 ? 1 : length;
    return (ndft_structure){.line_length = line_of_case(c, length),
                            .distinct_times = unread ? 0 : distinct};
}
