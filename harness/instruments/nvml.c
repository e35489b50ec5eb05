/* SPDX-License-Identifier: Apache-2.0 */
#include "nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prototypes and constants as in NVIDIA's NVML API reference, since the CUDA Toolkit need not carry
 * the header. Every function returns 0 on success. */
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0 };

/* nvmlViolationTime_t: when it was asked, in us, and how long since the driver was loaded, in ns.
 */
typedef struct violation {
    unsigned long long at_us, violated_ns;
} violation;

/* nvmlPerfPolicyType_t */
static const int policies[NDFT_N_VIOLATIONS] = {
    [NDFT_BY_POWER] = 0, [NDFT_BY_HEAT] = 1, [NDFT_BY_BOARD] = 3, [NDFT_BY_RELIABILITY] = 5};

struct ndft_nvml {
    void *library, *device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_pci)(const char *, void **device);

    /* Any of these may be missing. */
    int (*clock)(void *device, int which, unsigned *mhz);
    int (*max_clock)(void *device, int which, unsigned *mhz);
    int (*power)(void *device, unsigned *milliwatts);
    int (*power_limit)(void *device, unsigned *milliwatts);
    int (*temperature)(void *device, int sensor, unsigned *celsius);
    int (*reasons)(void *device, unsigned long long *bits);
    int (*ecc)(void *device, unsigned *current, unsigned *pending);
    int (*mig)(void *device, unsigned *current, unsigned *pending);
    int (*persistence)(void *device, unsigned *on);
    int (*compute_mode)(void *device, unsigned *mode);
    int (*driver)(char *text, unsigned size);
    int (*energy)(void *device, unsigned long long *millijoules);
    int (*violations)(void *device, int policy, violation *);
};

/* ISO C has no conversion from an object to a function pointer; POSIX promises the bits agree. */
static void load(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

static void load_all(ndft_nvml *n)
{
    const struct {
        const char *name;
        void *function;
    } symbols[] = {
        {"nvmlInit_v2", &n->init},
        {"nvmlShutdown", &n->shutdown},
        {"nvmlDeviceGetHandleByPciBusId_v2", &n->by_pci},
        {"nvmlDeviceGetClockInfo", &n->clock},
        {"nvmlDeviceGetMaxClockInfo", &n->max_clock},
        {"nvmlDeviceGetPowerUsage", &n->power},
        {"nvmlDeviceGetEnforcedPowerLimit", &n->power_limit},
        {"nvmlDeviceGetTemperature", &n->temperature},
        {"nvmlDeviceGetCurrentClocksEventReasons", &n->reasons},
        {"nvmlDeviceGetEccMode", &n->ecc},
        {"nvmlDeviceGetMigMode", &n->mig},
        {"nvmlDeviceGetPersistenceMode", &n->persistence},
        {"nvmlDeviceGetComputeMode", &n->compute_mode},
        {"nvmlSystemGetDriverVersion", &n->driver},
        {"nvmlDeviceGetTotalEnergyConsumption", &n->energy},
        {"nvmlDeviceGetViolationStatus", &n->violations},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        load(n->library, symbols[i].name, symbols[i].function);
    if (!n->reasons) /* its name before driver 535 */
        load(n->library, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->reasons);
}

static int start(ndft_nvml *n, const char *pci_bus_id)
{
    if (!n->init || !n->shutdown || !n->by_pci || n->init()) return -1;
    int failed = n->by_pci(pci_bus_id, &n->device);
    if (failed) n->shutdown();
    return failed;
}

ndft_nvml *ndft_nvml_open_from(const char *library, const char *pci_bus_id)
{
    ndft_nvml *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    n->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (n->library) {
        load_all(n);
        if (!start(n, pci_bus_id)) return n;
        dlclose(n->library);
    }
    free(n);
    return NULL;
}

ndft_nvml *ndft_nvml_open(const char *pci_bus_id)
{
    return ndft_nvml_open_from("libnvidia-ml.so.1", pci_bus_id);
}

void ndft_nvml_close(ndft_nvml *n)
{
    if (!n) return;
    n->shutdown();
    dlclose(n->library);
    free(n);
}

/* The value that a call has written, in units of scale. */
static double scaled(int failed, const unsigned *value, double scale)
{
    return failed ? NAN : scale * *value;
}

static double clock_of(const ndft_nvml *n, int (*get)(void *, int, unsigned *), int which)
{
    unsigned mhz = 0;
    return get ? scaled(get(n->device, which, &mhz), &mhz, 1) : NAN;
}

static double watts(const ndft_nvml *n, int (*get)(void *, unsigned *))
{
    unsigned milliwatts = 0;
    return get ? scaled(get(n->device, &milliwatts), &milliwatts, 1e-3) : NAN;
}

static int mode(const ndft_nvml *n, int (*get)(void *, unsigned *, unsigned *))
{
    unsigned current = 0, pending = 0;
    return get && !get(n->device, &current, &pending) ? (int)current : -1;
}

static int setting(const ndft_nvml *n, int (*get)(void *, unsigned *))
{
    unsigned value = 0;
    return get && !get(n->device, &value) ? (int)value : -1;
}

ndft_state ndft_nvml_state(const ndft_nvml *n)
{
    ndft_state state = ndft_state_blank();
    unsigned celsius = 0;
    unsigned long long reasons = 0;
    if (!n) return state;
    state.power_w = watts(n, n->power);
    state.memory_clock_mhz = clock_of(n, n->clock, NVML_CLOCK_MEM);
    if (n->temperature)
        state.temperature_c =
            scaled(n->temperature(n->device, NVML_TEMPERATURE_GPU, &celsius), &celsius, 1);
    if (n->reasons && !n->reasons(n->device, &reasons))
        state.throttle = (unsigned)reasons & ((1u << NDFT_N_THROTTLE_BITS) - 1);
    return state;
}

ndft_counters ndft_nvml_counters(const ndft_nvml *n)
{
    ndft_counters counters = ndft_counters_blank();
    violation told;
    if (!n) return counters;
    for (int i = 0; i < NDFT_N_VIOLATIONS && n->violations; i++)
        if (!n->violations(n->device, policies[i], &told))
            counters.violated_s[i] = 1e-9 * (double)told.violated_ns;
    return counters;
}

double ndft_nvml_energy(const ndft_nvml *n)
{
    unsigned long long millijoules = 0;
    if (!n || !n->energy || n->energy(n->device, &millijoules)) return NAN;
    return 1e-3 * (double)millijoules;
}

ndft_nvml_facts ndft_nvml_facts_of(const ndft_nvml *n)
{
    ndft_nvml_facts facts = {"", -1, -1, -1, -1, NAN, NAN, NAN, NAN};
    if (!n) return facts;
    if (n->driver && n->driver(facts.driver, sizeof facts.driver)) facts.driver[0] = 0;
    facts.ecc = mode(n, n->ecc);
    facts.mig = mode(n, n->mig);
    facts.persistence = setting(n, n->persistence);
    facts.compute_mode = setting(n, n->compute_mode);
    facts.power_limit_w = watts(n, n->power_limit);
    facts.max_sm_clock_mhz = clock_of(n, n->max_clock, NVML_CLOCK_SM);
    facts.max_memory_mhz = clock_of(n, n->max_clock, NVML_CLOCK_MEM);
    facts.sm_clock_mhz = clock_of(n, n->clock, NVML_CLOCK_SM);
    return facts;
}
