/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_GROUP_H
#define NDFT_LIBRARY_GROUP_H

#include "communicator.h"
#include "crew.h"
#include "public/objects.h"

struct ndft_group {
    int users;
    int n, parts;   /* devices, and pieces of a problem: n divides parts */
    int first, own; /* of the devices, those of this process: numbers below count from the first */
    bool is_fixed;  /* parts are the caller's: the same bits whatever n is */
    ndft_communicator *communicator; /* with the processes of the others; NULL: there are none */
    ndft_device *device[NDFT_MOST_PARTS];
    bool reaches[NDFT_MOST_PARTS]; /* memory of all others: kernels read it */
    ndft_crew *crew;
};

#endif
