/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_STAGE_CUH
#define NDFT_COIL_STAGE_CUH

#include "coil_phasors.cuh"
#include "core/bulk.cuh"
#include "core/copies.cuh"

#include <type_traits>

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
        for (int i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
            ndft_copy_ahead(to + i, from + i);
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
        ndft_close_copies();
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
        ndft_wait_for_copies<NDFT_COIL_STAGES - 2>();
        __syncthreads();
        fetch();
        return shared + used++ % NDFT_COIL_STAGES * chunk::BYTES;
    }

    /* The warp has done with what it took: the next barrier tells. */
    __device__ __forceinline__ void release() {}
};

/*
 * Chunks by the bulk copies of compute capability 9.0: one thread asks for a chunk, a barrier in
 * memory tells that it has come. The warps of a block need not wait for each other. What comes to a
 * chunk's place is asked for by thread 0, which waits until all warps have left it; or PASSED, by
 * the last warp that leaves it.
 */
template <class C, bool PASSED> struct ndft_coil_bulk_copies {
    using chunk = ndft_coil_chunk<C>;
    struct alignas(16) control {
        ndft_bulk_barrier full[NDFT_COIL_STAGES];
        /* Warps that have left, ever, or a barrier of them. */
        std::conditional_t<PASSED, unsigned, ndft_bulk_barrier> gone[NDFT_COIL_STAGES];
        /* Of who asks: which chunk is next, how many are left, how many were asked for ever. */
        int group, next, left;
        unsigned made;
    };
    static constexpr int CONTROL = NDFT_COIL_STAGES * chunk::BYTES;
    static constexpr int SHARED = CONTROL + (int)sizeof(control);

    const ndft_coil_side &s;
    unsigned char *shared;
    unsigned used; /* chunks ever */

    __device__ __forceinline__ control &state() const { return *(control *)(shared + CONTROL); }

    __device__ ndft_coil_bulk_copies(const ndft_coil_side &s, unsigned char *shared)
        : s(s), shared(shared), used(0)
    {
        if (threadIdx.x == 0) {
            state().made = 0;
            for (int i = 0; i < NDFT_COIL_STAGES; i++) {
                state().full[i].begin();
                if constexpr (PASSED)
                    state().gone[i] = 0;
                else
                    state().gone[i].begin(blockDim.x / 32);
            }
            ndft_bulk_barriers_begun();
        }
        if (!PASSED) __syncthreads();
    }

    /* One thread: asks for the next chunk, if one is left, when all warps have left its place. */
    __device__ __forceinline__ void fetch()
    {
        control &c = state();
        if (c.left == 0) return;
        const unsigned place = c.made % NDFT_COIL_STAGES, round = c.made / NDFT_COIL_STAGES;
        unsigned char *const to = shared + place * chunk::BYTES;
        if constexpr (!PASSED)
            if (round > 0) c.gone[place].wait(round - 1);
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
        if (PASSED) __syncthreads(); /* all warps have left all places */
        if (threadIdx.x != 0) return;
        state().group = group;
        state().next = first;
        state().left = count;
        for (int i = PASSED ? 0 : 1; i < NDFT_COIL_STAGES; i++) fetch();
    }

    __device__ __forceinline__ const unsigned char *take()
    {
        const unsigned place = used % NDFT_COIL_STAGES;
        if (!PASSED) {
            if (threadIdx.x == 0) fetch();
            __syncwarp();
        }
        state().full[place].wait(used / NDFT_COIL_STAGES);
        used++;
        return shared + place * chunk::BYTES;
    }

    /* The warp has done with the chunk that it took. Lane 0 tells for all of them: what the others
     * have read must come before, which an arrival of its own does not order. */
    __device__ __forceinline__ void release()
    {
        __syncwarp();
        if (threadIdx.x % 32 != 0) return;
        auto &gone = state().gone[(used - 1) % NDFT_COIL_STAGES];
        if constexpr (PASSED) {
            unsigned before;
            asm volatile("atom.acq_rel.cta.shared.add.u32 %0, [%1], 1;"
                         : "=r"(before)
                         : "r"(ndft_shared_address(&gone))
                         : "memory");
            if ((before + 1) % (blockDim.x / 32) == 0) fetch();
        } else {
            gone.arrive();
        }
    }
};

template <class C> using ndft_coil_bulk = ndft_coil_bulk_copies<C, false>;
template <class C> using ndft_coil_passed = ndft_coil_bulk_copies<C, true>;

#endif
