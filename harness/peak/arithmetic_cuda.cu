/* SPDX-License-Identifier: Apache-2.0 */
#include "probe_cuda.cuh"

/*
 * Arithmetic: every thread walks a few independent chains, enough of them to hide the latency of an
 * instruction. A chain of multiply-adds turns a point about the origin, a += x b, b -= x a (M.
 * Beeler, R. W. Gosper, R. Schroeppel, HAKMEM, item 149), which neither grows nor settles.
 */

namespace
{

/* Word i of a thread's operands: a value of [1, 2). */
template <class T> __device__ T operand(const float *in, int i)
{
    return (T)in[blockIdx.x * blockDim.x + threadIdx.x + i];
}

template <class T> struct turns {
    static constexpr int CHAINS = 8;
    T a[CHAINS], b[CHAINS], x;

    __device__ explicit turns(const float *in) : x(operand<T>(in, 0) - (T)0.75)
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            a[c] = operand<T>(in, 2 * c + 1);
            b[c] = operand<T>(in, 2 * c + 2);
        }
    }

    __device__ void turn(int c)
    {
        a[c] = fma(x, b[c], a[c]);
        b[c] = fma(-x, a[c], b[c]);
    }

    __device__ T sum() const
    {
        T total = 0;
#pragma unroll
        for (int c = 0; c < CHAINS; c++) total += a[c] + b[c];
        return total;
    }
};

template <class T> struct fma_chains : turns<T> {
    using turns<T>::turns;
    using turns<T>::CHAINS;
    static constexpr int STEPS = 16, UNITS = 2 * CHAINS;

    __device__ void step()
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) this->turn(c);
    }
};

/* The turn by sixths: the same six values for ever. */
template <class T> struct add_chains : turns<T> {
    using turns<T>::turns;
    using turns<T>::CHAINS;
    using turns<T>::a;
    using turns<T>::b;
    static constexpr int STEPS = 16, UNITS = 2 * CHAINS;

    __device__ void step()
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            a[c] += b[c];
            b[c] -= a[c];
        }
    }
};

__device__ void power(float &y) { asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(y)); }
__device__ void logarithm(float &y) { asm("lg2.approx.ftz.f32 %0, %0;" : "+f"(y)); }

/* There and back by turns. Sine and cosine take the same unit, after a product with 1/2pi. */
struct special_chains : turns<float> {
    using turns::turns;
    static constexpr int STEPS = 8, UNITS = 4 * CHAINS;

    __device__ void step()
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) power(a[c]), power(b[c]);
#pragma unroll
        for (int c = 0; c < CHAINS; c++) logarithm(a[c]), logarithm(b[c]);
    }
};

/* What a pair takes at best: one special function with six multiply-adds. */
struct mixed_chains : turns<float> {
    static constexpr int STEPS = 4, UNITS = 8;
    float y[4];

    __device__ explicit mixed_chains(const float *in) : turns(in)
    {
#pragma unroll
        for (int c = 0; c < 4; c++) y[c] = operand<float>(in, 20 + c);
    }

    __device__ void step()
    {
#pragma unroll
        for (int c = 0; c < UNITS; c++) {
            if (c < 4)
                power(y[c]);
            else
                logarithm(y[c - 4]);
            turn(c);
            turn((c + 3) % CHAINS);
            turn((c + 6) % CHAINS);
        }
    }

    __device__ float sum() const { return turns::sum() + y[0] + y[1] + y[2] + y[3]; }
};

/* Sums of three and exclusive ors of three, which only the integer unit does. */
struct integer_chains {
    static constexpr int CHAINS = 8, STEPS = 16, UNITS = 2 * CHAINS;
    unsigned a[CHAINS], b[CHAINS], x;

    __device__ explicit integer_chains(const float *in) : x(word(in, 0))
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            a[c] = word(in, 2 * c + 1);
            b[c] = word(in, 2 * c + 2);
        }
    }

    static __device__ unsigned word(const float *in, int i)
    {
        return __float_as_uint(operand<float>(in, i)) * 2654435761u;
    }

    __device__ void mix(int c)
    {
        a[c] += b[c] + x;
        b[c] ^= a[c] ^ x;
    }

    __device__ void step()
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) mix(c);
    }

    __device__ unsigned sum() const
    {
        unsigned total = 0;
#pragma unroll
        for (int c = 0; c < CHAINS; c++) total += a[c] + b[c];
        return total;
    }
};

/* Two multiply-adds to each integer instruction: neither unit holds the other up. */
struct issue_chains {
    static constexpr int STEPS = 8, UNITS = 6 * 8;
    turns<float> real;
    integer_chains whole;

    __device__ explicit issue_chains(const float *in) : real(in), whole(in) {}

    __device__ void step()
    {
#pragma unroll
        for (int c = 0; c < 8; c++) {
            real.turn(c);
            whole.mix(c);
            real.turn((c + 4) % 8);
        }
    }

    __device__ float sum() const { return real.sum() + __uint_as_float(whole.sum()); }
};

/* To integers and back. */
struct conversion_chains : turns<float> {
    static constexpr int STEPS = 8, UNITS = 4 * CHAINS;

    __device__ explicit conversion_chains(const float *in) : turns(in)
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) a[c] *= 1e6f, b[c] *= 1e6f;
    }

    static __device__ void there_and_back(float &y)
    {
        int whole;
        asm("cvt.rni.s32.f32 %0, %1;" : "=r"(whole) : "f"(y));
        asm("cvt.rn.f32.s32 %0, %1;" : "=f"(y) : "r"(whole));
    }

    __device__ void step()
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) there_and_back(a[c]), there_and_back(b[c]);
    }
};

template <class Chains>
__global__ void __launch_bounds__(NDFT_PROBE_THREADS, NDFT_PROBE_BLOCKS)
    chains(const float *in, int rounds, double *out)
{
    Chains own(in);
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int step = 0; step < Chains::STEPS; step++) own.step();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = (double)own.sum();
}

template <class Chains>
ndft_status run(ndft_exec *exec, void *memory, int rounds, double *units, double *)
{
    const size_t threads = ndft_probe_threads(&exec->device);
    const float *in = (const float *)memory;
    double *out = (double *)memory + threads + NDFT_PROBE_MARGIN;
    chains<Chains>
        <<<ndft_probe_blocks(&exec->device), NDFT_PROBE_THREADS, 0, ndft_probe_stream(exec)>>>(
            in, rounds, out);
    *units = (double)threads * Chains::STEPS * Chains::UNITS * rounds;
    return ndft_probe_launched(exec, "arithmetic");
}

template <class Chains>
constexpr ndft_probe probe(const char *resource, const char *unit, const char *note)
{
    return {resource, unit, note, nullptr, ndft_probe_bytes, run<Chains>};
}

} // namespace

const ndft_probe ndft_probes_arithmetic[] = {
    probe<fma_chains<float>>("fma", "lane operations", "FFMA"),
    probe<fma_chains<double>>("fma_f64", "lane operations", "DFMA"),
    probe<add_chains<float>>("add", "lane operations", "FADD"),
    probe<add_chains<double>>("add_f64", "lane operations", "DADD"),
    probe<special_chains>("special", "lane operations", "MUFU, EX2 and LG2 in turn"),
    probe<mixed_chains>("fma_special_mix", "special functions", "each MUFU with 6 FFMA"),
    probe<integer_chains>("integer", "lane operations", "IADD3 and LOP3 in turn"),
    probe<conversion_chains>("conversion", "lane operations", "F2I and I2F in turn"),
    probe<issue_chains>("fma_integer_mix", "lane operations",
                        "2 FFMA to each of IADD3 and LOP3 in turn"),
    {},
};
