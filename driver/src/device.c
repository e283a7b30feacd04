/* SPDX-License-Identifier: Apache-2.0 */
/* A device by its address: its transport, the core behind it, and reasons of failures. */
#include <errno.h>
#include <string.h>

#include "reason.h"

enum { BAUD = 115200, LONGEST_TIMEOUT = 86400 /* seconds */ };

/* A whole number of an address; more than any limit where it is longer than that. */
static int64_t value_of(struct totient_span digits)
{
    const int64_t most = 1000000000000;
    const bool negative = digits.text[0] == '-';
    int64_t value = 0;
    for (size_t i = negative ? 1 : 0; i < digits.length && value < most; i++)
        value = 10 * value + (digits.text[i] - '0');
    return negative ? -value : value;
}

/* Says that a value is out of its range. Of a long number the first digits are shown. */
static totient_result out_of_range(struct reason *reason, const char *name, struct totient_span value,
                                   const char *allowed)
{
    const bool is_long = value.length > 12;
    totient_reason_add(reason, name);
    totient_reason_add(reason, " is ");
    totient_reason_add_given(reason, value.text, is_long ? 9 : value.length);
    totient_reason_add(reason, is_long ? "..., allowed is " : ", allowed is ");
    totient_reason_add(reason, allowed);
    return TOTIENT_ADDRESS;
}

/* What the parameters of a line or of a UIO device set. */
struct settings {
    uint32_t baud;
    struct totient_span baud_text;
    int timeout_ms;
};

static totient_result no_parameter(const char *address, struct totient_span name, bool baud,
                                   struct reason *reason)
{
    totient_reason_add(reason, "device ");
    totient_reason_add_quoted(reason, address, strlen(address));
    totient_reason_add(reason, " has no parameter ");
    totient_reason_add_quoted(reason, name.text, name.length);
    totient_reason_add(reason, baud ? ", it has baud, timeout" : ", it has timeout");
    return TOTIENT_ADDRESS;
}

static totient_result read_settings(const char *address, const struct totient_address *parts,
                                    struct settings *settings, struct reason *reason)
{
    const bool has_baud = parts->way == TOTIENT_TTY;
    settings->baud = BAUD;
    settings->timeout_ms = TOTIENT_DEFAULT_TIMEOUT_MS;
    for (size_t i = 0; i < parts->count; i++) {
        const struct totient_parameter *given = &parts->parameters[i];
        const int64_t value = value_of(given->value);
        if (has_baud && totient_span_is(given->name, "baud")) {
            settings->baud = value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
            settings->baud_text = given->value;
        } else if (totient_span_is(given->name, "timeout")) {
            if (value < 1 || value > LONGEST_TIMEOUT)
                return out_of_range(reason, "timeout", given->value, "1 to 86400 seconds");
            settings->timeout_ms = (int)value * 1000;
        } else {
            return no_parameter(address, given->name, has_baud, reason);
        }
    }
    return TOTIENT_OK;
}

/* The text `tty:/dev/ttyUSB0` of a device, without parameters. */
static void add_name(struct reason *reason, const struct totient_device *device)
{
    totient_reason_add(reason, totient_way_name(device->way));
    totient_reason_add(reason, ":");
    totient_reason_add_given(reason, device->name, strlen(device->name));
}

/* Says why a file, a line or a socket could not be opened. */
static totient_result not_opened(const struct totient_device *device, const char *what, int error,
                                 struct reason *reason)
{
    if (error == EBUSY) {
        add_name(reason, device);
        totient_reason_add(reason, " is in use by another program");
        return TOTIENT_IN_USE;
    }
    totient_reason_add(reason, what);
    totient_reason_add_given(reason, device->name, strlen(device->name));
    totient_reason_add(reason, ": ");
    if (device->way == TOTIENT_UIO && error == ENXIO)
        totient_reason_add(reason, "it has less than 4096 bytes");
    else
        totient_reason_add_error(reason, error);
    return TOTIENT_TRANSPORT;
}

static void over_serial(struct totient_device *device)
{
    device->transport = &totient_over_serial;
    device->context = &device->serial;
}

static void over_registers(struct totient_device *device)
{
    device->transport = &totient_over_registers;
    device->context = &device->registers;
}

static totient_result connect_uio(struct totient_device *device, const struct settings *settings,
                                  struct reason *reason)
{
    const totient_result result = totient_uio_open(&device->uio, device->name);
    if (result != TOTIENT_OK)
        return not_opened(device, "cannot map the registers of ", errno, reason);
    device->uio.timeout_ms = settings->timeout_ms;
    device->registers = (struct totient_registers){
        .read = totient_mapped_read,
        .write = totient_mapped_write,
        .bus = device->uio.registers,
        .wait = totient_uio_wait,
        .waiter = &device->uio};
    over_registers(device);
    return TOTIENT_OK;
}

static totient_result connect_line(struct totient_device *device, const struct settings *settings,
                                   struct reason *reason)
{
    struct totient_tty *line = &device->line;
    const bool is_tty = device->way == TOTIENT_TTY;
    const totient_result result =
        is_tty ? totient_tty_open(line, device->name, settings->baud, settings->timeout_ms)
               : totient_unix_open(line, device->name, settings->timeout_ms);
    if (result == TOTIENT_ARGUMENT && is_tty)
        return out_of_range(reason, "baud", settings->baud_text, "a usual rate of 9600 to 3000000");
    if (result == TOTIENT_ARGUMENT) errno = ENAMETOOLONG;
    if (result != TOTIENT_OK)
        return not_opened(device,
                          is_tty ? "cannot open the serial line " : "cannot connect to the socket ",
                          errno, reason);
    device->serial = (struct totient_serial){.read = totient_tty_read,
                                             .write = totient_tty_write,
                                             .line = line,
                                             .start_timer = totient_tty_start_timer};
    over_serial(device);
    return TOTIENT_OK;
}

static totient_result connect_simulation(struct totient_device *device, const char *address,
                                         const struct totient_address *parts, struct reason *reason)
{
    char path[TOTIENT_PATH_BYTES];
    struct totient_simulation *simulation = &device->simulation;
    totient_result result = totient_find_model(address, parts, path, reason);
    if (result == TOTIENT_OK) {
        result = totient_simulation_open(simulation, path);
        const char *why = totient_simulation_reason(simulation);
        if (result != TOTIENT_OK) {
            totient_reason_add(reason, "cannot load the model: ");
            totient_reason_add_given(reason, why, strlen(why));
        }
    }
    if (result != TOTIENT_OK) return result;
    if (parts->way == TOTIENT_SIM_REGISTERS) {
        device->registers = (struct totient_registers){.read = totient_simulation_read,
                                                       .write = totient_simulation_write,
                                                       .bus = simulation};
        over_registers(device);
    } else if (parts->way == TOTIENT_SIM_SERIAL) {
        device->serial = (struct totient_serial){.read = totient_simulation_line_read,
                                                 .write = totient_simulation_line_write,
                                                 .line = simulation};
        over_serial(device);
    } else {
        device->transport = &totient_over_simulation;
        device->context = simulation;
    }
    return TOTIENT_OK;
}

totient_result totient_connect_address(struct totient_device *device, const char *address)
{
    struct totient_address parts;
    struct settings settings = {0};
    if (device == NULL || address == NULL) return TOTIENT_ARGUMENT;
    memset(device, 0, sizeof *device);
    device->uio.file = device->line.file = -1;
    totient_result result =
        totient_parse_address(&parts, address, device->reason, sizeof device->reason);
    if (result != TOTIENT_OK) return result;
    struct reason reason = totient_reason(device->reason, sizeof device->reason);
    device->way = parts.way;
    const size_t length = parts.name.length;
    if (length >= sizeof device->name) {
        totient_reason_add(&reason, "the name of the device is longer than 1023 bytes");
        return TOTIENT_ADDRESS;
    }
    memcpy(device->name, parts.name.text, length); /* the 0 at its end is there */
    if (parts.way <= TOTIENT_SIM_RTL) return connect_simulation(device, address, &parts, &reason);
    result = read_settings(address, &parts, &settings, &reason);
    if (result != TOTIENT_OK) return result;
    return parts.way == TOTIENT_UIO ? connect_uio(device, &settings, &reason)
                                    : connect_line(device, &settings, &reason);
}

totient_result totient_open_address(struct totient_device *device, const char *address)
{
    totient_result result = totient_connect_address(device, address);
    if (result != TOTIENT_OK) return result;
    result = totient_open(&device->core, device->transport, device->context);
    if (result == TOTIENT_OK) return result;
    (void)totient_device_reason(device, result);
    totient_close_device(device);
    return result;
}

/* Says that the core was waited for too long, and how to wait longer. */
static void add_timeout(struct reason *reason, const struct totient_device *device)
{
    const bool uio = device->way == TOTIENT_UIO;
    const int timeout_ms = uio ? device->uio.timeout_ms : device->line.timeout_ms;
    const uint64_t seconds = (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) / 1000;
    totient_reason_add(reason, "the core did not answer in ");
    totient_reason_add_number(reason, seconds);
    totient_reason_add(reason, " s");
    if (!uio) {
        totient_reason_add(reason, ", or its whole answer took more than ");
        totient_reason_add_number(reason, 2 * seconds);
        totient_reason_add(reason, " s");
    }
    totient_reason_add(reason, ". For longer limits use ");
    add_name(reason, device);
    totient_reason_add(reason, "?timeout=SECONDS, up to 86400");
}

const char *totient_device_reason(struct totient_device *device, totient_result result)
{
    if (device == NULL) return totient_text(result);
    if (device->transport == NULL) /* it has been closed, or was never open: the reason stays */
        return device->reason[0] != '\0' ? device->reason : totient_text(result);
    struct reason reason = totient_reason(device->reason, sizeof device->reason);
    const bool simulated = device->way <= TOTIENT_SIM_RTL;
    const char *why = totient_simulation_reason(&device->simulation);
    if (simulated && result == TOTIENT_TRANSPORT && *why != '\0') {
        totient_reason_add(&reason, "the simulated core stopped: ");
        totient_reason_add_given(&reason, why, strcspn(why, "\n"));
        return device->reason;
    }
    add_name(&reason, device);
    totient_reason_add(&reason, ": ");
    if (!simulated && result == TOTIENT_TIMEOUT) add_timeout(&reason, device);
    else totient_reason_add(&reason, totient_text(result));
    return device->reason;
}

void totient_close_device(struct totient_device *device)
{
    if (device == NULL) return;
    if (device->transport != NULL) {
        totient_simulation_close(&device->simulation);
        totient_uio_close(&device->uio);
        totient_tty_close(&device->line);
    }
    device->transport = NULL; /* the core then refuses everything */
    device->core.transport = NULL;
}
