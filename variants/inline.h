/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_INLINE_H
#define NDFT_INLINE_H

/* For arithmetic that C loops and CUDA kernels share. */
#ifdef __CUDACC__
#define NDFT_INLINE static __host__ __device__ __forceinline__
#else
#define NDFT_INLINE static inline
#endif

#endif
