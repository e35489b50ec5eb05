/* SPDX-License-Identifier: Apache-2.0 */
#include "doctor.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What this program was linked with, and which other programs are to be found. */

enum { TOOL_PATH = 1024 };

static bool is_program(const char *folder, int length, const char *name, char *path)
{
    struct stat info;
    int n = snprintf(path, TOOL_PATH, "%.*s%s%s", length, folder, length ? "/" : "./", name);
    return n < TOOL_PATH && !stat(path, &info) && S_ISREG(info.st_mode) && !access(path, X_OK);
}

static bool find_tool(const char *name, char *path)
{
    const char *folder = getenv("PATH");
    while (folder) {
        int length = (int)strcspn(folder, ":");
        if (is_program(folder, length, name, path)) return true;
        folder = folder[length] ? folder + length + 1 : NULL;
    }
    return false;
}

void ndft_doctor_tools(ndft_doctor *d)
{
    static const struct {
        const char *name, *without; /* what cannot be done without it, and how to get it */
    } tools[] = {
        {"gcc", "needed to build; apt-get install gcc"},
        {"clang", "another compiler to build with; apt-get install clang"},
        {"cmake", "needed to build; apt-get install cmake"},
        {"ninja", "needed to build; apt-get install ninja-build"},
        {"nvcc", "needed to build CUDA variants; in the CUDA Toolkit, often in "
                 "/usr/local/cuda/bin, where ./ndft looks, too"},
        {"ncu", "needed by ./ndft profile; Nsight Compute, in the CUDA Toolkit"},
        {"nsys", "needed by ./ndft profile --tool nsys; Nsight Systems, in the CUDA Toolkit"},
        {"compute-sanitizer", "checks memory accesses on a GPU; in the CUDA Toolkit"},
        {"cuobjdump", "shows the machine code of CUDA variants; in the CUDA Toolkit"},
        {"valgrind", "counts instructions of CPU variants; apt-get install valgrind"},
    };
    char path[TOOL_PATH];
    ndft_doctor_say(d, "jansson", NDFT_WORKS, NULL, "built with %s", JANSSON_VERSION);
    ndft_doctor_say(d, "OpenMP", NDFT_WORKS, NULL, "of %d, up to %d threads", _OPENMP,
                    omp_get_max_threads());
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (find_tool(tools[i].name, path))
            ndft_doctor_say(d, tools[i].name, NDFT_WORKS, NULL, "%s", path);
        else
            ndft_doctor_say(d, tools[i].name, NDFT_ABSENT, tools[i].without, "not in PATH");
    }
}
