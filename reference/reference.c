/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include "base/random.h"
#include "coils.h"
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

/* What a thread works in. */
typedef struct summing {
    ndft_sum *sums;
    double *each; /* of all coils, where their sum is the output */
} summing;

static void sum_one(const ndft_problem *p, const ndft_operands *s, ndft_output *sum, bool together,
                    const double *in, int64_t output, const summing *mine, double *result)
{
    sum(s, in, p->coils, output, mine->sums, together ? mine->each : result);
    if (together) ndft_coil_sum(p, output, mine->each, result);
}

static ndft_status sum_outputs(const ndft_problem *p, const ndft_operands *s, ndft_op op,
                               const double *in, const int64_t *outputs, int64_t n_outputs,
                               double *result, int threads, ndft_error *error)
{
    const bool together = p->maps && op == NDFT_ADJOINT;
    const int coils = ndft_output_coils(p, op);
    const size_t all = (size_t)threads * (size_t)p->coils;
    ndft_output *sum = ndft_output_for(op);
    const summing of = {malloc(all * sizeof *of.sums), malloc(2 * all * sizeof *of.each)};
    const ndft_status status = of.sums && of.each ? NDFT_OK : no_memory(error);
#pragma omp parallel num_threads(threads)
    {
        const int64_t first = (int64_t)omp_get_thread_num() * p->coils;
        const summing mine = {of.sums + first, of.each + 2 * first};
#pragma omp for schedule(static)
        for (int64_t i = 0; i < (status == NDFT_OK ? n_outputs : 0); i++)
            sum_one(p, s, sum, together, in, outputs ? outputs[i] : i, &mine,
                    result + 2 * i * coils);
    }
    free(of.each);
    free(of.sums);
    return status;
}

/* All samples of the forward operator as the adjoint's input, without leaving double. */
static ndft_status through_samples(const ndft_problem *p, const ndft_operands *s, double **vector,
                                   int threads, ndft_error *error)
{
    int64_t m = p->n_samples;
    double *samples = malloc((size_t)(2 * m * p->coils) * sizeof *samples);
    if (!samples) return no_memory(error);
    ndft_status status = sum_outputs(p, s, NDFT_FORWARD, *vector, NULL, m, samples, threads, error);
    if (status == NDFT_OK) {
        const ndft_placement columns = ndft_placement_of(NDFT_INTERLEAVED, p->coils, m);
        free(*vector);
        *vector = ndft_split(NDFT_F64, &columns, samples);
        if (!*vector) status = no_memory(error);
    }
    free(samples);
    return status;
}

static double *split_input(const ndft_problem *p, ndft_op op, const void *in)
{
    const ndft_placement columns = ndft_input_placement(p, op);
    return p->maps && op != NDFT_ADJOINT ? ndft_split_by_maps(p, in)
                                         : ndft_split(p->prec, &columns, in);
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
    double *vector = split_input(p, op, in);
    ndft_status status = vector ? NDFT_OK : no_memory(error);
    if (status == NDFT_OK && op == NDFT_NORMAL) {
        status = through_samples(p, &sides, &vector, threads, error);
        op = NDFT_ADJOINT;
    }
    if (status == NDFT_OK)
        status = sum_outputs(p, &sides, op, vector, outputs, n_outputs, result, threads, error);
    free(vector);
    ndft_operands_free(&sides);
    return status;
}

/* Which outputs of a problem too large to check in full are checked. */

static const double full_pairs = 0x1p28;
/* Edges are few beside the rest: where rows of an image are as long as tiles, its own edges lie
 * there, at which approximations lose most. */
enum { LEAST = 1024, TILE = 1024, MOST_EDGES = 8 };

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One output of each of count equal strata. */
static int64_t add_strata(int64_t *list, int64_t length, int64_t count, uint64_t seed)
{
    ndft_random random = {seed};
    for (int64_t i = 0; i < count; i++) {
        int64_t from = (int64_t)((double)length * (double)i / (double)count);
        int64_t to = (int64_t)((double)length * (double)(i + 1) / (double)count);
        list[i] = from + (int64_t)(ndft_uniform(&random) * (double)(to - from));
    }
    return count;
}

/* First, last, and the neighbours of up to MOST_EDGES tile edges spread over the whole length. */
static int64_t add_edges(int64_t *list, int64_t length)
{
    int64_t size = 0, tiles = length / TILE, edges = tiles < MOST_EDGES ? tiles : MOST_EDGES;
    list[size++] = 0;
    list[size++] = length - 1;
    for (int64_t i = 0; i < edges; i++) {
        int64_t edge = (1 + (edges > 1 ? (tiles - 1) * i / (edges - 1) : 0)) * TILE;
        for (int64_t at = edge - 1; at <= edge + 1; at++)
            if (at < length) list[size++] = at;
    }
    return size;
}

static int64_t without_repeats(int64_t *list, int64_t size)
{
    int64_t kept = 0;
    qsort(list, (size_t)size, sizeof *list, ascending);
    for (int64_t i = 0; i < size; i++)
        if (i == 0 || list[i] != list[kept - 1]) list[kept++] = list[i];
    return kept;
}

int64_t ndft_sample_of(int64_t length, double terms, uint64_t seed, int64_t **outputs)
{
    *outputs = NULL;
    if (terms * (double)length <= full_pairs || length <= LEAST) return length;
    int64_t count = (int64_t)(full_pairs / terms);
    if (count < LEAST) count = LEAST;
    int64_t *list = malloc((size_t)(count + 2 + 3 * MOST_EDGES) * sizeof *list);
    if (!list) return length;
    int64_t size = add_strata(list, length, count, seed);
    size += add_edges(list + size, length);
    *outputs = list;
    return without_repeats(list, size);
}

int64_t ndft_sample_outputs(const ndft_problem *p, ndft_op op, uint64_t seed, int64_t **outputs)
{
    double terms = op == NDFT_FORWARD ? (double)p->n_voxels : (double)p->n_samples;
    return ndft_sample_of(ndft_output_length(p, op), terms, seed, outputs);
}
