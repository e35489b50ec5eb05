/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include "naming/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_status add_rule(variant_suite *s, const char *line, const char *where, ndft_error *err)
{
    coverage_rule r;
    char id[64], rest;
    int words = sscanf(line, "%63s %15s %7s %7s %7s %15s %15s %c", id, r.op, r.dim, r.grad, r.prec,
                       r.layout, r.samples, &rest);
    if (words != 6 && words != 7)
        return ndft_fail(err, NDFT_EINVAL, "%s: a rule is ID op dim grad prec layout [samples]",
                         where);
    if (words == 6) strcpy(r.samples, "*");
    ndft_error why;
    const ndft_registered *entry = ndft_registered_find(id, strcspn(id, ":"));
    if (entry && !entry->variant) return NDFT_OK; /* nor is it tested */
    if (ndft_id_parse(id, &r.setting, &why) != NDFT_OK)
        return ndft_fail(err, why.status, "%s: %s", where, why.message);
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

static bool has_callbacks(const ndft_case *c)
{
    return c->load.word != NDFT_CALLBACK_NONE || c->store.word != NDFT_CALLBACK_NONE;
}

/* Whether every axis of a uniform transform is longer than most kernels' tables reach. */
static bool is_long(const ndft_case *c)
{
    for (int d = 0; d < c->dim; d++)
        if (c->n[d] <= 256) return false;
    return c->kind == NDFT_UNIFORM;
}

/* Whether every axis of a uniform transform is a product of primes up to 13, up to 4096. */
static bool is_smooth(const ndft_case *c)
{
    for (int d = 0; d < c->dim; d++) {
        int64_t n = c->n[d];
        for (int prime = 2; prime <= 13; prime++)
            while (n % prime == 0) n /= prime;
        if (n != 1 || c->n[d] > 4096) return false;
    }
    return c->kind == NDFT_UNIFORM;
}

/* lines: uniform ones, which two samples are not yet; spiral: turned copies of an interleaf. */
static const char *samples_of(const ndft_case *c)
{
    const ndft_source_kind kind = c->traj.kind;
    if (has_callbacks(c)) return "callbacks";
    if (is_smooth(c)) return "smooth";
    if (is_long(c)) return "long";
    if (c->times.kind != NDFT_SOURCE_NONE) return "other"; /* lines need a uniform clock, too */
    if (kind == NDFT_TRAJ_SPIRAL || kind == NDFT_TRAJ_VDSPIRAL) return "spiral";
    if (kind != NDFT_TRAJ_RADIAL && kind != NDFT_TRAJ_GOLDEN && kind != NDFT_TRAJ_EPI &&
        kind != NDFT_TRAJ_SOS && kind != NDFT_TRAJ_KOOSHBALL)
        return "other";
    return c->m > 2 * c->traj.a * (kind == NDFT_TRAJ_SOS ? c->traj.b : 1) ? "lines" : "other";
}

/* How many knobs a rule speaks of, -1 where it is not about this candidate. */
static int settings_of(const coverage_rule *r, const ndft_candidate *candidate)
{
    const ndft_candidate preset = ndft_candidate_of(candidate->entry);
    int count = 0;
    if (r->setting.entry != candidate->entry) return -1;
    for (int k = 0; k < candidate->entry->variant->n_knobs; k++) {
        if (r->setting.knobs[k] == preset.knobs[k]) continue;
        if (r->setting.knobs[k] != candidate->knobs[k]) return -1;
        count++;
    }
    return count;
}

static bool is_like(const coverage_rule *r, const ndft_case *c)
{
    char dim[16];
    if (has_callbacks(c) && !strcmp(r->samples, "*")) return false;
    snprintf(dim, sizeof dim, "%dd", c->dim);
    return fits(r->op, ndft_op_name(c->op)) && fits(r->dim, dim) &&
           fits(r->grad, c->grad.kind == NDFT_SOURCE_NONE ? "none" : "grad") &&
           fits(r->prec, c->prec == NDFT_F32 ? "f32" : "f64") &&
           fits(r->layout, c->layout == NDFT_PLANAR ? "planar" : "interleaved") &&
           fits(r->samples, samples_of(c));
}

bool coverage_demands(const variant_suite *s, const ndft_candidate *candidate, const ndft_case *c)
{
    int most = 0;
    bool demanded = false;
    for (int i = 0; i < s->n_rules; i++) {
        const int settings = settings_of(&s->rules[i], candidate);
        if (settings < most) continue;
        if (settings > most) demanded = false;
        most = settings;
        demanded |= is_like(&s->rules[i], c);
    }
    return demanded;
}
