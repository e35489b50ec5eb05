/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "id.h"
#include "problem/kinds.h"
#include "select/predict.h"

#include <math.h>
#include <string.h>

/* A file of decisions is refused with a line, or answers every question: what it finds has a case
 * and a distance, and what is predicted from it keeps every entry. */

static const ndft_device device = {
    .backend = "cpu", .slug = "slug", .units = 1, .memory_bytes = (size_t)1 << 30, .isa = 0};

static const char *const cases[] = {"forward 2d n=8x8 m=64 field=random:50Hz t=5ms",
                                    "normal 3d n=4x4x4 m=64 traj=kooshball:8 coils=2 prec=f64",
                                    "uniform:scfo4.8x7*3"};

static void predict(const ndft_select *select, const ndft_case *c, const ndft_found *found)
{
    const ndft_kind *kind = ndft_kind_of(c);
    ndft_made made;
    ndft_error err = {0};
    fuzz_holds(kind->make(c, &made, &err) == NDFT_OK, "%s", err.message);
    const ndft_question question = kind->question(&made.problem, c->op, device.slug);
    const size_t before = json_array_size(found->pick.order);
    ndft_predict(select, &found->pick, &question, kind, &made.problem, c->op, &device);
    fuzz_holds(json_array_size(found->pick.order) >= before, "an entry is lost");
    ndft_made_free(&made);
}

static void ask(const ndft_select *select, const char *text)
{
    ndft_case c;
    ndft_error err = {0};
    fuzz_holds(ndft_case_parse(text, &c, &err) == NDFT_OK, "%s", err.message);
    const ndft_question question = ndft_question_of_case(&c, device.slug);
    const ndft_found found = ndft_select_find(select, &question);
    if (found.match == NDFT_MATCH_DEFAULT) return;
    fuzz_holds(found.near_case && isfinite(found.distance), "%g from %s", found.distance,
               found.near_case);
    predict(select, &c, &found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ndft_select select;
    ndft_error err = {0};
    const char *path = fuzz_file("select.json", data, size);
    ndft_status status = ndft_select_open(path, &select, &err);
    if (status != NDFT_OK) {
        fuzz_refused(status, NDFT_EINVAL, &err);
        return 0;
    }
    status = ndft_select_current(&select, &device, NDFT_NONUNIFORM, &err);
    if (status != NDFT_OK) fuzz_refused(status, NDFT_EINVAL, &err);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) ask(&select, cases[i]);
    ndft_select_close(&select);
    return 0;
}
