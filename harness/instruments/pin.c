/* SPDX-License-Identifier: Apache-2.0 */
#include "pin.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether the core of a processor has a lower one in the mask; the kernel's list of the siblings is
 * "0,64" or "2-3". */
static bool is_second(const char *topology, int processor, const bool *mask)
{
    char path[256];
    int first, last;
    bool found = false;
    snprintf(path, sizeof path, "%s/cpu%d/topology/thread_siblings_list", topology, processor);
    FILE *file = fopen(path, "r");
    while (file && !found && fscanf(file, "%d", &first) == 1) {
        last = first;
        int next = fgetc(file);
        if (next == '-' && fscanf(file, "%d", &last) == 1) next = fgetc(file);
        for (int p = first; p <= last && p < processor; p++) found = found || mask[p];
        if (next != ',') break;
    }
    if (file) fclose(file);
    return found;
}

int ndft_pin_order(const char *topology, const bool *mask, int n, int *processors)
{
    int used = 0;
    for (int second = 0; second < 2; second++)
        for (int p = 0; p < n; p++)
            if (mask[p] && is_second(topology, p, mask) == second) processors[used++] = p;
    return used;
}

/* The calling thread is never pinned: what it may use the process may. */
static void find(ndft_pins *pins, const cpu_set_t *own)
{
    bool mask[CPU_SETSIZE];
    pins->processors = malloc(CPU_SETSIZE * sizeof *pins->processors);
    for (int p = 0; p < CPU_SETSIZE; p++) mask[p] = CPU_ISSET(p, own);
    if (pins->processors)
        pins->n = ndft_pin_order("/sys/devices/system/cpu", mask, CPU_SETSIZE, pins->processors);
}

void ndft_pins_free(ndft_pins *pins)
{
    free(pins->processors);
    *pins = (ndft_pins){0};
}

static bool user_decides(void)
{
    return getenv("OMP_PROC_BIND") || getenv("OMP_PLACES") || getenv("GOMP_CPU_AFFINITY");
}

bool ndft_pin(ndft_pins *pins, int threads, bool on)
{
    cpu_set_t own;
    if (user_decides()) return omp_get_proc_bind() != omp_proc_bind_false;
    if (threads < 2 || sched_getaffinity(0, sizeof own, &own)) return false;
    if (!pins->processors) find(pins, &own);
    if (pins->n < threads) return false;
    bool pinned = on;
#pragma omp parallel num_threads(threads) reduction(&& : pinned)
    {
        const int thread = omp_get_thread_num();
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(pins->processors[thread], &one);
        if (thread > 0) pinned = !sched_setaffinity(0, sizeof one, on ? &one : &own) && pinned;
    }
    return pinned;
}
