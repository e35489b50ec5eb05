/* SPDX-License-Identifier: Apache-2.0 */
#include "peak_loop.h"

/*
 * Whole vectors in registers, as many chains as hide an instruction's latency and as the sixteen
 * registers of x86-64-v3 hold. A multiply-add takes a to y - a and back; where there is no FMA it
 * is a product and a sum, and counts as one.
 */

#if defined __AVX512F__
enum { BYTES = 64, FMAS = 8, SUMS = 8 };
#elif defined __AVX__
enum { BYTES = 32, FMAS = 6, SUMS = 6 };
#else
enum { BYTES = 16, FMAS = 6, SUMS = 6 };
#endif
enum { LANES = BYTES / sizeof(ndft_real), CHAINS = 12 };

typedef ndft_real vector __attribute__((vector_size(BYTES), may_alias));

static inline void begin(const void *in, vector *v, int n)
{
    for (int i = 0; i < n; i++) v[i] = *(const vector *)in * (ndft_real)(i + 1);
}

static inline void end(const vector *v, int n, void *out)
{
    vector sum = v[0];
    for (int i = 1; i < n; i++) sum += v[i];
    *(vector *)out = sum;
}

static inline void fma_once(vector *v, vector minus, vector y)
{
    for (int i = 0; i < CHAINS; i++) v[i] = v[i] * minus + y;
}

static inline void fma_4(vector *v, vector minus, vector y)
{
    fma_once(v, minus, y);
    fma_once(v, minus, y);
    fma_once(v, minus, y);
    fma_once(v, minus, y);
}

double NDFT_LOOP(peak_fma)(const void *in, double minus, int rounds, void *out)
{
    vector v[CHAINS], by = (ndft_real)minus + (vector){0}, y = *(const vector *)in;
    begin(in, v, CHAINS);
    for (int i = 0; i < rounds; i++) {
        fma_4(v, by, y);
        fma_4(v, by, y);
    }
    end(v, CHAINS, out);
    return 8.0 * CHAINS * LANES * rounds;
}

static inline void add_2(vector *v, vector there, vector back)
{
    for (int i = 0; i < CHAINS; i++) v[i] += there;
    for (int i = 0; i < CHAINS; i++) v[i] += back;
}

double NDFT_LOOP(peak_add)(const void *in, double minus, int rounds, void *out)
{
    vector v[CHAINS], there = *(const vector *)in, back = there * (ndft_real)minus;
    begin(in, v, CHAINS);
    for (int i = 0; i < rounds; i++) {
        add_2(v, there, back);
        add_2(v, there, back);
        add_2(v, there, back);
        add_2(v, there, back);
    }
    end(v, CHAINS, out);
    return 8.0 * CHAINS * LANES * rounds;
}

/* Multiply-adds with additions in between. */
static inline void issue_2(vector *v, vector minus, vector y)
{
    for (int i = 0; i < FMAS; i++) {
        v[i] = v[i] * minus + y;
        if (i < SUMS) v[FMAS + i] += y;
    }
    for (int i = 0; i < FMAS; i++) {
        v[i] = v[i] * minus + y;
        if (i < SUMS) v[FMAS + i] -= y;
    }
}

static inline void issue_8(vector *v, vector minus, vector y)
{
    issue_2(v, minus, y);
    issue_2(v, minus, y);
    issue_2(v, minus, y);
    issue_2(v, minus, y);
}

double NDFT_LOOP(peak_issue)(const void *in, double minus, int rounds, void *out)
{
    vector v[FMAS + SUMS], by = (ndft_real)minus + (vector){0}, y = *(const vector *)in;
    begin(in, v, FMAS + SUMS);
    for (int i = 0; i < rounds; i++) {
        issue_8(v, by, y);
        issue_8(v, by, y);
    }
    end(v, FMAS + SUMS, out);
    return 16.0 * (FMAS + SUMS) * LANES * rounds;
}

static inline void read_16(const vector *at, vector *v)
{
    for (int i = 0; i < 16; i++) v[i % 8] += at[i];
}

static inline void read_64(const vector *at, vector *v)
{
    read_16(at, v);
    read_16(at + 16, v);
    read_16(at + 32, v);
    read_16(at + 48, v);
}

double NDFT_LOOP(peak_read)(const void *memory, size_t bytes, int rounds, void *out)
{
    vector v[8] = {{0}};
    for (int i = 0; i < rounds; i++)
        for (size_t at = 0; at < bytes; at += 128 * BYTES) {
            const vector *from = (const vector *)((const char *)memory + at);
            read_64(from, v);
            read_64(from + 64, v);
        }
    end(v, 8, out);
    return (double)bytes * rounds;
}
