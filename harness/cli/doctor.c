/* SPDX-License-Identifier: Apache-2.0 */
#include "doctor.h"

#include "base/cache_file.h"
#include "base/host_fft.h"
#include "base/memory/memory.h"

#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const states[NDFT_N_HEALTH] = {"works", "note", "absent", "broken"};

void ndft_doctor_say(ndft_doctor *d, const char *what, ndft_health health, const char *advice,
                     const char *found, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(text, sizeof text, found, arguments);
    va_end(arguments);
    json_t *finding =
        json_pack("{s:s, s:s, s:s, s:o}", "what", what, "state", states[health], "found", text,
                  "advice", advice ? json_string(advice) : json_null());
    json_array_append_new(d->findings, finding);
    d->broken |= health == NDFT_BROKEN;
}

bool ndft_doctor_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, (int)size, file);
    if (file) fclose(file);
    if (read) line[strcspn(line, "\n")] = 0;
    return read;
}

/* The processor and the folders that are written to. */

#define CPU0 "/sys/devices/system/cpu/"

static void say_governor(ndft_doctor *d)
{
    char line[64];
    if (!ndft_doctor_line(CPU0 "cpu0/cpufreq/scaling_governor", line, sizeof line))
        ndft_doctor_say(d, "governor", NDFT_NOTE, NULL, "not known, as in most virtual machines");
    else if (!strcmp(line, "performance"))
        ndft_doctor_say(d, "governor", NDFT_WORKS, NULL, "%s", line);
    else
        ndft_doctor_say(d, "governor", NDFT_NOTE,
                        "cpupower frequency-set -g performance, as root, for steadier times", "%s",
                        line);
}

static void say_turbo(ndft_doctor *d)
{
    char line[64];
    bool intel = ndft_doctor_line(CPU0 "intel_pstate/no_turbo", line, sizeof line);
    if (!intel && !ndft_doctor_line(CPU0 "cpufreq/boost", line, sizeof line)) {
        ndft_doctor_say(d, "turbo", NDFT_NOTE, NULL, "not known");
        return;
    }
    bool on = (line[0] == '1') != intel;
    ndft_doctor_say(d, "turbo", on ? NDFT_NOTE : NDFT_WORKS,
                    on ? "clocks follow load and heat; ceilings and times differ from run to run"
                       : NULL,
                    "%s", on ? "on" : "off");
}

void ndft_doctor_host(ndft_doctor *d)
{
    double load = 0;
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) == 1)
        ndft_doctor_say(d, "load", load > 0.5 * (double)threads ? NDFT_NOTE : NDFT_WORKS,
                        load > 0.5 * (double)threads ? "others compute here: times will be noisy"
                                                     : NULL,
                        "%.1f on %ld processors", load, threads);
    ndft_doctor_say(d, "memory", NDFT_WORKS, NULL, "%.1f GiB available",
                    (double)ndft_memory_available() / 0x1p30);
    say_governor(d);
    say_turbo(d);
}

/* Whether files can be made in path; where it does not exist, in what it would be made in. */
static bool can_write(const char *path)
{
    char part[NDFT_CACHE_PATH];
    struct stat info;
    snprintf(part, sizeof part, "%s", path);
    while (stat(part, &info)) {
        char *slash = strrchr(part, '/');
        if (slash == part) return access("/", W_OK | X_OK) == 0;
        if (!slash) return access(".", W_OK | X_OK) == 0;
        *slash = 0;
    }
    return S_ISDIR(info.st_mode) && access(part, W_OK | X_OK) == 0;
}

void ndft_doctor_folders(ndft_doctor *d)
{
    char cache[NDFT_CACHE_PATH];
    if (!ndft_cache_directory(cache))
        ndft_doctor_say(d, "cache", NDFT_NOTE, "NDFT_CACHE names the folder",
                        "off: large references and ceilings are computed anew");
    else if (can_write(cache))
        ndft_doctor_say(d, "cache", NDFT_WORKS, NULL, "%s", cache);
    else
        ndft_doctor_say(d, "cache", NDFT_NOTE, "set NDFT_CACHE to a folder that can be written to",
                        "%s cannot be written to", cache);
    if (can_write("results"))
        ndft_doctor_say(d, "results", NDFT_WORKS, NULL, "results/ of this folder");
    else
        ndft_doctor_say(d, "results", NDFT_BROKEN,
                        "run from a folder of your own, or give sweep a file with -o",
                        "results cannot be written to");
}

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

/* Threads that sleep while they wait take 20 us more for each stage of a nonuniform FFT. */
static void openmp(ndft_doctor *d)
{
    const char *policy = getenv("OMP_WAIT_POLICY");
    const bool sleeps = policy && !strcasecmp(policy, "passive");
    ndft_doctor_say(d, "OpenMP", sleeps ? NDFT_NOTE : NDFT_WORKS,
                    sleeps ? "for a machine that others use, too; here alone, unset it: nonuniform "
                             "FFTs of one coil take up to three times as long"
                           : NULL,
                    "of %d, up to %d threads%s%s", _OPENMP, omp_get_max_threads(),
                    policy ? ", OMP_WAIT_POLICY=" : "", policy ? policy : "");
}

static void host_fft(ndft_doctor *d)
{
    const char *missing = ndft_host_fft_missing();
    ndft_doctor_say(d, "host FFT", missing ? NDFT_ABSENT : NDFT_WORKS, missing, "%s",
                    missing ? "the processor's fast transforms are left out"
                            : ndft_host_fft_version());
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
    openmp(d);
    host_fft(d);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (find_tool(tools[i].name, path))
            ndft_doctor_say(d, tools[i].name, NDFT_WORKS, NULL, "%s", path);
        else
            ndft_doctor_say(d, tools[i].name, NDFT_ABSENT, tools[i].without, "not in PATH");
    }
}
