/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <stdio.h>

/* Convolutions: operations x precisions x shapes, with periods that wrap around and that do not, in
 * each direction of unequal inputs and outputs, and both kinds of tolerance. */

static const char *const operations = "fan";
static const char *const shapes[] = {"1",
                                     "13*2 outputs=29 cells=41",
                                     "64",
                                     "200 outputs=7 cells=211",
                                     "9x14*3 cells=18x28",
                                     "16x5 outputs=11x8 cells=26x12",
                                     "5x6x7*2 cells=10x12x14",
                                     "4x1x9 outputs=2x3x5 cells=5x3x13",
                                     "17x11"};

static void check(variant_suite *s, const ndft_candidate *candidate, char prec, char operation,
                  const char *shape, const char *end)
{
    char text[160];
    snprintf(text, sizeof text, "convolve:%c%c%s tol=%s%s", prec, operation, shape,
             prec == 'd' ? "1e-9" : "1e-3", end);
    suite_check(s, candidate, text);
}

static void check_all(variant_suite *s, const ndft_candidate *candidate)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (const char *operation = operations; *operation; operation++) {
            check(s, candidate, 's', *operation, shapes[i], "");
            check(s, candidate, 'd', *operation, shapes[i], "");
        }
    for (const char *operation = operations; *operation; operation++)
        check(s, candidate, 's', *operation, shapes[5], " tol_kind=any");
}

void test_convolution(variant_suite *s, const ndft_registered *entry)
{
    ndft_candidate candidate = ndft_candidate_of(entry);
    check_all(s, &candidate);
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        for (int i = 0; i < knob->n_candidates; i++) {
            candidate = ndft_candidate_of(entry);
            if (knob->candidates[i] == knob->preset) continue;
            candidate.knobs[k] = knob->candidates[i];
            check_all(s, &candidate);
        }
    }
}
