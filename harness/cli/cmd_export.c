/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "export.h"
#include "kinds.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* ndft export: all arrays of a case and the reference output, so that any program can check us. */

static ndft_status export_reference(const ndft_made *made, ndft_op op, const char *folder,
                                    ndft_error *err)
{
    const ndft_problem *p = &made->problem;
    int64_t length = ndft_output_length(p, op);
    char path[4096];
    snprintf(path, sizeof path, "%s/reference.npy", folder);
    double *result = malloc((size_t)length * (size_t)p->coils * 2 * sizeof *result);
    if (!result) return ndft_fail(err, NDFT_ENOMEM, "no host memory for the reference");
    ndft_status status =
        ndft_nonuniform.reference(made, op, NULL, length, result, omp_get_max_threads(), err);
    if (status == NDFT_OK)
        status =
            ndft_export_vector(path, p, ndft_side_out(op), result, NDFT_F64, NDFT_INTERLEAVED, err);
    free(result);
    return status;
}

static ndft_status export_case(const char *text, const char *folder, ndft_error *err)
{
    ndft_case problem;
    ndft_made made;
    NDFT_TRY(ndft_nonuniform.parse(text, &problem, err));
    NDFT_TRY(ndft_nonuniform.make(&problem, &made, err));
    ndft_status status = ndft_export(&problem, &made, folder, err);
    if (status == NDFT_OK) status = export_reference(&made, problem.op, folder, err);
    ndft_nonuniform.release(&made);
    return status;
}

static int run(ndft_cli *cli)
{
    int code = ndft_cli_options(cli, &(ndft_option){0}, 2);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    ndft_status status = export_case(cli->argv[0], cli->argv[1], &err);
    return status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}

const ndft_verb ndft_verb_export = {
    .name = "export",
    .arguments = "CASE FOLDER",
    .summary = "write every array of a case and its reference output as npy files",
    .run = run,
};
