/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

/* A management library for unit_nvml.c, with one device of known values. Built whole, and as an old
 * one (FAKE_NVML_OLD) that lacks functions and knows the reasons by their former name. */

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
int nvmlSystemGetDriverVersion(char *text, unsigned size);
int fake_nvml_open_count(int change);

enum { OK = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6 };
static int the_device;

/* How often the library is open now. */
int fake_nvml_open_count(int change)
{
    static int count;
    return count += change;
}

int nvmlInit_v2(void)
{
    fake_nvml_open_count(1);
    return OK;
}

int nvmlShutdown(void)
{
    fake_nvml_open_count(-1);
    return OK;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    *device = &the_device;
    return strcmp(bus, "0000:01:00.0") ? NOT_FOUND : OK;
}

static int give(void *device, unsigned *to, unsigned value)
{
    if (device != &the_device) return NOT_FOUND;
    *to = value;
    return OK;
}

int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz)
{
    return give(device, mhz, which == 1 ? 1755 : which == 2 ? 2619 : 1);
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    return give(device, celsius, sensor ? 99 : 41);
}

int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
    if (size < 10) return NOT_SUPPORTED;
    strcpy(text, "580.95.05");
    return OK;
}

#ifdef FAKE_NVML_OLD

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits);

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits)
{
    unsigned value = 0;
    int failed = give(device, &value, 0x48);
    *bits = value;
    return failed;
}

#else

int nvmlDeviceGetMaxClockInfo(void *device, int which, unsigned *mhz);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts);
int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *bits);
int nvmlDeviceGetEccMode(void *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetPersistenceMode(void *device, unsigned *on);
int nvmlDeviceGetComputeMode(void *device, unsigned *mode);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetViolationStatus(void *device, int policy, unsigned long long at_and_violated[2]);

int nvmlDeviceGetMaxClockInfo(void *device, int which, unsigned *mhz)
{
    return give(device, mhz, which == 1 ? 1980 : which == 2 ? 3201 : 1);
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    return give(device, milliwatts, 312500);
}

int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts)
{
    return give(device, milliwatts, 700000);
}

int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *bits)
{
    *bits = 0xffff0000000004; /* and bits that nobody has named yet */
    return device == &the_device ? OK : NOT_FOUND;
}

int nvmlDeviceGetEccMode(void *device, unsigned *current, unsigned *pending)
{
    *pending = 0;
    return give(device, current, 1);
}

int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending)
{
    (void)device;
    *current = *pending = 7;
    return NOT_SUPPORTED;
}

int nvmlDeviceGetPersistenceMode(void *device, unsigned *on) { return give(device, on, 1); }

int nvmlDeviceGetComputeMode(void *device, unsigned *mode) { return give(device, mode, 3); }

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    *millijoules = 123456789012; /* more than 32 bits hold */
    return device == &the_device ? OK : NOT_FOUND;
}

/* Seconds as the policy's number; that of reliability is not supported. */
int nvmlDeviceGetViolationStatus(void *device, int policy, unsigned long long at_and_violated[2])
{
    at_and_violated[0] = 77;
    at_and_violated[1] = 1000000000ull * (unsigned)policy;
    return device != &the_device ? NOT_FOUND : policy == 5 ? NOT_SUPPORTED : OK;
}

#endif
