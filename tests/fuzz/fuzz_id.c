/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "cost.h"
#include "problem/kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An id that parses prints as one that parses to the same knobs. With them, whatever they are, the
 * variant says why it cannot serve a problem, or what it promises and what it takes. */

static const ndft_device device = {.backend = "cpu", .units = 2, .memory_bytes = (size_t)1 << 30};

static const char *const cases[] = {
    "forward 2d n=24x20 m=500 traj=radial:20 field=smooth:50Hz t=5ms coils=3",
    "normal 1d n=16 m=40 tol=1e-2", "uniform:scfo4.24x7*3"};
enum { PROBLEMS = sizeof cases / sizeof *cases };

/* Made once. */
static ndft_case problems[PROBLEMS];
static ndft_made made[PROBLEMS];

static void make(int i)
{
    ndft_error err = {0};
    fuzz_holds(ndft_case_parse(cases[i], &problems[i], &err) == NDFT_OK &&
                   ndft_kind_of(&problems[i])->make(&problems[i], &made[i], &err) == NDFT_OK,
               "%s: %s", cases[i], err.message);
}

static void check_fit(const ndft_candidate *candidate, const ndft_kind *kind, const ndft_problem *p,
                      ndft_op op, const char *text)
{
    ndft_check check = ndft_check_blank();
    if (!ndft_fits(kind, candidate, p, op, &device, &check)) {
        fuzz_holds(check.reason[0] && !strchr(check.reason, '\n'), "no sentence: %s", text);
        return;
    }
    fuzz_holds(candidate->entry->ablates || check.claim > 0, "%g promised: %s", check.claim, text);
    const ndft_cost cost = ndft_executed_cost(candidate->entry->variant, p, op, candidate->knobs);
    for (int i = 0; i < NDFT_COST_FIELDS; i++) {
        const double amount = ndft_cost_amount(&cost, i);
        fuzz_holds(amount >= 0 && isfinite(amount), "%s %g: %s", ndft_cost_name(i), amount, text);
    }
}

static void serve(const ndft_candidate *candidate, const char *text)
{
    for (int i = 0; i < PROBLEMS; i++) {
        if (!made[i].problem.n_voxels) make(i);
        check_fit(candidate, ndft_kind_of(&problems[i]), &made[i].problem, problems[i].op, text);
    }
}

static void round_trip(const ndft_candidate *candidate, const char *text)
{
    char printed[NDFT_ID_MAX];
    ndft_candidate again;
    ndft_error err = {0};
    const int length = ndft_id_print(candidate, printed, sizeof printed);
    fuzz_holds(length > 0 && length < NDFT_ID_MAX, "%d characters of %s", length, text);
    fuzz_holds(ndft_id_parse(printed, &again, &err) == NDFT_OK, "%s: %s", printed, err.message);
    fuzz_holds(again.entry == candidate->entry &&
                   !memcmp(again.knobs, candidate->knobs, sizeof again.knobs),
               "%s becomes %s", text, printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    ndft_candidate candidate;
    ndft_error err = {0};
    const ndft_status status = ndft_id_parse(text, &candidate, &err);
    if (status == NDFT_OK) {
        round_trip(&candidate, text);
        serve(&candidate, text);
    } else {
        fuzz_holds(status == NDFT_EINVAL && err.message[0], "no reason: %s", text);
    }
    free(text);
    return 0;
}
