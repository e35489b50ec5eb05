/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/own_data.h"
#include "files/extent.h"
#include "files/npy.h"
#include "problem/kinds.h"

#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ndft run: one variant's output as a file, for other programs to check. */

typedef struct request {
    const char *id, *path;
    bool check;
    bool failed; /* the check did */
} request;

/* Holds the variant against the reference on this very case, as ndft check does. */
static ndft_status check_first(const ndft_case *problem, const ndft_candidate *candidate,
                               const ndft_made *made, ndft_exec *exec, request *r, ndft_error *err)
{
    ndft_fixture fixture;
    ndft_plan *plan;
    ndft_status planned;
    const ndft_backend *backend = ndft_backend_find(candidate->entry->backend);
    NDFT_TRY(ndft_fixture_open(ndft_kind_of(problem), problem, made, backend, exec, &fixture));
    const ndft_check check = ndft_check_run(&fixture, candidate, INFINITY, &plan, &planned);
    ndft_plan_destroy(plan);
    ndft_fixture_close(&fixture);
    if (check.verdict == NDFT_PASS) return NDFT_OK;
    r->failed = true;
    return ndft_fail(err, NDFT_EUNSUPPORTED, "--check: %s: %s; nothing is written",
                     ndft_verdict_name(check.verdict), check.reason);
}

/* In place the output's memory has the input. */
static ndft_status execute_host(ndft_plan *plan, const ndft_kind *kind, const ndft_problem *p,
                                ndft_op op, const void *in, void *out)
{
    if (ndft_in_place(kind->problems, p)) in = memcpy(out, in, ndft_input_bytes(p, op));
    return ndft_execute_host(plan, op, in, out);
}

static ndft_status execute(const ndft_kind *kind, const ndft_candidate *candidate,
                           const ndft_made *made, ndft_op op, ndft_exec *exec, void *out,
                           ndft_error *err)
{
    const ndft_problem *p = &made->problem;
    ndft_check check = ndft_check_blank();
    if (candidate->entry->ablates)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "an ablation of %s: its output means nothing",
                         candidate->entry->ablates);
    if (!ndft_fits(kind, candidate, p, op, &exec->device, &check))
        return ndft_fail(err, NDFT_EUNSUPPORTED, "unsupported: %s", check.reason);
    ndft_plan *plan;
    ndft_device *device = ndft_device_around(ndft_backend_find(exec->device.backend), exec);
    if (!device) return ndft_fail(err, NDFT_ENOMEM, "no memory for a device");
    ndft_status status = ndft_plan_candidate(device, candidate, p, op, &plan);
    if (status == NDFT_OK) {
        status = execute_host(plan, kind, p, op, ndft_made_input(made, op), out);
        ndft_plan_destroy(plan);
    }
    ndft_device_close(device);
    return status;
}

static ndft_status run_made(const ndft_case *problem, const ndft_candidate *candidate,
                            const ndft_made *made, request *r, ndft_error *err)
{
    const ndft_op op = problem->op;
    const ndft_kind *kind = ndft_kind_of(problem);
    const ndft_problem *p = &made->problem;
    const ndft_backend *backend = ndft_backend_find(candidate->entry->backend);
    ndft_exec *exec;
    NDFT_TRY(backend->open(0, &exec, err));
    const size_t in_bytes = ndft_input_bytes(p, op), out_bytes = ndft_output_bytes(p, op);
    void *out = calloc(1, in_bytes > out_bytes ? in_bytes : out_bytes);
    ndft_status status =
        out ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no host memory for the output");
    if (status == NDFT_OK && r->check) status = check_first(problem, candidate, made, exec, r, err);
    if (status == NDFT_OK) status = execute(kind, candidate, made, op, exec, out, err);
    if (status == NDFT_OK) status = kind->write(r->path, p, op, out, err);
    free(out);
    backend->close(exec);
    return status;
}

static ndft_status run_case(const char *text, request *r, ndft_error *err)
{
    ndft_case problem;
    ndft_candidate candidate;
    ndft_made made;
    NDFT_TRY(ndft_npy_allowed(r->path, err));
    NDFT_TRY(ndft_case_parse(text, &problem, err));
    if (ndft_case_reads_at(&problem, r->path))
        return ndft_fail(err, NDFT_EINVAL,
                         "%s is read from; another name is valid for what is written", r->path);
    if (ndft_is_best(r->id))
        NDFT_TRY(ndft_choose_one(&problem, &candidate, err));
    else
        NDFT_TRY(ndft_id_parse(r->id, &candidate, err));
    NDFT_TRY(ndft_kind_match(&problem, candidate.entry, err));
    const ndft_kind *kind = ndft_kind_of(&problem);
    NDFT_TRY(kind->make(&problem, &made, err));
    ndft_own_data_say(&problem, &made);
    ndft_status status = run_made(&problem, &candidate, &made, r, err);
    ndft_made_free(&made);
    return status;
}

int ndft_verb_run(ndft_cli *cli)
{
    request r = {0};
    const ndft_option options[] = {
        {"variant", 'v', "ID", "NAME.BACKEND[:knob=value,...], or best", .text = &r.id},
        {"out", 'o', "FILE.npy",
         "the output, (coils,m), (coils,nz,ny,nx) or (K,nd..n1,M); replaces an .npy file",
         .text = &r.path, .suffix = ".npy"},
        {"check", 0, NULL, "first as ndft check does; unless it passes, exit 1 and no output",
         .flag = &r.check},
        {0}};
    int code = ndft_cli_options(cli, options, 1);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    if (!r.id || !r.path)
        ndft_fail(&err, NDFT_EINVAL, "run needs --variant ID and --out FILE.npy");
    else
        run_case(cli->argv[0], &r, &err);
    if (err.status == NDFT_OK) return NDFT_EXIT_OK;
    code = ndft_cli_fail(&err);
    return r.failed ? NDFT_EXIT_FAILED : code;
}
