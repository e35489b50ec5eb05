/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "measure/region.h"
#include "records/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ndft profile: so many executions of one variant and nothing else inside a profiler's range. Which
 * profiler, and what it found, is the business of analysis/profile.py. */

enum { WARM_UPS = 3 };

typedef struct profile {
    const char *id, *tool;
    int launches;
    bool unchecked, model, json;
    ndft_case problem;
    ndft_candidate candidate;
    ndft_cost cost;
    double seconds; /* one execution, when no profiler slows it down; NaN: not run */
    ndft_run run;
} profile;

static ndft_status plan_unchecked(ndft_fixture *fixture, const ndft_candidate *candidate,
                                  ndft_plan **plan, ndft_check *check)
{
    if (!ndft_fits(fixture->kind, candidate, &fixture->made->problem, fixture->op,
                   &fixture->exec->device, check))
        return ndft_fail(fixture->exec->error, NDFT_EUNSUPPORTED, "unsupported: %s", check->reason);
    return ndft_plan_candidate(fixture->device, candidate, &fixture->made->problem, fixture->op,
                               plan);
}

/* A wrong result is not worth a profile; without a limit, nothing else is run to estimate times. */
static ndft_status plan_checked(ndft_fixture *fixture, const ndft_candidate *candidate,
                                ndft_plan **plan, ndft_check *check)
{
    ndft_status planned;
    *check = ndft_check_run(fixture, candidate, INFINITY, plan, &planned);
    if (*plan || planned == NDFT_EINVAL) return planned;
    bool unsupported = check->verdict == NDFT_UNSUPPORTED || check->verdict == NDFT_NOT_BUILT;
    char why[sizeof check->reason];
    snprintf(why, sizeof why, "%s", check->reason);
    return ndft_fail(fixture->exec->error, unsupported ? NDFT_EUNSUPPORTED : NDFT_EDEVICE, "%s: %s",
                     ndft_verdict_name(check->verdict), why);
}

/* The profiled range: synchronised before and after, and with only executions inside. */
static ndft_status execute(ndft_fixture *fixture, ndft_plan *plan, profile *p)
{
    const ndft_backend *backend = fixture->backend;
    const ndft_instruments *with = fixture->instruments;
    ndft_region region = ndft_region_of(fixture, plan);
    ndft_reading reading;
    region.repetitions = WARM_UPS;
    NDFT_TRY(ndft_region_time(&region, &reading));
    p->seconds = reading.seconds / WARM_UPS;
    NDFT_TRY(backend->sync(fixture->exec));
    NDFT_TRY(with->profiler(fixture->exec, true));
    ndft_region_push(fixture);
    region.repetitions = p->launches;
    ndft_status status = ndft_region_queue(&region);
    if (status == NDFT_OK) status = backend->sync(fixture->exec);
    ndft_fixture_pop(fixture);
    ndft_status stopped = with->profiler(fixture->exec, false);
    return status == NDFT_OK ? stopped : status;
}

static ndft_status on_fixture(ndft_fixture *fixture, profile *p)
{
    ndft_plan *plan = NULL;
    ndft_check check = ndft_check_blank();
    fixture->candidate = &p->candidate;
    NDFT_TRY((p->unchecked ? plan_unchecked : plan_checked)(fixture, &p->candidate, &plan, &check));
    ndft_status status = execute(fixture, plan, p);
    ndft_plan_destroy(plan);
    return status;
}

static json_t *line_of(const profile *p)
{
    char text[NDFT_CASE_MAX], id[NDFT_ID_MAX];
    ndft_case_print(&p->problem, text, sizeof text);
    ndft_id_print(&p->candidate, id, sizeof id);
    const bool ran = p->run.devices[0] != NULL;
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o}", "case", text, "variant", id,
                     "launches", p->launches, "warm_ups", WARM_UPS, "seconds",
                     ndft_field_of_number(p->seconds), "cost", ndft_record_cost(&p->cost), "run",
                     ran ? ndft_record_run(&p->run) : json_null(), "end",
                     ran ? ndft_record_end(&p->run, false) : json_null());
}

static ndft_status print(const profile *p, ndft_error *err)
{
    char id[NDFT_ID_MAX], seconds[NDFT_SHOWN];
    if (!p->json) {
        ndft_id_print(&p->candidate, id, sizeof id);
        printf("%s: %d executions in the profiled range after %d to warm up", id, p->launches,
               WARM_UPS);
        printf(", %s each\n", ndft_show_seconds(p->seconds, seconds));
        return NDFT_OK;
    }
    json_t *line = line_of(p);
    if (!line) return ndft_fail(err, NDFT_ENOMEM, "no memory for a line of JSON");
    ndft_show_json(line, JSON_COMPACT);
    return NDFT_OK;
}

static ndft_status on_device(profile *p, const ndft_made *made, ndft_error *err)
{
    const ndft_backend *backend = ndft_backend_find(p->candidate.entry->backend);
    ndft_exec *exec;
    ndft_fixture fixture;
    NDFT_TRY(backend->open(0, &exec, err));
    ndft_status status =
        ndft_fixture_open(ndft_kind_of(&p->problem), &p->problem, made, backend, exec, &fixture);
    if (status == NDFT_OK) {
        status = on_fixture(&fixture, p);
        ndft_fixture_close(&fixture);
    }
    p->run.devices[0] = &exec->device;
    if (status == NDFT_OK) status = print(p, err);
    backend->close(exec);
    return status;
}

static ndft_status on_case(profile *p, const char *text, ndft_error *err)
{
    ndft_made made;
    NDFT_TRY(ndft_case_parse(text, &p->problem, err));
    NDFT_TRY(ndft_id_parse(p->id, &p->candidate, err));
    NDFT_TRY(ndft_kind_match(&p->problem, p->candidate.entry, err));
    const ndft_variant *variant = p->candidate.entry->variant;
    if (!variant)
        return ndft_fail(err, NDFT_EDEVICE, "%s was not built: %s", p->id,
                         ndft_backend_find(p->candidate.entry->backend)->missing());
    NDFT_TRY(ndft_kind_of(&p->problem)->make(&p->problem, &made, err));
    p->cost = ndft_executed_cost(variant, &made.problem, p->problem.op, p->candidate.knobs);
    p->run.seed = p->problem.seed;
    ndft_status status = p->model ? print(p, err) : on_device(p, &made, err);
    ndft_made_free(&made);
    return status;
}

int ndft_verb_profile(ndft_cli *cli)
{
    profile p = {.tool = "none", .launches = 1, .seconds = NAN};
    const ndft_option options[] = {
        {"variant", 'v', "ID", "NAME.BACKEND[:knob=value,...]", .text = &p.id},
        {"launches", 'n', "N", "executions in the profiled range (1)", .whole = &p.launches},
        {"tool", 't', "none", "./ndft profile puts ncu or nsys around this", .text = &p.tool},
        {"no-check", 'c', NULL, "do not hold the result against the reference first",
         .flag = &p.unchecked},
        {"model", 'm', NULL, "run nothing: the declared cost", .flag = &p.model},
        {"json", 'j', NULL, "one line of JSON", .flag = &p.json},
        {0}};
    int code = ndft_cli_options(cli, options, 1);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    p.run = (ndft_run){
        .suite = "profile", .argc = cli->all_argc, .argv = cli->all_argv, .plan_cases = 1};
    ndft_run_begin(&p.run);
    p.json |= p.model;
    if (!p.id)
        ndft_fail(&err, NDFT_EINVAL, "profile needs --variant ID");
    else if (strcmp(p.tool, "none"))
        ndft_fail(&err, NDFT_EINVAL, "--tool %s: here only none; ./ndft profile runs ncu and nsys",
                  p.tool);
    else
        on_case(&p, cli->argv[0], &err);
    return err.status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}
