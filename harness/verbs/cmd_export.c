/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "cli/own_data.h"
#include "files/cfl.h"
#include "files/extent.h"
#include "problem/kinds.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ndft export: all arrays of a case and the reference output, so that any program can check us. */

/* Outputs 0..n-1 of a compact result go to their places; all others become NaN. */
static void place(double *result, int64_t length, int coils, const int64_t *outputs, int64_t n)
{
    int64_t from = n;
    for (int64_t to = length; to-- > 0;) {
        const bool known = from > 0 && outputs[from - 1] == to;
        from -= known;
        for (int i = 0; i < 2 * coils; i++)
            result[to * 2 * coils + i] = known ? result[from * 2 * coils + i] : NAN;
    }
}

static ndft_status export_reference(const ndft_kind *kind, const ndft_made *made, ndft_op op,
                                    bool sampled, const char *folder, ndft_error *err)
{
    const ndft_problem *p = &made->problem;
    int64_t *outputs = NULL, length = kind->outputs(p, op);
    int64_t n = sampled ? kind->sample(&made->problem, op, made->hash[0], &outputs) : length;
    char path[4096];
    snprintf(path, sizeof path, "%s/reference.npy", folder);
    const int coils = ndft_output_coils(p, op);
    double *result = malloc((size_t)length * (size_t)coils * 2 * sizeof *result);
    ndft_status status =
        result ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no host memory for the reference");
    if (status == NDFT_OK)
        status = kind->reference(made, op, outputs, n, result, omp_get_max_threads(), err);
    if (status == NDFT_OK) {
        if (outputs) place(result, length, coils, outputs, n);
        status = kind->write_reference(path, p, op, result, err);
    }
    free(outputs);
    free(result);
    return status;
}

static ndft_status export_case(const char *text, bool sampled, const char *folder, ndft_error *err)
{
    ndft_case problem;
    ndft_made made;
    NDFT_TRY(ndft_case_parse(text, &problem, err));
    if (ndft_case_reads_at(&problem, folder))
        return ndft_fail(err, NDFT_EINVAL,
                         "%s: the case reads a file there, and export replaces files; another "
                         "folder is valid",
                         folder);
    const ndft_kind *kind = ndft_kind_of(&problem);
    NDFT_TRY(kind->make(&problem, &made, err));
    ndft_own_data_say(&problem, &made);
    ndft_status status = kind->export(&problem, &made, folder, err);
    if (status == NDFT_OK) status = export_reference(kind, &made, problem.op, sampled, folder, err);
    ndft_made_free(&made);
    return status;
}

/* One array's name is no name for all of them, and behind none they would lie in the root. */
static ndft_status check_folder(const char *folder, ndft_error *err)
{
    if (!*folder) return ndft_fail(err, NDFT_EINVAL, "export needs a folder, not ''; nearest: .");
    const char *dot = strrchr(folder, '.');
    if (!ndft_is_cfl(folder) && !(dot && !strcmp(dot, ".npy"))) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "%s: export writes a folder of .npy files; nearest: %.*s",
                     folder, (int)(dot - folder), folder);
}

int ndft_verb_export(ndft_cli *cli)
{
    bool sampled = false;
    const ndft_option options[] = {{"sampled", 's', NULL,
                                    "reference where check looks alone, NaN elsewhere",
                                    .flag = &sampled},
                                   {0}};
    int code = ndft_cli_options(cli, options, 2);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    ndft_status status = check_folder(cli->argv[1], &err);
    if (status == NDFT_OK) status = export_case(cli->argv[0], sampled, cli->argv[1], &err);
    return status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}
