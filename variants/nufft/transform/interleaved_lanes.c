/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_lanes.h"

/* So many coils side by side, and as many terms as there is room for. */
static ndft_nufft_lanes lanes_with(int beside, int coils, int terms, int most)
{
    ndft_nufft_lanes lanes = {.coils = beside, .terms = 1};
    while (lanes.coils * lanes.terms < most && lanes.terms < terms) lanes.terms *= 2;
    lanes.coil_groups = (coils + lanes.coils - 1) / lanes.coils;
    lanes.term_groups = (terms + lanes.terms - 1) / lanes.terms;
    lanes.count = lanes.coils * lanes.terms;
    lanes.groups = lanes.coil_groups * lanes.term_groups;
    return lanes;
}

/* What a pass takes: its lanes, half and a quarter of the most being slower each, as an H200 was
 * measured to be. */
static double time_of(const ndft_nufft_lanes *lanes, int most)
{
    const double slower = lanes->count == most ? 1 : 2 * lanes->count == most ? 1.08 : 1.21;
    return slower * lanes->groups * lanes->count;
}

ndft_nufft_lanes ndft_nufft_lanes_of(int coils, int terms, int least, int most)
{
    ndft_nufft_lanes best = lanes_with(most, coils, terms, most);
    for (int beside = most / 2; beside > 0; beside /= 2) {
        const ndft_nufft_lanes lanes = lanes_with(beside, coils, terms, most);
        if (lanes.count >= least && time_of(&lanes, most) < time_of(&best, most)) best = lanes;
    }
    return best;
}
