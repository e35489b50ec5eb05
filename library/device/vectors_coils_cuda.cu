/* SPDX-License-Identifier: Apache-2.0 */
#include "base/launched.cuh"
#include "vectors_cuda.cuh"

/* Images of coils and maps (ndft_backend's weigh and combine). A thread has a voxel and some coils,
 * neighbours are in one warp, and planar vectors are read and written line by line: bound by
 * memory. Of interleaved ones a thread reads a line of its own, coil after coil, from the cache. A
 * block's groups of coils are added in order, so that sums are the same from run to run. */

namespace
{

enum { THREADS = 256, COILS_A_BLOCK = 8, VOXELS = 32, GROUPS = 8 };

template <class R2>
__global__ void weigh_images(ndft_placement all, const R2 *__restrict__ maps,
                             const R2 *__restrict__ image, R2 *__restrict__ images)
{
    const int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * COILS_A_BLOCK;
    const int past = min(first + COILS_A_BLOCK, all.coils);
    if (v >= all.length) return;
    const R2 x = image[v];
#pragma unroll 4
    for (int c = first; c < past; c++) {
        const int64_t at = v * all.element + c * all.coil;
        const R2 s = maps[at];
        images[at] = R2{s.x * x.x - s.y * x.y, s.x * x.y + s.y * x.x};
    }
}

template <class R2>
__global__ void combine_images(ndft_placement all, const R2 *__restrict__ maps,
                               const R2 *__restrict__ images, R2 *__restrict__ image)
{
    __shared__ R2 parts[GROUPS][VOXELS];
    const int64_t v = (int64_t)blockIdx.x * VOXELS + threadIdx.x;
    const int coils = v < all.length ? all.coils : 0;
    R2 sum = {0, 0};
#pragma unroll 4
    for (int c = threadIdx.y; c < coils; c += GROUPS) {
        const int64_t at = v * all.element + c * all.coil;
        const R2 s = maps[at], z = images[at];
        sum.x += s.x * z.x + s.y * z.y;
        sum.y += s.x * z.y - s.y * z.x;
    }
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || v >= all.length) return;
    for (int g = 1; g < GROUPS; g++) {
        sum.x += parts[g][threadIdx.x].x;
        sum.y += parts[g][threadIdx.x].y;
    }
    image[v] = sum;
}

unsigned blocks_for(int64_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

} // namespace

ndft_status ndft_cuda::weigh(ndft_exec *exec, ndft_prec prec, const ndft_placement *all,
                             const void *maps, const void *image, void *images)
{
    const dim3 blocks(blocks_for(all->length),
                      (unsigned)((all->coils + COILS_A_BLOCK - 1) / COILS_A_BLOCK));
    if (prec == NDFT_F32)
        weigh_images<<<blocks, THREADS, 0, stream_of(exec)>>>(
            *all, (const float2 *)maps, (const float2 *)image, (float2 *)images);
    else
        weigh_images<<<blocks, THREADS, 0, stream_of(exec)>>>(
            *all, (const double2 *)maps, (const double2 *)image, (double2 *)images);
    return check(exec, ndft_launch_error(), "images of coils");
}

ndft_status ndft_cuda::combine(ndft_exec *exec, ndft_prec prec, const ndft_placement *all,
                               const void *maps, const void *images, void *image)
{
    const unsigned blocks = (unsigned)((all->length + VOXELS - 1) / VOXELS);
    const dim3 threads(VOXELS, GROUPS);
    if (prec == NDFT_F32)
        combine_images<<<blocks, threads, 0, stream_of(exec)>>>(
            *all, (const float2 *)maps, (const float2 *)images, (float2 *)image);
    else
        combine_images<<<blocks, threads, 0, stream_of(exec)>>>(
            *all, (const double2 *)maps, (const double2 *)images, (double2 *)image);
    return check(exec, ndft_launch_error(), "a sum over coils");
}
