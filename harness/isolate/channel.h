/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHANNEL_H
#define NDFT_CHANNEL_H

#include <jansson.h>
#include <stdbool.h>

/* One end of a socket that carries JSON objects, one a line. */
typedef struct ndft_channel {
    int fd;
    char *text; /* received and not yet taken */
    size_t used, room;
} ndft_channel;

typedef enum ndft_received { NDFT_MESSAGE, NDFT_SILENCE, NDFT_GONE } ndft_received;

/* Sends and takes the reference. False: the other end is gone. */
bool ndft_channel_send(const ndft_channel *, json_t *);

/* Waits up to timeout_ms (-1: for ever) for an object, of which *message is a new reference.
 * NDFT_GONE when the other end is closed, or sends what is no JSON. */
ndft_received ndft_channel_receive(ndft_channel *, int timeout_ms, json_t **message);

void ndft_channel_close(ndft_channel *);

#endif
