/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_kernel.cuh"

#include "callback_module.h"

static ndft_status upload(ndft_arrays *arrays, const ndft_callback *callback, const void **data)
{
    char *memory = nullptr;
    *data = nullptr;
    if (!callback || !callback->bytes) return NDFT_OK;
    NDFT_TRY(ndft_reserve(arrays, "a callback's data", (int64_t)callback->bytes, &memory));
    *data = memory;
    return arrays->exec->upload(arrays->exec, memory, callback->data, callback->bytes);
}

ndft_status ndft_called_upload(ndft_arrays *arrays, const ndft_transform *t, ndft_called_data *data)
{
    NDFT_TRY(upload(arrays, t->load, &data->load));
    return upload(arrays, t->store, &data->store);
}

ndft_status ndft_called_make(ndft_arrays *arrays, const ndft_transform *t, const char *program,
                             ndft_called_kernel *called)
{
    ndft_exec *exec = arrays->exec;
    void *code = nullptr;
    size_t size = 0;
    NDFT_TRY(ndft_called_upload(arrays, t, &called->data));
    NDFT_TRY(ndft_module_compile(t, program, exec->device.capability, NDFT_CODE_CUBIN, &code, &size,
                                 exec->error));
    const cudaError_t loaded =
        cudaLibraryLoadData(&called->library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
    free(code);
    if (loaded != cudaSuccess) called->library = nullptr;
    NDFT_TRY(ndft_checked(exec, loaded, "loading a kernel with callbacks"));
    return ndft_checked(exec, cudaLibraryGetKernel(&called->kernel, called->library, "ndft_called"),
                        "finding a kernel with callbacks");
}

ndft_status ndft_called_launch(const ndft_called_kernel *called, ndft_exec *exec, unsigned blocks,
                               unsigned threads, void **args)
{
    return ndft_checked(exec,
                        cudaLaunchKernel((const void *)called->kernel, dim3(blocks), dim3(threads),
                                         args, 0, ndft_stream(exec)),
                        "launch of a kernel with callbacks");
}

void ndft_called_destroy(ndft_called_kernel *called)
{
    if (called->library) (void)cudaLibraryUnload(called->library);
    called->library = nullptr;
}
