/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include "output.h"

#include <omp.h>
#include <stdlib.h>

/* Outputs are shared out among threads; each is summed in one fixed order, so the result does not
 * depend on their number. */

/* Of the normal operator: a quarter of an hour on a small machine, half a minute on a large one. */
static const double most_pairs = 0x1p36;

static ndft_status no_memory(ndft_error *error)
{
    return ndft_fail(error, NDFT_ENOMEM, "the reference has no memory for its vectors");
}

static ndft_status sum_outputs(const ndft_operands *s, ndft_op op, const double *in, int coils,
                               const int64_t *outputs, int64_t n_outputs, double *result,
                               int threads, ndft_error *error)
{
    ndft_output *sum = ndft_output_for(op);
    ndft_sum *sums = malloc((size_t)threads * (size_t)coils * sizeof *sums);
    if (!sums) return no_memory(error);
#pragma omp parallel num_threads(threads)
    {
        ndft_sum *mine = sums + (int64_t)omp_get_thread_num() * coils;
#pragma omp for schedule(static)
        for (int64_t i = 0; i < n_outputs; i++)
            sum(s, in, coils, outputs ? outputs[i] : i, mine, result + 2 * i * coils);
    }
    free(sums);
    return NDFT_OK;
}

/* All samples of the forward operator as the adjoint's input, without leaving double. */
static ndft_status through_samples(const ndft_problem *p, const ndft_operands *s, double **vector,
                                   int threads, ndft_error *error)
{
    int64_t m = p->n_samples;
    double *samples = malloc((size_t)(2 * m * p->coils) * sizeof *samples);
    if (!samples) return no_memory(error);
    ndft_status status =
        sum_outputs(s, NDFT_FORWARD, *vector, p->coils, NULL, m, samples, threads, error);
    if (status == NDFT_OK) {
        ndft_problem doubles = *p;
        doubles.prec = NDFT_F64;
        doubles.layout = NDFT_INTERLEAVED;
        free(*vector);
        *vector = ndft_split(&doubles, samples, m);
        if (!*vector) status = no_memory(error);
    }
    free(samples);
    return status;
}

ndft_status ndft_reference(const ndft_problem *p, ndft_op op, const void *in,
                           const int64_t *outputs, int64_t n_outputs, double *result, int threads,
                           ndft_error *error)
{
    const double pairs = (double)p->n_samples * (double)p->n_voxels;
    if (op == NDFT_NORMAL && pairs > most_pairs)
        return ndft_fail(error, NDFT_EUNSUPPORTED,
                         "the normal operator needs all %lld samples first, %.3g pairs, and the "
                         "reference sums %.3g at most",
                         (long long)p->n_samples, pairs, most_pairs);
    ndft_operands sides;
    NDFT_TRY(ndft_operands_make(p, &sides, error));
    double *vector = ndft_split(p, in, ndft_input_length(p, op));
    ndft_status status = vector ? NDFT_OK : no_memory(error);
    if (status == NDFT_OK && op == NDFT_NORMAL) {
        status = through_samples(p, &sides, &vector, threads, error);
        op = NDFT_ADJOINT;
    }
    if (status == NDFT_OK)
        status =
            sum_outputs(&sides, op, vector, p->coils, outputs, n_outputs, result, threads, error);
    free(vector);
    ndft_operands_free(&sides);
    return status;
}
