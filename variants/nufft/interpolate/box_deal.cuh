/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_BOX_DEAL_CUH
#define NDFT_NUFFT_BOX_DEAL_CUH

#include "interpolate_boxes.cuh"

/*
 * The samples of a part dealt to lanes, so that sixteen of them read without conflicts where they
 * can: two of the same bank of 8, one for each half of the sixteen, or twice as many where banks
 * have run out, and so on; the fullest banks first, for what is left of them at last are conflicts.
 */

namespace
{

/* Edge of a tile. */
__host__ __device__ constexpr int box_tile(int dim)
{
    return dim == 3 ? NDFT_CELL_BOX : 2 * NDFT_CELL_BOX;
}

enum { BOX_SAMPLES = 512, DEAL_WARPS = BOX_SAMPLES / 32, BOX_BANKS = 8 };

/* How many samples of each bank the sixteens of a part have. */
struct box_turns {
    int16_t taken[BOX_SAMPLES / 16 + 1][BOX_BANKS]; /* by those before */
    int of_warp[DEAL_WARPS][2 * BOX_BANKS], all[2 * BOX_BANKS];

    /* By a warp: every eighth lane has the same bank, of which so many samples are left. */
    __device__ __forceinline__ void fill(int left, int count)
    {
        const int bank = threadIdx.x % BOX_BANKS;
        int before = 0;
        for (int turn = 0; turn * 16 < count; turn++) {
            const int wanted = min(16, count - 16 * turn);
            int most = 0, can;
            do {
                most += 2;
                can = min(left, most);
                for (int step = 1; step < BOX_BANKS; step *= 2)
                    can += __shfl_xor_sync(~0u, can, step, BOX_BANKS);
            } while (can < wanted);
            int ahead = 0;
            for (int b = 0; b < BOX_BANKS; b++) {
                const int other = __shfl_sync(~0u, left, b, BOX_BANKS);
                if (other > left || (other == left && b < bank)) ahead += min(other, most);
            }
            const int own = max(0, min(min(left, most), wanted - ahead));
            if (threadIdx.x < BOX_BANKS) taken[turn][bank] = (int16_t)before;
            before += own;
            left -= own;
        }
        if (threadIdx.x < BOX_BANKS) taken[(count + 15) / 16][bank] = (int16_t)before;
    }

    /* The place of the sample of that rank in its bank: of a bank in a turn the even ones are in
     * the first half of the sixteen, a last one in either. */
    __device__ __forceinline__ int place(int bank, int rank, int count) const
    {
        int turn = 0;
        while (taken[turn + 1][bank] <= rank) turn++;
        const int own = rank - taken[turn][bank], wanted = min(16, count - 16 * turn);
        int half = own % 2, in_half[2] = {0, 0}, lone = 0;
        for (int b = 0; b <= bank; b++) {
            const int has = taken[turn + 1][b] - taken[turn][b];
            if (b == bank) {
                if (has % 2 && own == has - 1) half = lone;
                break;
            }
            in_half[0] += has / 2;
            in_half[1] += has / 2;
            in_half[lone] += has % 2;
            lone ^= has % 2;
        }
        return 16 * turn + half * ((wanted + 1) / 2) + in_half[half] + own / 2;
    }
};

/* A part's samples have the same places in the list of those dealt as all before it have. */
__device__ __forceinline__ ndft_nufft_part dealt_part(const ndft_nufft_part &part, int tile_begin)
{
    const int size = part.end - tile_begin, n = part.step, i = part.begin - tile_begin;
    const int shorter = size / n, longer = size - shorter * n;
    const int at = tile_begin + i * shorter + min(i, longer);
    return {part.tile, at, at + shorter + (i < longer), 1};
}

} // namespace

#endif
