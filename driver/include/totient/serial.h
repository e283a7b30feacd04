/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A core behind the serial face (rtl/bus/uart_stream.sv), by two functions that pass bytes. A frame that
 * was damaged on the way fails its call with TOTIENT_TRANSPORT; the next call finds both ends in
 * step again.
 *
 * Time limits are the line's. Its read waits for a byte up to a limit. A line with a timer also limits
 * a whole request, a whole answer and a whole reset. Without a timer, a peer may take that limit for
 * each byte. At most 64 empty frames before a frame are skipped: more are TOTIENT_TRANSPORT.
 */
#ifndef TOTIENT_SERIAL_H
#define TOTIENT_SERIAL_H

#include "totient/totient.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Context of totient_over_serial. */
struct totient_serial {
    /** Takes the next byte; TOTIENT_TIMEOUT if none comes in time. */
    totient_result (*read)(void *line, uint8_t *byte);
    /** Sends bytes. */
    totient_result (*write)(void *line, const uint8_t *bytes, size_t count);
    void *line;            /**< What they are called with. */
    /** Starts the timer of a request, of an answer or of a reset; NULL: the line has none. From then
        on, until the next start, the other two give TOTIENT_TIMEOUT when it has run out. */
    void (*start_timer)(void *line);
    /* The library's own. */
    uint32_t send_crc, receive_crc, ahead;
    uint8_t next;
    bool sending, receiving, ended;
};

/** Transport over a serial line. */
extern const struct totient_transport totient_over_serial;

#ifdef __cplusplus
}
#endif

#endif
