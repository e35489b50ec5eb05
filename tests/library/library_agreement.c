/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

/*
 * A device beside the processor, element by element: PowerGrid's four kernels, forward and adjoint
 * with and without gradient maps, of voxels on the grid and off it, in single precision. Sums are
 * of the processor's own loop, naive.cpu. An element differs by less than 1e-4 of the largest one,
 * and forward and adjoint agree to 1e-5.
 */

enum { SIDE = 24, VOXELS = SIDE * SIDE, M = 1000 };

static const double element = 1e-4, adjointness = 1e-5;

typedef float complex number;

typedef struct scan {
    float k[2][M], t[M], field[VOXELS], gradient[2][VOXELS], x[2][VOXELS];
    number image[VOXELS], samples[M];
    ndft_problem_desc desc;
} scan;

typedef struct found {
    number samples[M], image[VOXELS];
} found;

static number draw(int i) { return (float)cos(1.7 * i) + I * (float)sin(2.3 * i + 1); }

static void fill(scan *s, bool gradients, bool off_grid)
{
    for (int j = 0; j < M; j++) {
        s->k[0][j] = SIDE / 2 * (float)sin(3.1 * j);
        s->k[1][j] = SIDE / 2 * (float)cos(1.3 * j);
        s->t[j] = 2e-5f * (float)j;
        s->samples[j] = draw(j + 5);
    }
    for (int v = 0; v < VOXELS; v++) {
        s->field[v] = 600 * (float)cos(0.02 * v);
        s->image[v] = draw(3 * v);
        for (int d = 0; d < 2; d++) {
            s->gradient[d][v] = 20 * (float)sin(0.03 * v + d);
            s->x[d][v] = 0.6f * SIDE * (float)sin((5.3 + d) * v + d);
        }
    }
    s->desc = (ndft_problem_desc){.struct_size = sizeof s->desc,
                                  .dim = 2,
                                  .n = {SIDE, SIDE},
                                  .tol = 1e-3,
                                  .n_samples = M,
                                  .k = {s->k[0], s->k[1]},
                                  .t = s->t,
                                  .field = s->field};
    for (int d = 0; d < 2; d++) {
        if (gradients) s->desc.gradient[d] = s->gradient[d];
        if (off_grid) s->desc.position[d] = s->x[d];
    }
}

static void sums_by(ndft_device *on, const char *variant, const scan *s, found *f)
{
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = variant};
    ndft_problem *problem;
    ndft_plan *plan;
    must(ndft_problem_create(on, &s->desc, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan));
    ndft_problem_destroy(problem);
    must(ndft_execute_host(plan, NDFT_FORWARD, s->image, f->samples));
    must(ndft_execute_host(plan, NDFT_ADJOINT, s->samples, f->image));
    ndft_plan_destroy(plan);
}

/* Largest difference over the largest element. */
static double apart(const number *a, const number *b, int count)
{
    double difference = 0, largest = 0;
    for (int i = 0; i < count; i++) {
        if (!(cabsf(a[i] - b[i]) <= difference)) difference = cabsf(a[i] - b[i]);
        largest = fmax(largest, cabsf(b[i]));
    }
    return difference / largest;
}

static double complex inner(const number *a, const number *b, int count)
{
    double complex sum = 0;
    for (int i = 0; i < count; i++) sum += (double complex)a[i] * conj((double complex)b[i]);
    return sum;
}

static double norm(const number *a, int count) { return sqrt(creal(inner(a, a, count))); }

/* |<Ax,y> - <x,A^H y>| / (|Ax| |y|) */
static double disagreement(const scan *s, const found *f)
{
    const double complex there = inner(f->samples, s->samples, M);
    const double complex back = inner(s->image, f->image, VOXELS);
    return cabs(there - back) / (norm(f->samples, M) * norm(s->samples, M));
}

static void expect_agreement(const char *what, const char *variant, const scan *s,
                             const found *processor)
{
    static found f;
    sums_by(device, on_device(variant), s, &f);
    const double forward = apart(f.samples, processor->samples, M);
    const double adjoint = apart(f.image, processor->image, VOXELS);
    const double two_ways = disagreement(s, &f);
    print_message("%-14s %-28s forward %.1e, adjoint %.1e, adjointness %.1e\n", on_device(variant),
                  what, forward, adjoint, two_ways);
    assert_true(forward < element && adjoint < element && two_ways < adjointness);
}

static void four_kernels(void **state)
{
    static const char *const variants[] = {"naive", "tiled", "fast_math"};
    static scan s;
    static found processor;
    ndft_device *cpu;
    (void)state;
    must(ndft_device_open("cpu", NULL, &cpu));
    for (int with = 0; with < 4; with++) {
        const bool gradients = with & 1, off_grid = with & 2;
        char what[40];
        snprintf(what, sizeof what, "%s, %s", gradients ? "gradients" : "no gradients",
                 off_grid ? "off the grid" : "on the grid");
        fill(&s, gradients, off_grid);
        sums_by(cpu, "naive.cpu", &s, &processor);
        for (int i = 0; i < 3; i++) expect_agreement(what, variants[i], &s, &processor);
    }
    ndft_device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_kernels)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
