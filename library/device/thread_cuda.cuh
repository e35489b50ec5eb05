/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_THREAD_CUDA_CUH
#define NDFT_THREAD_CUDA_CUH

#include "backend.h"

namespace ndft_cuda
{

/* What CUDA keeps of a thread is the caller's: the context, whose device is the current one; an
 * error that it has not asked for; whether it may allocate while another thread captures. */

/* The calling thread has the context of device number index from now on, which is made where there
 * is none. */
ndft_status take_context(ndft_exec *, int index, void **context);

/* context: NULL: as it is. */
ndft_before enter(void *context, bool allocates);
void leave(ndft_before);

/* What ndft_backend has of this name. */
ndft_status wait_for(ndft_exec *waits, const ndft_exec *other);

} // namespace ndft_cuda

#endif
