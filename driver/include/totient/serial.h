/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A core behind the serial face (rtl/bus/uart_stream.sv), by two functions that pass bytes. A frame that
 * was damaged on the way fails its call with TOTIENT_TRANSPORT; the next call finds both ends in
 * step again.
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
