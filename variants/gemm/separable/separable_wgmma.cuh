/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_WGMMA_CUH
#define NDFT_SEPARABLE_WGMMA_CUH

#include "core/bulk.cuh"
#include "core/wgmma.cuh"
#include "separable_block.cuh"

/*
 * What both directions of separable_gemm share by wgmma, of compute capability 9.0a: four warps
 * have 64 rows, which are the left operand, made in registers. The phasors along x are the right
 * one and come in bulk copies. A row's phasor is that of its group of eight rows times that of its
 * place in the group, which is a table of the plan.
 */
struct ndft_separable_wgmma : ndft_wgmma_unit {
    using complex = ndft_complex<float>;
    enum { THREADS = 128, ROWS = 64, GROUPS = ROWS / NDFT_GROUP_ROWS, PARTS = 4 };
    static constexpr float TOP = ndft_mode_f16x3::TOP;

    /* 64 rows of 16 inputs: a lane's rows g and g + 8 of its warp's, inputs 4l..4l+3. */
    struct operand {
        unsigned hi[4], lo[4];

        __device__ __forceinline__ void set(int row, const float (&x)[4])
        {
            ndft_split_f16(x[0], x[1], hi[row], lo[row]);
            ndft_split_f16(x[2], x[3], hi[2 + row], lo[2 + row]);
        }
    };

    /* Vectors of a right operand of 16 inputs, one of the parts cos hi, cos lo, sin hi, sin lo. */
    static constexpr __host__ __device__ int part_vecs(int columns) { return 2 * columns; }

    /* Place of eight inputs of a column in it, and the input that is the p-th of them. */
    static __device__ __forceinline__ int vec(int column, int half)
    {
        return column / 8 * 16 + half * 8 + column % 8;
    }
    static __device__ __forceinline__ int input(int half, int p)
    {
        return p / 2 * 4 + half * 2 + p % 2;
    }

    static __device__ __forceinline__ uint64_t right(unsigned address)
    {
        return descriptor(address, 128, 256);
    }

    /* sum += a b, split into two numbers each; the first of its products sets it. */
    template <int BLOCKS>
    static __device__ __forceinline__ void add(float (&sum)[BLOCKS][4], const operand &a,
                                               uint64_t b, bool first)
    {
        constexpr int LOW = part_vecs(8 * BLOCKS);
        multiply(sum, a.lo, b, !first);
        multiply(sum, a.hi, b + LOW, 1);
        multiply(sum, a.hi, b, 1);
    }

    static __device__ __forceinline__ void settle_operand(operand &a)
    {
        settle(a.hi);
        settle(a.lo);
    }

    /* Angle by which a unit's time is after another's, for each rad/s. */
    static __device__ __forceinline__ float angle(complex time, complex first)
    {
        return 6.2831853f * ((time.re - first.re) + (time.im - first.im));
    }

    /* Units from `begin` to before this are so near in time that their field's phases need no
     * reduction against that of the first. */
    static __device__ __forceinline__ int span_end(const ndft_separable<float> &s, int begin,
                                                   int end)
    {
        const float first = s.times[begin].re;
        float last = s.times[end - 1].re;
        while (end - begin > 1 && last - first > s.span) {
            end = begin + (end - begin) / 2;
            last = s.times[end - 1].re;
        }
        return end;
    }

    static __device__ __forceinline__ complex phasor(float phase)
    {
        complex z;
        __sincosf(phase, &z.im, &z.re);
        return z;
    }

    /* By which sums of so many inputs are too small, since tensor cores cut off. */
    static constexpr __device__ float whole(int inputs) { return 1 + 0x1p-28f * (float)inputs; }

    /* Centred (y, z) of the first row of a slab's group. */
    static __device__ __forceinline__ complex group_place(const ndft_slabs &s, int64_t slab,
                                                          int group)
    {
        const int r = (int)slab / s.along_x * ROWS + group * NDFT_GROUP_ROWS;
        const int nz = (int)s.rows_total / s.plane_rows;
        return {(float)(r % s.plane_rows - s.ny / 2), (float)(r / s.plane_rows - nz / 2)};
    }
};

/* A thread per phasor exp(+i phase along y) of a row of a group: [unit][row][sample]. */
static __global__ void ndft_build_babies(const ndft_sample_turns<float> *samples, int size,
                                         int64_t count, ndft_complex<float> *babies)
{
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const int width = size + NDFT_BABY_PAD, row = (int)(at / width % NDFT_GROUP_ROWS);
    const int64_t unit = at / width / NDFT_GROUP_ROWS;
    const auto &sample = samples[unit * size + min((int)(at % width), size - 1)];
    const double turns = row * ((double)sample.y_hi + (double)sample.y_lo);
    double cosine, sine;
    sincospi(2 * (turns - rint(turns)), &sine, &cosine);
    babies[at] = {(float)cosine, (float)sine};
}

/* As ndft_own_voxel. */
inline int64_t ndft_own_voxel_wgmma(const ndft_slabs &s, int64_t slab, int thread, int i,
                                    ndft_op op)
{
    const bool forward = op == NDFT_FORWARD;
    const int lane = thread % 32, g = lane / 4, l = lane % 4, warp = thread / 32;
    const int column = forward ? i / 16 * 16 + 4 * l + i / 2 % 4 : i / 8 * 8 + 2 * l + i / 2 % 2;
    const int row = 16 * warp + (forward ? i / 8 : i / 4) % 2 * 8 + g;
    return ndft_slabs_voxel(&s, slab, row, column / 16, column % 16, i % 2);
}

/* The phasors of a plan along x, [along_x][n_units][blocks][part][vector]: a block is 16 columns of
 * the row for all samples, or for the adjoint 16 samples for all columns of a slab. A thread makes
 * eight inputs of a column of the operand. x: kx/nx of each sample in turns, hi and lo; order: -1
 * where there is no sample. */
template <bool ADJOINT>
__global__ void ndft_build_phasors_wgmma(ndft_slabs s, int64_t n_units, int tiles, const double2 *x,
                                         const int32_t *order, uint4 *phasors)
{
    using unit = ndft_separable_wgmma;
    const int width = s.chunks * NDFT_CHUNK_COLUMNS, size = 16 * tiles;
    const int columns = ADJOINT ? width : size, blocks = ADJOINT ? tiles : s.chunks;
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int half = (int)(thread % 2), column = (int)(thread / 2 % columns);
    const int64_t at = thread / 2 / columns, block = at % blocks, of = at / blocks;
    const int64_t unit_at = of % n_units, along = of / n_units;
    if (along >= s.along_x) return;
    alignas(16) __half value[unit::PARTS][8];
    for (int p = 0; p < 8; p++) {
        const int64_t in = block * 16 + unit::input(half, p);
        const int64_t place = unit_at * size + (ADJOINT ? in : column);
        const double u =
            (double)(along * width + (ADJOINT ? column : in)) + (s.nx % 2 == 0 ? 0.5 : 0.0);
        double cosine = 0, sine = 0;
        if (order[place] >= 0) {
            const double whole = rint(u * x[place].x);
            sincospi(2 * fma(u, x[place].y, fma(u, x[place].x, -whole)), &sine, &cosine);
        }
        for (int i = 0; i < unit::PARTS; i++)
            value[i][p] = ndft_mode_f16x3::part((double)unit::TOP * (i < 2 ? cosine : sine), i % 2);
    }
    uint4 *to = phasors + at * unit::PARTS * unit::part_vecs(columns) + unit::vec(column, half);
    for (int i = 0; i < unit::PARTS; i++)
        to[i * unit::part_vecs(columns)] = *(const uint4 *)value[i];
}

#endif
