/* SPDX-License-Identifier: Apache-2.0 */
#include <ndft.h>

#include <stdio.h>

/* Says why no CUDA device could be opened, and that the processor can. */
int main(void)
{
    ndft_device *device;
    if (ndft_device_open("cuda", NULL, &device) == NDFT_OK) return 1;
    printf("%s\n", ndft_message());
    if (ndft_device_open("auto", NULL, &device) != NDFT_OK) return 1;
    ndft_device_close(device);
    return 0;
}
