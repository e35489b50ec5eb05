/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_STAGE_CUH
#define NDFT_COIL_STAGE_CUH

#include "coil_phasors.cuh"

/*
 * Inputs on their way into shared memory: two chunks, of which one comes while the other is worked
 * on. A chunk is its data, then its coordinates. Copies are by cp.async of all threads, for compute
 * capability 8.0; coil_bulk.cuh has those of 9.0.
 */

enum { NDFT_COIL_STAGES = 2 };

template <class C> struct ndft_coil_chunk {
    static constexpr int DATA = C::STEPS * C::STEP_BYTES;
    static constexpr int COORDS = C::CHUNK * C::ROWS * (int)sizeof(float);
    static constexpr int BYTES = DATA + COORDS;

    static __device__ const unsigned char *data(const ndft_coil_side &s, int group, int chunk)
    {
        const int64_t at = (int64_t)group * s.n_tiles * (s.tile / C::CHUNK) + chunk;
        return (const unsigned char *)s.data + at * DATA;
    }
    static __device__ const unsigned char *coords(const ndft_coil_side &s, int chunk)
    {
        return (const unsigned char *)s.coords + (int64_t)chunk * COORDS;
    }
};

template <class C> struct ndft_coil_copies {
    using chunk = ndft_coil_chunk<C>;
    static constexpr int SHARED = NDFT_COIL_STAGES * chunk::BYTES;

    const ndft_coil_side &s;
    unsigned char *shared;
    int group, next, end, used;

    __device__ ndft_coil_copies(const ndft_coil_side &s, unsigned char *shared)
        : s(s), shared(shared)
    {
    }

    static __device__ __forceinline__ void copy(unsigned char *to, const unsigned char *from,
                                                int bytes)
    {
        const unsigned at = (unsigned)__cvta_generic_to_shared(to);
        for (int i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + i), "l"(from + i)
                         : "memory");
    }

    /* Begins to copy chunk `next`, if there is one, to the place of the last one used. */
    __device__ __forceinline__ void fetch()
    {
        unsigned char *const to = shared + next % NDFT_COIL_STAGES * chunk::BYTES;
        if (next < end) {
            copy(to, chunk::data(s, group, next), chunk::DATA);
            copy(to + chunk::DATA, chunk::coords(s, next), chunk::COORDS);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        next++;
    }

    /* The chunks first..last-1 of a group are to be taken, one after the other. */
    __device__ __forceinline__ void begin(int of_group, int first, int last)
    {
        group = of_group;
        next = used = first;
        end = last;
        __syncthreads();
        for (int i = 0; i < NDFT_COIL_STAGES - 1; i++) fetch();
    }

    __device__ __forceinline__ const unsigned char *take()
    {
        asm volatile("cp.async.wait_group %0;" ::"n"(NDFT_COIL_STAGES - 2) : "memory");
        __syncthreads();
        fetch();
        return shared + used++ % NDFT_COIL_STAGES * chunk::BYTES;
    }

    /* The warp has done with what it took: the next barrier tells. */
    __device__ __forceinline__ void release() {}
};

#endif
