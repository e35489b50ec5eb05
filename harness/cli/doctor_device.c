/* SPDX-License-Identifier: Apache-2.0 */
#include "doctor.h"

#include "base/memory/number_in.h"
#include "base/text.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The backends, how their devices are set up, the driver and what it allows. */

enum { CAP_SYS_ADMIN = 21, CAP_PERFMON = 38 }; /* of linux/capability.h */

static const char allow_counters[] =
    "run ncu as root or with CAP_SYS_ADMIN (a container needs --cap-add=SYS_ADMIN), or put "
    "'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into /etc/modprobe.d/ and restart";

static bool has_capability(void)
{
    long long held = ndft_number_in("/proc/self/status", "CapEff:", 16);
    return held >= 0 && (held >> CAP_SYS_ADMIN & 1 || held >> CAP_PERFMON & 1);
}

static void say_counters(ndft_doctor *d)
{
    long long kept = ndft_number_in("/proc/driver/nvidia/params", "RmProfilingAdminOnly:", 10);
    if (kept < 0)
        ndft_doctor_say(d, "counters", NDFT_NOTE, "ncu itself will tell",
                        "the driver does not say who may read them");
    else if (kept == 0)
        ndft_doctor_say(d, "counters", NDFT_WORKS, NULL, "everybody may read them");
    else if (has_capability())
        ndft_doctor_say(d, "counters", NDFT_WORKS, NULL,
                        "kept to administrators; this user is one");
    else
        ndft_doctor_say(d, "counters", NDFT_ABSENT, allow_counters,
                        "kept to administrators; this user is none");
}

void ndft_doctor_driver(ndft_doctor *d)
{
    char line[256];
    if (!ndft_doctor_line("/proc/driver/nvidia/version", line, sizeof line)) {
        if (ndft_backend_cuda.missing())
            ndft_doctor_say(d, "driver", NDFT_ABSENT,
                            "CUDA variants need an NVIDIA GPU and its driver",
                            "no NVIDIA kernel driver is loaded");
        else
            ndft_doctor_say(d, "driver", NDFT_NOTE, NULL,
                            "CUDA works, but /proc/driver/nvidia does not tell how");
    } else {
        char *text = strchr(line, ':');
        text = text ? text + 1 : line;
        ndft_doctor_say(d, "driver", NDFT_WORKS, NULL, "%s", text + strspn(text, " "));
    }
    if (!ndft_backend_cuda.missing()) say_counters(d);
}

static void say_switch(ndft_doctor *d, const char *what, int on, ndft_health when_on,
                       ndft_health when_off, const char *advice)
{
    ndft_health health = on < 0 ? NDFT_NOTE : on ? when_on : when_off;
    ndft_doctor_say(d, what, health, on >= 0 && health != NDFT_WORKS ? advice : NULL, "%s",
                    on < 0 ? "not known"
                    : on   ? "on"
                           : "off");
}

static void say_compute_mode(ndft_doctor *d, int mode)
{
    const char *shared = "nvidia-smi -c DEFAULT, as root";
    if (mode == 2)
        ndft_doctor_say(d, "compute mode", NDFT_BROKEN, shared, "prohibited: nothing can run");
    else if (mode == 3)
        ndft_doctor_say(d, "compute mode", NDFT_NOTE, shared,
                        "exclusive: one process at a time, so a sweep's worker and nothing else");
    else
        ndft_doctor_say(d, "compute mode", mode < 0 ? NDFT_NOTE : NDFT_WORKS, NULL, "%s",
                        mode < 0 ? "not known" : "shared");
}

static void say_clocks(ndft_doctor *d, const ndft_nvml_facts *facts, unsigned reasons)
{
    char held[256];
    ndft_text list = ndft_text_in(held, sizeof held);
    for (int bit = 0; bit < NDFT_N_THROTTLE_BITS; bit++)
        if (reasons >> bit & 1)
            ndft_text_add(&list, "%s%s",
                          list.used ? ", " : "; held down by: ", ndft_throttle_name(bit));
    bool throttled = reasons & (NDFT_THROTTLED | NDFT_APPLICATIONS_CLOCKS_SETTING);
    ndft_doctor_say(d, "clocks", throttled ? NDFT_NOTE : NDFT_WORKS,
                    throttled ? "nvidia-smi -q -d CLOCK,PERFORMANCE says more; samples taken while "
                                "the device throttles are flagged"
                              : NULL,
                    "SM %.0f of %.0f MHz, memory at most %.0f MHz%s", facts->sm_clock_mhz,
                    facts->max_sm_clock_mhz, facts->max_memory_mhz, held);
}

/* How an open CUDA device is set up. */
static void say_gpu(ndft_doctor *d, ndft_exec *exec)
{
    const ndft_nvml_facts facts = ndft_instruments_cuda.facts(exec);
    const ndft_state state = ndft_instruments_cuda.state(exec);
    if (!facts.driver[0] && isnan(facts.sm_clock_mhz)) {
        ndft_doctor_say(d, "NVML", NDFT_ABSENT,
                        "it comes with the driver; containers need the capability 'utility'",
                        "libnvidia-ml.so.1 does not load or does not know the device: records have "
                        "no power, temperature and throttling");
        return;
    }
    ndft_doctor_say(d, "NVML", NDFT_WORKS, NULL, "driver %s", facts.driver);
    say_clocks(d, &facts, state.throttle);
    ndft_doctor_say(d, "power", isnan(facts.power_limit_w) ? NDFT_NOTE : NDFT_WORKS, NULL,
                    "limit %.0f W, now %.0f W at %.0f degrees C", facts.power_limit_w,
                    state.power_w, state.temperature_c);
    say_switch(d, "ECC", facts.ecc, NDFT_WORKS, NDFT_WORKS, NULL);
    say_switch(d, "MIG", facts.mig, NDFT_NOTE, NDFT_WORKS,
               "this is a part of a GPU: its ceilings are not those of the whole");
    say_switch(d, "persistence", facts.persistence, NDFT_WORKS, NDFT_NOTE,
               "nvidia-smi -pm 1, as root, keeps the driver loaded between programs");
    say_compute_mode(d, facts.compute_mode);
}

static int count_built(const ndft_backend *backend, int *all)
{
    int built = 0;
    *all = 0;
    for (int i = 0; i < ndft_registry_size; i++) {
        if (strcmp(ndft_registry[i].backend, backend->name)) continue;
        built += ndft_registry[i].variant != NULL;
        ++*all;
    }
    return built;
}

static void say_device(ndft_doctor *d, const ndft_exec *exec, int built, int all)
{
    const ndft_device *device = &exec->device;
    char kind[128];
    if (device->capability)
        snprintf(kind, sizeof kind, "compute capability %d.%d, %.64s", device->capability / 10,
                 device->capability % 10, device->driver);
    else
        snprintf(kind, sizeof kind, "%d threads, %s", exec->threads, ndft_isa_name(device->isa));
    ndft_doctor_say(d, device->backend, NDFT_WORKS, NULL,
                    "%s (%s), %d units, %.1f GiB memory, %.1f MiB L2, %s; %d of %d variants built",
                    device->name, device->slug, device->units,
                    (double)device->memory_bytes / 0x1p30, (double)device->l2_bytes / 0x1p20, kind,
                    built, all);
}

static void say_backend(ndft_doctor *d, const ndft_backend *backend)
{
    ndft_error err = {0};
    ndft_exec *exec;
    int all, built = count_built(backend, &all);
    bool needed = !strcmp(backend->name, "cpu");
    if (backend->missing())
        ndft_doctor_say(d, backend->name, needed ? NDFT_BROKEN : NDFT_ABSENT,
                        needed ? "this program needs x86-64 with SSE 4.2"
                               : "its variants are listed, and are left out of every run",
                        "%s; %d of %d variants built", backend->missing(), built, all);
    else if (backend->open(0, &exec, &err) != NDFT_OK)
        ndft_doctor_say(d, backend->name, NDFT_BROKEN, "see the lines about the driver",
                        "the device is there, but does not open: %s", err.message);
    else {
        say_device(d, exec, built, all);
        if (exec->device.capability) say_gpu(d, exec);
        backend->close(exec);
    }
}

void ndft_doctor_backends(ndft_doctor *d)
{
    for (const ndft_backend *const *b = ndft_backends; *b; b++) say_backend(d, *b);
}
