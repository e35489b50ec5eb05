/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include "files/npy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void suite_pass(variant_suite *s) { s->passed++; }

void suite_unsupported(variant_suite *s) { s->unsupported++; }

void suite_fail(variant_suite *s, const ndft_candidate *candidate, const char *what,
                const char *format, ...)
{
    char id[NDFT_ID_MAX];
    va_list args;
    va_start(args, format);
    ndft_id_print(candidate, id, sizeof id);
    printf("FAIL %s %s: ", id, what);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    s->failed++;
}

static void take(void *context, const ndft_result *result)
{
    *(ndft_check *)context = result->check;
}

ndft_check suite_verdict(variant_suite *s, const ndft_candidate *candidate,
                         const ndft_case *problem)
{
    const ndft_group_options options = {.timing = ndft_timing_defaults};
    ndft_check check = ndft_check_blank();
    ndft_error err = {0};
    ndft_status status = ndft_run_group(ndft_kind_of(problem), problem, s->backend, candidate, 1,
                                        &options, &(ndft_sink){take, &check}, &err);
    if (status != NDFT_OK) ndft_set_verdict(&check, NDFT_ERROR, "%s", err.message);
    return check;
}

/* Settings other than the default may promise less than a case asks for, and then say so. */
static bool is_too_coarse(const ndft_candidate *candidate, const ndft_check *check, double tol)
{
    const ndft_candidate preset = ndft_candidate_of(candidate->entry);
    return memcmp(candidate->knobs, preset.knobs, sizeof preset.knobs) && check->claim > tol;
}

/* Rare settings have kernels in a build of everything alone, and say so. */
static bool is_rare(const ndft_check *check)
{
    return strstr(check->reason, "-DNDFT_ALL=ON") != NULL;
}

void suite_judge(variant_suite *s, const ndft_candidate *candidate, const ndft_case *problem,
                 const ndft_check *check)
{
    char text[NDFT_CASE_MAX];
    ndft_case_print(problem, text, sizeof text);
    if (check->verdict == NDFT_PASS)
        suite_pass(s);
    else if (check->verdict == NDFT_UNSUPPORTED &&
             (!coverage_demands(s, candidate, problem) || is_rare(check) ||
              is_too_coarse(candidate, check, problem->tol)))
        suite_unsupported(s);
    else
        suite_fail(s, candidate, text, "%s: %s", ndft_verdict_name(check->verdict), check->reason);
}

bool suite_parse(variant_suite *s, const ndft_candidate *candidate, const char *text,
                 ndft_case *problem)
{
    ndft_error err;
    if (ndft_case_parse(text, problem, &err) == NDFT_OK) return true;
    suite_fail(s, candidate, text, "%s", err.message);
    return false;
}

static bool has_turn(const variant_suite *s, int i)
{
    return !s->shard.count || i % s->shard.count == s->shard.index - 1;
}

bool suite_turn(variant_suite *s) { return has_turn(s, s->parts++); }

void suite_parts(variant_suite *s, const ndft_registered *entry, suite_part *const *parts)
{
    for (; *parts; parts++)
        if (suite_turn(s)) (*parts)(s, entry);
}

void suite_check(variant_suite *s, const ndft_candidate *candidate, const char *text)
{
    ndft_case problem;
    if (!has_turn(s, s->cases++) || !suite_parse(s, candidate, text, &problem)) return;
    const ndft_check check = suite_verdict(s, candidate, &problem);
    suite_judge(s, candidate, &problem, &check);
}

static bool refused_by(const ndft_check *found, const char *const *words)
{
    for (; found->verdict == NDFT_UNSUPPORTED && *words; words++)
        if (strstr(found->reason, *words)) return true;
    return false;
}

void suite_check_taken(variant_suite *s, const ndft_candidate *candidate, const char *text,
                       bool takes, const char *const *words)
{
    ndft_case problem;
    if (!has_turn(s, s->cases++) || !suite_parse(s, candidate, text, &problem)) return;
    const ndft_check found = suite_verdict(s, candidate, &problem);
    if (takes && !refused_by(&found, words))
        suite_judge(s, candidate, &problem, &found);
    else if (found.verdict == NDFT_UNSUPPORTED)
        suite_unsupported(s);
    else
        suite_fail(s, candidate, text, "it is not refused: %s", ndft_verdict_name(found.verdict));
}

void suite_check_each(variant_suite *s, const ndft_candidate *candidate, const char *const *cases,
                      const char *const *ends, bool takes, const char *const *words)
{
    for (; *cases; cases++) {
        for (const char *const *end = ends; *end; end++) {
            char text[400];
            snprintf(text, sizeof text, "%s %s", *cases, *end);
            suite_check_taken(s, candidate, text, takes, words);
        }
    }
}

bool suite_temporary(variant_suite *s, const ndft_candidate *candidate, char *path)
{
    const int file = mkstemps(path, 4);
    if (file < 0)
        suite_fail(s, candidate, path, "cannot be written");
    else
        close(file);
    return file >= 0;
}

ndft_status suite_write(const char *path, double *values, const int64_t *shape, int rank,
                        ndft_error *err)
{
    ndft_array array = {.element = NDFT_ELEMENT_F64, .rank = rank, .data = values, .scale = 1};
    memcpy(array.shape, shape, (size_t)rank * sizeof *shape);
    return ndft_npy_write(path, &array, err);
}
