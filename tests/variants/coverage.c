/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include "filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_status add_rule(variant_suite *s, const char *line, const char *where, ndft_error *err)
{
    coverage_rule r;
    char name[64], rest;
    int words = sscanf(line, "%63s %15s %7s %7s %7s %15s %15s %c", name, r.op, r.dim, r.grad,
                       r.prec, r.layout, r.samples, &rest);
    if (words != 6 && words != 7)
        return ndft_fail(err, NDFT_EINVAL,
                         "%s: a rule is VARIANT op dim grad prec layout [samples]", where);
    if (words == 6) strcpy(r.samples, "*");
    r.entry = ndft_registered_find(name, strlen(name));
    if (!r.entry) {
        char nearest[256];
        ndft_nearest_variants(name, nearest, sizeof nearest);
        return ndft_fail(err, NDFT_EINVAL, "%s: there is no variant '%s'; nearest: %s", where, name,
                         nearest);
    }
    coverage_rule *rules = realloc(s->rules, (size_t)(s->n_rules + 1) * sizeof *rules);
    if (!rules) return ndft_fail(err, NDFT_ENOMEM, "no memory for %s", where);
    s->rules = rules;
    rules[s->n_rules++] = r;
    return NDFT_OK;
}

ndft_status coverage_read(variant_suite *s, const char *path, ndft_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file) return ndft_fail(err, NDFT_EIO, "%s: %s", path, strerror(errno));
    ndft_status status = NDFT_OK;
    char line[256], where[512];
    for (int number = 1; status == NDFT_OK && fgets(line, sizeof line, file); number++) {
        snprintf(where, sizeof where, "%s:%d", path, number);
        line[strcspn(line, "#\n")] = 0;
        if (line[strspn(line, " \t")]) status = add_rule(s, line, where, err);
    }
    fclose(file);
    return status;
}

static bool fits(const char *rule, const char *value)
{
    return !strcmp(rule, "*") || !strcmp(rule, value);
}

/* Whether its samples come in uniform lines, which two samples are not yet. */
static bool has_lines(const ndft_case *c)
{
    const ndft_source_kind kind = c->traj.kind;
    if (kind != NDFT_TRAJ_RADIAL && kind != NDFT_TRAJ_GOLDEN && kind != NDFT_TRAJ_EPI &&
        kind != NDFT_TRAJ_SOS && kind != NDFT_TRAJ_KOOSHBALL)
        return false;
    return c->m > 2 * c->traj.a * (kind == NDFT_TRAJ_SOS ? c->traj.b : 1);
}

bool coverage_demands(const variant_suite *s, const ndft_registered *entry, const ndft_case *c)
{
    char dim[16];
    snprintf(dim, sizeof dim, "%dd", c->dim);
    for (int i = 0; i < s->n_rules; i++) {
        const coverage_rule *r = &s->rules[i];
        if (r->entry == entry && fits(r->op, ndft_op_name(c->op)) && fits(r->dim, dim) &&
            fits(r->grad, c->grad.kind == NDFT_SOURCE_NONE ? "none" : "grad") &&
            fits(r->prec, c->prec == NDFT_F32 ? "f32" : "f64") &&
            fits(r->layout, c->layout == NDFT_PLANAR ? "planar" : "interleaved") &&
            fits(r->samples, has_lines(c) ? "lines" : "other"))
            return true;
    }
    return false;
}
