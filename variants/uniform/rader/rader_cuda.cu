/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "core/early.cuh"
#include "core/shares.cuh"
#include "generator.h"
#include "phase/worst_entry.h"
#include "rader_halves.cuh"
#include "uniform/axis_plan.cuh"
#include "uniform/callback/callback_plan.cuh"
#include "uniform/direct/direct_cost.h"
#include "uniform/uniform_cost.h"

#include <numeric>

/*
 * Lines of prime length P as cyclic convolutions of P - 1 numbers (Rader 1968), half of what
 * Bluestein's algorithm pads them to, in one kernel per axis. The convolution's transforms are two
 * short ones after each other, by wgmma as uniform_gemm's (rader_kernel.cuh), so P - 1 has to be
 * the product of two coprime numbers from 16 to 127, the lesser below 64; or in threads' registers
 * (rader_halves_kernel.cuh), where P - 1 is twice a product of small odd numbers that is listed.
 * Lines whose length itself is a product of two such numbers are transformed by the same products
 * (Good 1958), unless stockham has them. What bounds it is latency: a line is a block, whose warps
 * wait for each other six times.
 */

namespace
{

enum { LEAST = 16, MOST_COLUMNS = 63, MOST_ROWS = 127, SHARED = 227 << 10 };

bool is_smooth(int number)
{
    for (int prime : {2, 3, 5, 7})
        while (number % prime == 0) number /= prime;
    return number == 1;
}

/* Of so many numbers as a matrix the squarest one; length 0: there is none. */
ndft_rader_shape matrix_of(int length, int numbers, int most_columns)
{
    ndft_rader_shape shape = {};
    for (int columns = LEAST; columns <= most_columns; columns++) {
        const int rows = numbers / columns;
        if (numbers % columns || rows < columns || rows > MOST_ROWS || std::gcd(rows, columns) > 1)
            continue;
        const int pitch = rows | 1;
        const ndft_rader_shape tried = {length, columns, rows, pitch, (columns * pitch + 1) / 2 * 2,
                                        0,      0};
        if (ndft_rader_layout(tried).end <= SHARED) shape = tried;
    }
    return shape;
}

/* Halves, else one matrix; length 0: there is none. */
ndft_rader_shape shape_of(int64_t length)
{
    const ndft_rader_shape shape = ndft_rader_halves_of(length);
    if (shape.length > 0 || length < 2 || length > MOST_ROWS * MOST_ROWS) return shape;
    const int number = (int)length;
    if (ndft_generator_of(number)) return matrix_of(number, number - 1, MOST_COLUMNS);
    return is_smooth(number) ? shape : matrix_of(number, number, MOST_ROWS);
}

/* Bytes that each block copies. */
int table_of(const ndft_rader_shape &s)
{
    if (s.first == 0) return ndft_rader_layout(s).cells;
    return ndft_rader_halves_layout({s.columns, s.first, s.rows / s.first}).table;
}

struct rader_plan : ndft_base_plan {
    ndft_axes axes;
    ndft_rader lines[3];
    ndft_rader_form form[3];

    ndft_status prepare(const ndft_problem *p, const int *, unsigned)
    {
        axes = ndft_axes_of(ndft_transform_of(p), true);
        NDFT_TRY(ndft_axes_reserve(&arrays, prec, &axes));
        for (int i = 0; i < axes.passes; i++) NDFT_TRY(place(axes.pass[i], i));
        return NDFT_OK;
    }

    ndft_status place(const ndft_pass &pass, int i)
    {
        ndft_rader_shape shape = shape_of(pass.length);
        shape.generator = ndft_generator_of(shape.length);
        form[i] = ndft_rader_choose(shape);
        char *table = nullptr;
        NDFT_TRY(ndft_reserve(&arrays, "the table of a convolution", form[i].table, &table));
        NDFT_TRY(ndft_rader_build(arrays.exec, shape, pass.sign, table));
        lines[i] = {pass, shape, table};
        return ndft_allow_shared(arrays.exec, (const void *)form[i].kernel, (size_t)form[i].end);
    }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        NDFT_TRY(ndft_axes_copy(arrays.exec, prec, axes, in));
        for (int i = 0; i < axes.passes; i++)
            NDFT_TRY(ndft_launch_early(
                arrays.exec, dim3((unsigned)lines[i].pass.lines), dim3((unsigned)form[i].threads),
                (size_t)form[i].end, form[i].kernel, lines[i],
                (const float *)ndft_pass_from(&axes, i, in), (float *)ndft_pass_to(&axes, i, out)));
        return NDFT_OK;
    }

    void chosen(char *text, size_t size) const
    {
        int64_t columns[3], rows[3];
        for (int i = 0; i < axes.passes; i++)
            columns[i] = lines[i].shape.columns, rows[i] = lines[i].shape.rows;
        ndft_chosen_add(text, size, "columns", columns, axes.passes);
        ndft_chosen_add(text, size, "rows", rows, axes.passes);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *)
{
    const ndft_transform *t = ndft_transform_of(p);
    if (device->code != 90) return "its products need code built for compute capability 9.0";
    if (p->prec != NDFT_F32) return "its products are of f16: f32 alone";
    if (t->domain != NDFT_C2C) return "it has no real lines";
    const ndft_axes axes = ndft_axes_of(t, true);
    for (int i = 0; i < axes.passes; i++)
        if (shape_of(axes.pass[i].length).length == 0)
            return "an axis is no prime P with P - 1 = A B, A and B coprime, 16 to 63 and A to "
                   "127, nor one of 15 with P - 1 = 2 A R S, and no such product of 16 to 127 each";
    return ndft_axes_unsupported(axes);
}

/* How often a line's rows and columns are transformed. */
int ways_of(const ndft_rader_shape &shape) { return shape.is_product() ? 1 : 2; }

/* Of each pass two folded products each way one after the other, in units of roundoff as
 * uniform_gemm counts them, which are independent of each other, or what fast transforms round. */
double rounding(const ndft_problem *p, const int *)
{
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), true);
    double units = 0;
    for (int i = 0; i < axes.passes; i++) {
        const ndft_rader_shape shape = shape_of(axes.pass[i].length);
        const double rows = 2 + 3 * ndft_rader_steps(shape.rows);
        const double columns = 2 + 3 * ndft_rader_steps(shape.columns);
        units += shape.first ? 16 * log2(2. * shape.length)
                             : ways_of(shape) * (rows * rows + columns * columns);
    }
    return sqrt(units) * ndft_roundoff(p->prec);
}

/* Whatever the data, products of parts add what is cut off. */
double worst(const ndft_problem *p, ndft_op, const int *k)
{
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), true);
    int products = 0;
    for (int i = 0; i < axes.passes; i++) products += !shape_of(axes.pass[i].length).first;
    return 4 * rounding(p, k) + 12 * products * NDFT_ANY_SPLIT * ndft_roundoff(p->prec);
}

/* Of lines in tiles of 32 as uniform_gemm counts them: rows and columns, of primes there and back.
 */
void add_products(const ndft_rader_shape &shape, double lines, ndft_cost *cost)
{
    const double of_rows = 16. * ndft_rader_steps(shape.rows);
    const double of_columns = 16. * ndft_rader_steps(shape.columns);
    const double rows = lines * ways_of(shape) * ceil(shape.columns / 32.) * 64 * of_rows;
    const double columns = lines * ways_of(shape) * ceil(shape.rows / 32.) * 64 * of_columns;
    cost->tensor += 3 * 2 * (rows * of_rows + columns * of_columns);
    cost->fma += 4 * (rows + columns);
    cost->add += 5 * (rows + columns);
    cost->integer += 4 * (rows + columns);
    cost->issue_slots += 22 * (rows + columns);
    cost->shared_bytes += 8 * (rows + columns) + 32 * lines * shape.length;
}

/* By the assembler's text for 1 + 2 11 9 9, products of odd lengths by the number. */
void add_halves(const ndft_rader_shape &shape, double lines, ndft_cost *cost)
{
    const double cells = lines * (shape.length - 1);
    const double factors = shape.columns + shape.first + (double)shape.rows / shape.first;
    cost->fma += (2 * factors - 8) * cells;
    cost->add += 30 * cells;
    cost->integer += 20 * cells;
    cost->issue_slots += (2 * factors + 110) * cells;
    cost->shared_bytes += 8 * 15 * cells;
}

ndft_cost cost(const ndft_problem *p, ndft_op, const int *)
{
    const ndft_transform *t = ndft_transform_of(p);
    const ndft_axes axes = ndft_axes_of(t, true);
    const double bytes = ndft_axes_bytes(t, true);
    ndft_cost cost = {};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_rader_shape shape = shape_of(axes.pass[i].length);
        const double lines = (double)axes.pass[i].lines;
        (shape.first ? add_halves : add_products)(shape, lines, &cost);
        cost.l2_bytes += lines * table_of(shape);
        cost.threads = fmax(cost.threads, lines);
    }
    cost.dram_bytes = bytes;
    cost.l2_bytes += bytes;
    cost.launches = axes.passes + (axes.copies ? 1 : 0);
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_rader_cuda = {
    .name = "rader",
    .backend = "cuda",
    .summary =
        "prime lengths as cyclic convolutions, and products of two coprime numbers, by matrix "
        "products on tensor cores or in registers",
    .ops = NDFT_FORWARD,
    .claim = {.c = 4,
              .truncation = rounding,
              .any = {.c = 1, .chain = ndft_no_chain, .truncation = worst},
              .deterministic = true},
    NDFT_WITH_CALLBACKS(ndft_make_plan<rader_plan>, unsupported, cost),
    .chosen = ndft_chosen_plan,
};
