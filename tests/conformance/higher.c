/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

/* A phase of higher order, of one term to all, with all that it comes with: engines that take it
 * pass, or say of what else they do not take it with; all others refuse it. */

static const char *const cases[] = {
    "forward 2d n=23x19 m=311 traj=spiral:4 t=20ms field=random:60Hz phase=random:4:20rad coils=3",
    "adjoint 2d n=19x23 m=307 traj=spiral:2 t=40ms phase=concomitant:0.55T mask=disk coils=2",
    "normal 2d n=11x12 m=211 traj=golden:8 t=20ms field=smooth:60Hz phase=random:2:3rad coils=2",
    "forward 1d n=67 m=130 phase=random:16:9rad coils=2 layout=interleaved",
    "adjoint 3d n=5x7x6 m=190 traj=kooshball:9 t=20ms phase=concomitant:1.5T coils=2",
    "forward 3d n=6x5x4 m=150 t=20ms field=random:60Hz phase=random:3:8rad grad=random:20Hz",
    "adjoint 2d n=13x8 m=120 t=20ms decay=smooth:50 phase=random:5:8rad coils=3",
    "forward 2d n=13x8 m=120 t=20ms decay=random:60 phase=random:1:2rad grad=random:30Hz",
    "forward 2d n=13x8 m=120 phase=random:3:0rad",
    "adjoint 2d n=9x8 m=120 phase=random:2:500rad",
    NULL,
};

static const char *const precs[] = {"prec=f32 tol=1e-3", "prec=f64 tol=1e-10", NULL};

static const char *const refusals[] = {"phase of higher order", "terms", "decay", NULL};

void test_higher(variant_suite *s, const ndft_registered *entry)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    suite_check_each(s, &candidate, cases, precs, entry->variant->higher, refusals);
}
