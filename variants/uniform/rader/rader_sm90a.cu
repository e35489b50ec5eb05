/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "core/dispatch.cuh"
#include "rader_halves_kernel.cuh"
#include "rader_kernel.cuh"

#include <utility>

/* The kernels of rader, for compute capability 9.0a, whose instructions no other has. */

namespace
{

__device__ int power_of(int64_t base, int exponent, int modulus)
{
    int64_t power = 1;
    for (; exponent; exponent /= 2, base = base * base % modulus)
        if (exponent % 2) power = power * base % modulus;
    return (int)power;
}

/* A thread a number m of the convolution: input g^m lies where number m does, which is (m/rows mod
 * columns, m/columns mod rows), output g^-m likewise; of halves rows and columns count twice, and
 * numbers beyond the middle lie as their mirror images. inverse: of rows modulo columns, and the
 * other way round. */
__global__ void place(ndft_rader_shape s, int inverse_rows, int inverse_columns, uint16_t *input,
                      uint16_t *output)
{
    const int m = (int)(blockIdx.x * blockDim.x + threadIdx.x), all = s.length - 1;
    if (m >= all) return;
    const int column = (int)((int64_t)m * inverse_columns % s.rows);
    const int cell = (int)((int64_t)m * inverse_rows % s.columns) * s.pitch + column;
    const int number = cell + (s.first > 0 && m % 2 == 1 ? NDFT_RADER_ODD : 0);
    const int last = s.first > 0 ? all / 2 : all;
    const int in = power_of(s.generator, m, s.length);
    const int out = power_of(s.generator, (all - m) % all, s.length);
    if (in <= last) input[in] = (uint16_t)number;
    if (out <= last) output[out] = (uint16_t)number;
}

/* Of a product, a thread a number n (Good 1958): input n lies where n/rows modulo columns and
 * n/columns modulo rows say, output n where n itself does. */
__global__ void place_product(ndft_rader_shape s, int inverse_rows, int inverse_columns,
                              uint16_t *input, uint16_t *output)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n >= s.length) return;
    input[n] = (uint16_t)(n * inverse_rows % s.columns * s.pitch + n * inverse_columns % s.rows);
    output[n] = (uint16_t)(n % s.columns * s.pitch + n % s.rows);
}

/* Factors between the passes of a row. */
__global__ void turns(int first, int second, float2 *turn)
{
    const int i = (int)threadIdx.x / second, j = (int)threadIdx.x % second;
    double sine, cosine;
    sincospi(-2. * (i * j) / (first * second), &sine, &cosine);
    turn[threadIdx.x] = {(float)cosine, (float)sine};
}

/* Where number k of a spectrum lies: of halves as their columns' threads read it. */
__device__ int place_of_spectrum(const ndft_rader_shape &s, int k)
{
    if (s.first == 0) return k % s.columns * s.pitch + k % s.rows;
    const int in_row = k % s.rows % s.first * (s.rows / s.first) + k % s.rows / s.first;
    return (k % s.columns * 2 + k % 2) * s.rows + in_row;
}

/* A block a number of the filter: the transform of exp(sign 2 pi i g^-m / P), over P - 1. */
__global__ void filter(ndft_rader_shape s, int sign, float2 *filter)
{
    __shared__ double re[NDFT_RADER_THREADS], im[NDFT_RADER_THREADS];
    const int k = (int)blockIdx.x, all = s.length - 1, thread = threadIdx.x;
    double sum_re = 0, sum_im = 0;
    int root = power_of(s.generator, (all - thread) % all, s.length);
    const int step = power_of(s.generator, all - NDFT_RADER_THREADS % all, s.length);
    for (int m = thread; m < all; m += NDFT_RADER_THREADS) {
        double sine, cosine;
        sincospi(2 * (sign * (double)root / s.length - (double)((int64_t)m * k % all) / all), &sine,
                 &cosine);
        sum_re += cosine;
        sum_im += sine;
        root = (int)((int64_t)root * step % s.length);
    }
    re[thread] = sum_re;
    im[thread] = sum_im;
    for (int apart = NDFT_RADER_THREADS / 2; apart > 0; apart /= 2) {
        __syncthreads();
        if (thread < apart) re[thread] += re[thread + apart], im[thread] += im[thread + apart];
    }
    if (thread == 0) filter[place_of_spectrum(s, k)] = {(float)(re[0] / all), (float)(im[0] / all)};
}

int inverse_of(int number, int modulus)
{
    for (int i = 1; i < modulus; i++)
        if (number % modulus * i % modulus == 1) return i;
    return 0;
}

/* What both forms have of a table. */
void build_numbers(const ndft_rader_shape &s, int sign, cudaStream_t stream, void *to,
                   uint16_t *input, uint16_t *output)
{
    const int times = s.first > 0 ? 2 : 1;
    place<<<ndft_blocks(s.length - 1, 128), 128, 0, stream>>>(
        s, inverse_of(times * s.rows, s.columns), inverse_of(times * s.columns, s.rows), input,
        output);
    filter<<<s.length - 1, NDFT_RADER_THREADS, 0, stream>>>(s, sign, (float2 *)to);
}

template <bool PRIME, int COLUMN_STEPS> ndft_rader_kernel kernel_of(int row_steps)
{
    return ndft_choose<1, 2, 3, 4>(row_steps, [](auto r) -> ndft_rader_kernel {
        if constexpr (decltype(r)::value >= COLUMN_STEPS)
            return ndft_rader_lines<PRIME, COLUMN_STEPS, decltype(r)::value>;
        else
            return nullptr;
    });
}

ndft_rader_form form_of_products(const ndft_rader_shape &shape)
{
    const int rows = ndft_rader_steps(shape.rows), columns = ndft_rader_steps(shape.columns);
    const ndft_rader_layout at(shape);
    const ndft_rader_kernel kernel =
        shape.is_product()
            ? ndft_choose<1, 2, 3, 4>(
                  columns, [rows](auto c) { return kernel_of<false, decltype(c)::value>(rows); })
            : ndft_choose<1, 2>(
                  columns, [rows](auto c) { return kernel_of<true, decltype(c)::value>(rows); });
    return {kernel, NDFT_RADER_THREADS, at.cells, at.end};
}

void build_products(const ndft_rader_shape &shape, int sign, cudaStream_t stream, unsigned char *to)
{
    const ndft_rader_layout at(shape);
    auto *const input = (uint16_t *)(to + at.input), *const output = (uint16_t *)(to + at.output);
    const bool product = shape.is_product();
    const auto build = [&](int length, void *matrix) {
        const int steps = ndft_rader_steps(length);
        const int entries = ndft_wgmma_matrix(steps) / (int)sizeof(__half);
        ndft_build_wgmma<<<ndft_blocks(entries, 128), 128, 0, stream>>>(length, product ? sign : -1,
                                                                        steps, 1, (__half *)matrix);
    };
    build(shape.rows, to);
    build(shape.columns, to + at.of_columns);
    if (product)
        place_product<<<ndft_blocks(shape.length, 128), 128, 0, stream>>>(
            shape, inverse_of(shape.rows, shape.columns), inverse_of(shape.columns, shape.rows),
            input, output);
    else
        build_numbers(shape, sign, stream, to + at.filter, input, output);
}

template <int... I> ndft_rader_form form_of_halves(int length, std::integer_sequence<int, I...>)
{
    ndft_rader_form form = {};
    const auto take = [&](auto i) {
        using L = rader_halves<decltype(i)::value>;
        const ndft_rader_halves_layout at(L::F);
        if (L::LENGTH == length) form = {rader_halves_lines<L>, L::THREADS, at.table, at.end};
    };
    (take(std::integral_constant<int, I>{}), ...);
    return form;
}

void build_halves(const ndft_rader_shape &shape, int sign, cudaStream_t stream, unsigned char *to)
{
    const int second = shape.rows / shape.first;
    const ndft_rader_halves_layout at({shape.columns, shape.first, second});
    auto *const input = (uint16_t *)(to + at.cells);
    turns<<<1, shape.rows, 0, stream>>>(shape.first, second, (float2 *)to);
    build_numbers(shape, sign, stream, to + at.filter, input, input + (shape.length + 1) / 2);
}

} // namespace

ndft_rader_form ndft_rader_choose(const ndft_rader_shape &shape)
{
    if (shape.first == 0) return form_of_products(shape);
    return form_of_halves(shape.length, std::make_integer_sequence<int, ndft_rader_halved>{});
}

ndft_status ndft_rader_build(ndft_exec *exec, const ndft_rader_shape &shape, int sign, void *table)
{
    const cudaStream_t stream = ndft_stream(exec);
    NDFT_TRY(ndft_checked(exec,
                          cudaMemsetAsync(table, 0, (size_t)ndft_rader_choose(shape).table, stream),
                          "the table of a convolution"));
    if (shape.first > 0)
        build_halves(shape, sign, stream, (unsigned char *)table);
    else
        build_products(shape, sign, stream, (unsigned char *)table);
    NDFT_TRY(ndft_launched(exec, "the table of a convolution"));
    return ndft_checked(exec, cudaStreamSynchronize(stream), "the table of a convolution");
}
