/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

/* Convolutions against their sums. */

enum { MOST_CELLS = 4096, MOST_BATCH = 3 };

typedef struct box {
    int64_t n[3];
} box;

static int64_t size_of(const int64_t n[3]) { return n[0] * n[1] * n[2]; }

static int64_t wrapped(int64_t r, int64_t s, int64_t cells)
{
    return ((r - s) % cells + cells) % cells;
}

/* Number e of a grid lies there. */
static box place(int64_t e, const int64_t n[3])
{
    return (box){{e % n[0], e / n[0] % n[1], e / n[0] / n[1]}};
}

static int64_t between(const box *r, const box *s, const int64_t c[3])
{
    return (wrapped(r->n[2], s->n[2], c[2]) * c[1] + wrapped(r->n[1], s->n[1], c[1])) * c[0] +
           wrapped(r->n[0], s->n[0], c[0]);
}

/* y(r) = sum_s kernel(r - s) x(s), or the adjoint of it. */
static void sums(const ndft_convolution_desc *d, const double complex *kernel, bool adjoint,
                 const double complex *in, double complex *out)
{
    const int64_t inputs = size_of(d->n), outputs = size_of(d->outputs);
    for (int64_t i = 0; i < (adjoint ? inputs : outputs); i++) out[i] = 0;
    for (int64_t i = 0; i < outputs; i++) {
        const box r = place(i, d->outputs);
        for (int64_t j = 0; j < inputs; j++) {
            const box s = place(j, d->n);
            const double complex k = kernel[between(&r, &s, d->cells)];
            if (adjoint)
                out[j] += conj(k) * in[i];
            else
                out[i] += k * in[j];
        }
    }
}

/* The largest of the factors, by their sums. */
static double largest(const ndft_convolution_desc *d, const double complex *kernel)
{
    const int64_t cells = size_of(d->cells);
    double most = 0;
    for (int64_t e = 0; e < cells; e++) {
        const box q = place(e, d->cells);
        double complex sum = 0;
        for (int64_t i = 0; i < cells; i++) {
            const box r = place(i, d->cells);
            double turns = 0;
            for (int axis = 0; axis < 3; axis++)
                turns += (double)(q.n[axis] * r.n[axis] % d->cells[axis]) / (double)d->cells[axis];
            sum += kernel[i] * cexp(-2 * M_PI * I * turns);
        }
        most = fmax(most, cabs(sum));
    }
    return most;
}

static double complex kernel[MOST_CELLS], in[MOST_CELLS], right[MOST_CELLS], twice[MOST_CELLS];
static double complex given[MOST_BATCH * MOST_CELLS], made[MOST_BATCH * MOST_CELLS],
    rounded[MOST_CELLS];

static ndft_plan *plan_for(const ndft_convolution_desc *d, unsigned ops)
{
    ndft_problem *problem;
    ndft_plan *plan;
    must(ndft_convolution_create(device, d, &problem));
    must(ndft_plan_create(problem, ops, NULL, &plan));
    ndft_problem_destroy(problem);
    return plan;
}

static void expect(const ndft_convolution_desc *d, ndft_plan *plan, ndft_op op, double scale)
{
    const bool back = op == NDFT_ADJOINT;
    const int64_t inputs = back ? size_of(d->outputs) : size_of(d->n);
    const int64_t outputs = op == NDFT_FORWARD ? size_of(d->outputs) : size_of(d->n);
    const size_t element = 2 * ndft_real_size(d->prec);
    for (int b = 0; b < d->batch; b++) {
        for (int64_t i = 0; i < inputs; i++) in[i] = mixed((int)(i + 11 * b));
        to_prec(d->prec, in, inputs, (char *)given + (size_t)(b * inputs) * element);
    }
    must(ndft_execute_host(plan, op, given, made));
    for (int b = 0; b < d->batch; b++) {
        for (int64_t i = 0; i < inputs; i++) in[i] = complex_at(given, d->prec, b * inputs + i);
        sums(d, kernel, back, in, right);
        if (op == NDFT_NORMAL) {
            memcpy(twice, right, sizeof twice);
            sums(d, kernel, true, twice, right);
        }
        for (int64_t i = 0; i < outputs; i++)
            right[i] -= complex_at(made, d->prec, b * outputs + i);
        const double most = op == NDFT_NORMAL ? scale * scale : scale;
        if (complex_norm(right, outputs) > d->tol * most * complex_norm(in, inputs))
            fail_msg("op %d: off by %g of %g", (int)op,
                     complex_norm(right, outputs) / (most * complex_norm(in, inputs)), d->tol);
    }
}

static void make_kernel(const ndft_convolution_desc *d)
{
    for (int64_t i = 0; i < size_of(d->cells); i++)
        kernel[i] = mixed((int)(3 * i)) / (double)(1 + i % 7);
    to_prec(d->prec, kernel, size_of(d->cells), rounded);
    for (int64_t i = 0; i < size_of(d->cells); i++) kernel[i] = complex_at(rounded, d->prec, i);
}

static void sums_of_every_shape(void **state)
{
    (void)state;
    static const struct {
        int dim;
        int64_t n[3], outputs[3], cells[3];
    } shapes[] = {
        {1, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},     {1, {13, 1, 1}, {29, 1, 1}, {41, 1, 1}},
        {1, {64, 1, 1}, {64, 1, 1}, {64, 1, 1}},  {1, {200, 1, 1}, {7, 1, 1}, {211, 1, 1}},
        {2, {9, 14, 1}, {9, 14, 1}, {18, 28, 1}}, {2, {16, 5, 1}, {11, 8, 1}, {26, 12, 1}},
        {3, {5, 6, 7}, {5, 6, 7}, {10, 12, 14}},  {3, {4, 1, 9}, {2, 3, 5}, {5, 3, 13}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int prec = NDFT_F32; prec <= NDFT_F64; prec++)
            for (int kind = NDFT_TOL_TYPICAL; kind <= NDFT_TOL_ANY; kind++) {
                ndft_convolution_desc d = {.struct_size = sizeof d,
                                           .dim = shapes[i].dim,
                                           .prec = (ndft_prec)prec,
                                           .batch = 1 + (int)(i % MOST_BATCH),
                                           .tol =
                                               (prec == NDFT_F32 ? 1e-4 : 1e-9) * (kind ? 100 : 1),
                                           .tol_kind = (ndft_tol_kind)kind,
                                           .kernel = rounded};
                memcpy(d.n, shapes[i].n, sizeof d.n);
                memcpy(d.outputs, shapes[i].outputs, sizeof d.n);
                memcpy(d.cells, shapes[i].cells, sizeof d.n);
                make_kernel(&d);
                ndft_plan *plan = plan_for(&d, NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL);
                const double scale = largest(&d, kernel);
                for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
                    expect(&d, plan, (ndft_op)op, scale);
                ndft_plan_destroy(plan);
            }
}

/* Given by its spectrum: that of a shift by three cells, with a gain. */
static void a_spectrum(void **state)
{
    (void)state;
    enum { N = 12, GAIN = 5, SHIFT = 3 };
    static double complex factors[N], x[N], y[N];
    const ndft_convolution_desc d = {.struct_size = sizeof d,
                                     .dim = 1,
                                     .n = {N},
                                     .prec = NDFT_F64,
                                     .kernel = factors,
                                     .spectrum = true};
    for (int q = 0; q < N; q++) {
        factors[q] = GAIN * cexp(-2 * M_PI * I * q * SHIFT / N);
        x[q] = mixed(q);
    }
    ndft_plan *plan = plan_for(&d, NDFT_FORWARD | NDFT_ADJOINT), *clone;
    char text[1024];
    must(ndft_plan_describe(plan, text, sizeof text));
    assert_non_null(strstr(text, "\"variant\":\"convolution."));
    assert_non_null(strstr(text, "\"chosen\":\"there="));
    must(ndft_plan_clone(plan, &clone));
    ndft_plan_destroy(plan);
    must(ndft_execute_host(clone, NDFT_FORWARD, x, y));
    for (int r = 0; r < N; r++) assert_true(cabs(y[r] - GAIN * x[(r + N - SHIFT) % N]) < 1e-8);
    must(ndft_execute_host(clone, NDFT_ADJOINT, x, y));
    for (int r = 0; r < N; r++) assert_true(cabs(y[r] - GAIN * x[(r + SHIFT) % N]) < 1e-8);
    ndft_plan_destroy(clone);
}

/* Where one of a batch is not finite, the others stay what they are. */
/* The spectrum of a large grid in double is as exact as the usual tol asks. */
static void a_large_grid(void **state)
{
    (void)state;
    if (getenv("NDFT_CUDA")) return; /* a stand-in, whose one engine would sum for an hour */
    enum { SIDE = 600, CELLS = SIDE * SIDE };
    double complex *point = calloc(CELLS, sizeof *point), *x = calloc(CELLS, sizeof *x),
                   *y = calloc(CELLS, sizeof *y);
    const ndft_convolution_desc d = {
        .struct_size = sizeof d, .dim = 2, .n = {SIDE, SIDE}, .prec = NDFT_F64, .kernel = point};
    double worst = 0;
    point[1] = 1; /* the next voxel's value */
    for (int64_t i = 0; i < CELLS; i++) x[i] = sin(0.7 * (double)i);
    ndft_plan *plan = plan_for(&d, NDFT_FORWARD);
    must(ndft_execute_host(plan, NDFT_FORWARD, x, y));
    for (int64_t i = 1; i < CELLS; i++)
        if (i % SIDE) worst = fmax(worst, cabs(y[i] - x[i - 1]));
    assert_true(worst < 1e-9);
    ndft_plan_destroy(plan);
    free(point);
    free(x);
    free(y);
}

static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    enum { N = 10 };
    static float complex k[2 * N], x[2][N], y[2][N];
    const ndft_convolution_desc d = {
        .struct_size = sizeof d, .dim = 1, .n = {N}, .cells = {2 * N}, .batch = 2, .kernel = k};
    k[1] = 1;
    for (int i = 0; i < N; i++) x[0][i] = x[1][i] = (float)i;
    x[0][4] = INFINITY;
    ndft_plan *plan = plan_for(&d, NDFT_FORWARD);
    must(ndft_execute_host(plan, NDFT_FORWARD, x, y));
    for (int i = 0; i < N; i++) {
        assert_false(isfinite(crealf(y[0][i])) && isfinite(cimagf(y[0][i])));
        assert_true(cabsf(y[1][i] - (float)(i ? i - 1 : 0)) < 1e-3);
    }
    ndft_plan_destroy(plan);
}

static void wrong(ndft_convolution_desc d, ndft_status status, const char *words)
{
    ndft_problem *problem = (ndft_problem *)&d;
    assert_int_equal(ndft_convolution_create(device, &d, &problem), status);
    assert_null(problem);
    said(words);
}

static void what_is_refused(void **state)
{
    (void)state;
    enum { N = 4 };
    static float complex k[N];
    ndft_problem *problem;
    ndft_plan *plan;
    const ndft_convolution_desc d = {.struct_size = sizeof d, .dim = 1, .n = {N}, .kernel = k};
    ndft_convolution_desc other = d;
    other.dim = 4, wrong(other, NDFT_EINVAL, "dim=4; 1 to 3");
    other = d, other.n[0] = 0, wrong(other, NDFT_EINVAL, "n[0]=0: sizes are at least 1");
    other = d, other.outputs[0] = -1, wrong(other, NDFT_EINVAL, "outputs[0]=-1");
    other = d, other.outputs[1] = 2, wrong(other, NDFT_EINVAL, "outputs[1]=2 with dim=1; 1");
    other = d, other.cells[0] = 3, wrong(other, NDFT_EINVAL, "cells[0]=3; at least 4");
    other = d, other.cells[0] = 1LL << 40, wrong(other, NDFT_EINVAL, "cells[0]=1099511627776");
    other = d, other.batch = 257, wrong(other, NDFT_EINVAL, "batch=257; 1 to 256");
    other = d, other.prec = (ndft_prec)7, wrong(other, NDFT_EINVAL, "prec=7");
    other = d, other.kernel = NULL, wrong(other, NDFT_EINVAL, "kernel is NULL");
    other = d, other.tol = 2, wrong(other, NDFT_EINVAL, "tol=2");
    k[2] = INFINITY;
    wrong(d, NDFT_EINVAL, "kernel is inf at element 2; it must be finite");
    k[2] = 0;
    must(ndft_convolution_create(device, &d, &problem));
    const ndft_plan_options named = {.struct_size = sizeof named, .variant = "naive.cpu"};
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &named, &plan), NDFT_EUNSUPPORTED);
    said("chooses its transforms by itself");
    const ndft_plan_options larger = {.struct_size = sizeof larger, .capacity = problem};
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &larger, &plan), NDFT_EINVAL);
    said("new values");
    must(ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan));
    assert_int_equal(ndft_plan_set_field(plan, k), NDFT_EINVAL);
    said("the plan is of a convolution");
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    other = d, other.tol = 1e-8;
    must(ndft_convolution_create(device, &other, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan), NDFT_EUNSUPPORTED);
    said("its tol leaves");
    ndft_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_every_shape), cmocka_unit_test(a_spectrum),
        cmocka_unit_test(a_large_grid),        cmocka_unit_test(numbers_that_are_not_finite),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
