/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"
ndft_status ndft_nccl_found(void) { return ndft_fail(ndft_thread_error(), NDFT_EUNSUPPORTED, "x"); }
ndft_status ndft_nccl_open(ndft_communicator *c)
{
    (void)c;
    return ndft_nccl_found();
}
ndft_status ndft_nccl_id_create(ndft_nccl_id *c)
{
    (void)c;
    return ndft_nccl_found();
}
const ndft_transport ndft_nccl;
