/* SPDX-License-Identifier: Apache-2.0 */
#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool ndft_channel_send(const ndft_channel *channel, json_t *message)
{
    char *line = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!line) return false;
    size_t length = strlen(line), done = 0;
    line[length++] = '\n'; /* in place of the terminating zero */
    while (done < length) {
        ssize_t sent = send(channel->fd, line + done, length - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) break;
        done += (size_t)sent;
    }
    free(line);
    return done == length;
}

/* Takes the first line out of what was received; NULL: there is no whole one. */
static json_t *take_line(ndft_channel *channel, bool *whole)
{
    char *end = channel->used ? memchr(channel->text, '\n', channel->used) : NULL;
    *whole = end != NULL;
    if (!end) return NULL;
    size_t length = (size_t)(end - channel->text) + 1;
    json_t *message = json_loadb(channel->text, length, 0, NULL);
    channel->used -= length;
    memmove(channel->text, end + 1, channel->used);
    return message;
}

static bool make_room(ndft_channel *channel)
{
    if (channel->used < channel->room) return true;
    size_t room = channel->room ? 2 * channel->room : 1 << 16;
    char *text = realloc(channel->text, room);
    if (!text) return false;
    channel->text = text;
    channel->room = room;
    return true;
}

ndft_received ndft_channel_receive(ndft_channel *channel, int timeout_ms, json_t **message)
{
    while (true) {
        bool whole;
        *message = take_line(channel, &whole);
        if (whole) return *message ? NDFT_MESSAGE : NDFT_GONE;
        struct pollfd ready = {.fd = channel->fd, .events = POLLIN};
        int n = poll(&ready, 1, timeout_ms);
        if (n < 0 && errno == EINTR && timeout_ms < 0) continue;
        if (n == 0 || (n < 0 && errno == EINTR)) return NDFT_SILENCE;
        if (n < 0 || !make_room(channel)) return NDFT_GONE;
        ssize_t got =
            recv(channel->fd, channel->text + channel->used, channel->room - channel->used, 0);
        if (got <= 0) return NDFT_GONE;
        channel->used += (size_t)got;
    }
}

void ndft_channel_close(ndft_channel *channel)
{
    close(channel->fd);
    free(channel->text);
    *channel = (ndft_channel){.fd = -1};
}
