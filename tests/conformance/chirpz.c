/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <string.h>

/* Chirp z-transforms: the DFT, arcs, spirals inwards and outwards from any start, more outputs than
 * inputs and fewer; what no engine but the sum can do is refused, and known by its words. */

static const char *const served[] = {
    "chirpz:s1 tol=1e-3",
    "chirpz:s97*3 tol=1e-3",
    "chirpz:d97*3 outputs=200 tol=1e-9",
    "chirpz:s1000 outputs=77 w=1:-0.00001 a=1:0.25 tol=1e-3",
    "chirpz:s300*2 outputs=300 w=1.0002:0.3 a=0.99:-0.7 tol=1e-3",
    "chirpz:s100 w=0.999:-0.01 tol=1e-3",
    "chirpz:d100*2 outputs=64 w=0.998:-0.003 a=0.95:0.1 tol=1e-9",
    "chirpz:d200 w=1.005:0.123 a=1.2:1 tol=1e-9",
    "chirpz:s5 outputs=1 w=0.9:0.3 a=2:0 tol=1e-3",
    "chirpz:s1 outputs=5 w=3:-0.3 tol=1e-2",
    "chirpz:d64 outputs=128 tol=1e-9 tol_kind=any",
};

/* Whose chirps leave nothing of the result, and less than tol asks. */
static const struct {
    const char *text, *words;
} beyond[] = {
    {"chirpz:s500 w=0.999:-0.002 tol=1e-3", "the dynamic range of its chirps"},
    {"chirpz:s100 w=0.9985:-0.01 tol=1e-4", "its claim of"},
};

static void check_refused(variant_suite *s, const ndft_candidate *candidate, const char *text,
                          const char *words)
{
    ndft_case problem;
    if (!suite_parse(s, candidate, text, &problem)) return;
    const ndft_check found = suite_verdict(s, candidate, &problem);
    if (found.verdict == NDFT_UNSUPPORTED && strstr(found.reason, words))
        suite_unsupported(s);
    else
        suite_fail(s, candidate, text, "not refused by '%s': %s %s", words,
                   ndft_verdict_name(found.verdict), found.reason);
}

static void check(variant_suite *s, const ndft_candidate *candidate, bool exact)
{
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        suite_check(s, candidate, served[i]);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        if (exact)
            suite_check(s, candidate, beyond[i].text);
        else
            check_refused(s, candidate, beyond[i].text, beyond[i].words);
}

void test_chirpz(variant_suite *s, const ndft_registered *entry)
{
    const bool exact = !entry->variant->n_knobs;
    ndft_candidate candidate = ndft_candidate_of(entry);
    check(s, &candidate, exact);
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        for (int i = 0; i < knob->n_candidates; i++) {
            candidate = ndft_candidate_of(entry);
            if (knob->candidates[i] == knob->preset) continue;
            candidate.knobs[k] = knob->candidates[i];
            check(s, &candidate, exact);
        }
    }
}
