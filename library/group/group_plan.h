/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_GROUP_PLAN_H
#define NDFT_LIBRARY_GROUP_PLAN_H

#include "group.h"
#include "part.h"

/* Operations whose parts are cut alike. */
typedef struct ndft_division {
    unsigned ops;
    ndft_cut cut;
    double seconds;                     /* predicted of one execution of each operation */
    int64_t first[NDFT_MOST_PARTS + 1]; /* where parts begin, and the end */
    ndft_plan *plan[NDFT_MOST_PARTS];   /* of this process' devices */
} ndft_division;

enum { NDFT_MOST_DIVISIONS = 2, NDFT_MOST_IMAGES = 8 };

/* What a device has beside its plans. */
typedef struct ndft_seat {
    ndft_exec *exec;   /* on its device's stream */
    ndft_exec *beside; /* on one beside it, for what moves meanwhile; NULL: nothing can */
    ndft_error error;
    char *in[2], *out[2]; /* of parts in turn, where they are not used where they lie */
    /* Sums of the device's parts, one of each level of their tree, and of another device's where
     * that is not in reach. */
    char *image[NDFT_MOST_IMAGES];
    char *whole; /* all ranks' outputs, where they are not gathered where they lie */
} ndft_seat;

struct ndft_group_plan {
    ndft_group *group;
    ndft_owned *problem;
    uint32_t number; /* of ranks: by the order in which all made theirs, from 1 on */
    unsigned ops;
    int divisions;
    ndft_division division[NDFT_MOST_DIVISIONS];
    ndft_seat seat[NDFT_MOST_PARTS];
};

static inline ndft_exec *ndft_seat_beside(const ndft_seat *seat)
{
    return seat->beside ? seat->beside : seat->exec;
}

/* Parts of each device, which are neighbours. */
static inline int ndft_parts_each(const ndft_group *group) { return group->parts / group->n; }

/* Of a device of this process. */
static inline int ndft_first_part(const ndft_group *group, int device)
{
    return (group->first + device) * ndft_parts_each(group);
}

static inline ndft_range ndft_range_of(const ndft_division *d, int part, int parts)
{
    return (ndft_range){d->first[part], d->first[part + parts]};
}

/* Of the samples or the image, what is a rank's. */
static inline ndft_piece ndft_rank_piece(const ndft_group_plan *plan, const ndft_division *d,
                                         int rank, bool samples)
{
    const int each = ndft_parts_each(plan->group);
    return ndft_piece_of(&plan->problem->problem, d->cut, ndft_range_of(d, 0, plan->group->parts),
                         ndft_range_of(d, rank * each, each), samples);
}

static inline const ndft_opened *ndft_seat_device(const ndft_group_plan *plan, int device)
{
    return (const ndft_opened *)plan->group->device[device];
}

#endif
