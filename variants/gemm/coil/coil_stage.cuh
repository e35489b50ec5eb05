/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_STAGE_CUH
#define NDFT_COIL_STAGE_CUH

#include "coil_phasors.cuh"
#include "core/bulk.cuh"

/*
 * Inputs on their way into shared memory: two chunks, of which one comes while the other is worked
 * on. A chunk is its data, then its coordinates. Copies are by cp.async of all threads, for compute
 * capability 8.0, or in bulk, of 9.0. After the last chunk of a group comes its first one.
 */

enum { NDFT_COIL_STAGES = 2 };

template <class C> struct ndft_coil_chunk {
    static constexpr int DATA = C::STEPS * C::STEP_BYTES;
    static constexpr int COORDS = C::CHUNK * C::ROWS * (int)sizeof(float);
    static constexpr int BYTES = DATA + COORDS;

    /* Of a group. */
    static __device__ int number(const ndft_coil_side &s)
    {
        return s.n_tiles * (s.tile / C::CHUNK);
    }

    static __device__ const unsigned char *data(const ndft_coil_side &s, int group, int chunk)
    {
        return (const unsigned char *)s.data + ((int64_t)group * number(s) + chunk) * DATA;
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
    int group, next, left; /* of chunks */
    unsigned made, used;   /* in this segment */

    __device__ ndft_coil_copies(const ndft_coil_side &s, unsigned char *shared)
        : s(s), shared(shared)
    {
    }

    static __device__ __forceinline__ void copy(unsigned char *to, const unsigned char *from,
                                                int bytes)
    {
        const unsigned at = ndft_shared_address(to);
        for (int i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + i), "l"(from + i)
                         : "memory");
    }

    /* Begins to copy chunk `next`, if one is left, to the place of the last one used. */
    __device__ __forceinline__ void fetch()
    {
        unsigned char *const to = shared + made++ % NDFT_COIL_STAGES * chunk::BYTES;
        if (left > 0) {
            copy(to, chunk::data(s, group, next), chunk::DATA);
            copy(to + chunk::DATA, chunk::coords(s, next), chunk::COORDS);
            next = next + 1 < chunk::number(s) ? next + 1 : 0;
            left--;
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }

    /* So many chunks of a group are to be taken, from `first` on. */
    __device__ __forceinline__ void begin(int of_group, int first, int count)
    {
        group = of_group;
        next = first;
        left = count;
        made = used = 0;
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

/*
 * Chunks by the bulk copies of compute capability 9.0: one thread asks for a
 * chunk, a barrier in memory tells that it has come, and another that all warps have left it. The
 * warps of a block need not wait for each other.
 */
template <class C> struct ndft_coil_bulk {
    using chunk = ndft_coil_chunk<C>;
    struct alignas(16) control {
        ndft_bulk_barrier full[NDFT_COIL_STAGES], empty[NDFT_COIL_STAGES];
        /* Of thread 0: which chunk is next, how many are left, how many it asked for ever. */
        int group, next, left;
        unsigned made;
    };
    static constexpr int CONTROL = NDFT_COIL_STAGES * chunk::BYTES;
    static constexpr int SHARED = CONTROL + (int)sizeof(control);

    const ndft_coil_side &s;
    unsigned char *shared;
    unsigned used; /* chunks ever */

    __device__ __forceinline__ control &state() const { return *(control *)(shared + CONTROL); }

    __device__ ndft_coil_bulk(const ndft_coil_side &s, unsigned char *shared)
        : s(s), shared(shared), used(0)
    {
        if (threadIdx.x == 0) {
            state().made = 0;
            for (int i = 0; i < NDFT_COIL_STAGES; i++) {
                state().full[i].begin();
                state().empty[i].begin(blockDim.x / 32);
            }
            ndft_bulk_barriers_begun();
        }
        __syncthreads();
    }

    /* Thread 0: asks for the next chunk, when all warps have left its place. */
    __device__ __forceinline__ void fetch()
    {
        control &c = state();
        if (c.left == 0) return;
        const unsigned place = c.made % NDFT_COIL_STAGES, round = c.made / NDFT_COIL_STAGES;
        unsigned char *const to = shared + place * chunk::BYTES;
        if (round > 0) c.empty[place].wait(round - 1);
        c.full[place].expect(chunk::BYTES);
        c.full[place].copy(to, chunk::data(s, c.group, c.next), chunk::DATA);
        c.full[place].copy(to + chunk::DATA, chunk::coords(s, c.next), chunk::COORDS);
        c.next = c.next + 1 < chunk::number(s) ? c.next + 1 : 0;
        c.left--;
        c.made++;
    }

    /* So many chunks of a group are to be taken, from `first` on. */
    __device__ __forceinline__ void begin(int group, int first, int count)
    {
        if (threadIdx.x != 0) return;
        state().group = group;
        state().next = first;
        state().left = count;
        fetch();
    }

    __device__ __forceinline__ const unsigned char *take()
    {
        const unsigned place = used % NDFT_COIL_STAGES;
        if (threadIdx.x == 0) fetch();
        __syncwarp();
        state().full[place].wait(used / NDFT_COIL_STAGES);
        used++;
        return shared + place * chunk::BYTES;
    }

    /* The warp has done with the chunk that it took. Lane 0 tells for all of them: what the others
     * have read must come before, which an arrival of its own does not order. */
    __device__ __forceinline__ void release()
    {
        __syncwarp();
        if (threadIdx.x % 32 == 0) state().empty[(used - 1) % NDFT_COIL_STAGES].arrive();
    }
};

#endif
