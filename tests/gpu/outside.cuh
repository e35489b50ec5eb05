/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_OUTSIDE_CUH
#define NDFT_TEST_OUTSIDE_CUH

#include <ndft.h>

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

/* Of programs that use libndft from outside on a GPU: what is to be, and what ends the program. */

enum { SKIPPED = 77 };

inline int faults;

inline void expect(bool right, const char *what)
{
    if (right) return;
    printf("wrong: %s (%s; %s)\n", what, ndft_message(), cudaGetErrorString(cudaPeekAtLastError()));
    faults++;
}

inline void must(ndft_status status)
{
    if (status == NDFT_OK) return;
    printf("%s\n", ndft_message());
    exit(1);
}

inline void must(cudaError_t error)
{
    if (error == cudaSuccess) return;
    printf("%s\n", cudaGetErrorString(error));
    exit(1);
}

struct stream {
    cudaStream_t on;
    stream() { must(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking)); }
    ~stream() { (void)cudaStreamDestroy(on); }
};

#endif
