/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

/* Decay, weak and strong, with all that it comes with: engines that take it pass, or say of
 * what else they do not take it with; all others refuse it. */

static const char *const cases[] = {
    "forward 2d n=23x19 m=311 traj=radial:16 t=20ms field=random:60Hz decay=smooth:40 coils=3",
    "adjoint 2d n=19x23 m=307 traj=spiral:2 t=40ms field=smooth:60Hz decay=random:90 mask=disk",
    "normal 2d n=11x12 m=211 traj=golden:8 t=20ms field=smooth:60Hz decay=linear:60 coils=2",
    "forward 1d n=67 m=130 t=20ms decay=random:30 coils=2 layout=interleaved",
    "adjoint 3d n=5x7x6 m=190 traj=kooshball:9 t=20ms field=random:60Hz decay=const:50 coils=2",
    "forward 3d n=6x5x4 m=150 t=20ms field=random:60Hz decay=random:50 grad=random:20Hz",
    "adjoint 2d n=13x8 m=120 t=20ms decay=smooth:50 grad=random:30Hz coils=3",
    "forward 2d n=13x8 m=120 t=20ms decay=const:0 field=random:60Hz",
    "forward 2d n=9x8 m=120 decay=random:50 field=random:60Hz",
    "adjoint 2d n=13x8 m=120 traj=radial:4 t=30ms decay=random:3000",
    NULL,
};

static const char *const precs[] = {"prec=f32 tol=1e-3", "prec=f64 tol=1e-10", NULL};

static const char *const refusals[] = {"decay", NULL};

void test_decay(variant_suite *s, const ndft_registered *entry)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    suite_check_each(s, &candidate, cases, precs, entry->variant->decays, refusals);
}
