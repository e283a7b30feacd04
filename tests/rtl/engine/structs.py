"""Bits of every field of the structs in `engine_pkg`, the highest field first."""

OPERATION = {
    "word": 1,
    "action": 3,
    "pair": 1,
    "common": 1,
    "sync": 1,
    "d": 7,
    "a": 7,
    "b": 7,
    "t": 7,
    "x": 7,
    "add": 1,
    "reduce": 1,
    "window": 1,
    "table_write": 1,
    "exponent": 1,
    "entry": 5,
    "ring": 4,
    "passes": 10,
    "words": 10,
    "lead": 10,
    "a_words": 10,
    "b_words": 10,
    "t_words": 10,
    "d_words": 10,
}
DATAPATH_STATUS = {
    "idle": 1,
    "negative": 2,
    "zero": 2,
}
WINDOW_REQUEST = {
    "scan_load": 1,
    "scan": 1,
    "gather": 1,
    "scan_place": 10,
    "scan_bits": 5,
    "pair": 1,
    "words": 10,
}
WINDOW_STATUS = {
    "busy": 1,
    "buffer": 1,
    "window_1": 5,
    "window_0": 5,
}
PACKET_REQUEST = {
    "stop": 1,
    "start": 1,
    "unit_op": 5,
    "pair": 1,
    "first": 16,
    "second": 16,
    "block": 7,
}
PACKET_STATUS = {
    "busy": 1,
    "outside": 1,
    "random": 1,
    "random_repeats": 1,
    "clear_waits": 1,
    "fault": 1,
    "value": 16,
    "is_even": 1,
    "is_small": 1,
    "msb_clear": 1,
    "length_exceeded": 1,
    "is_open": 1,
    "is_short": 1,
    "unanswered": 1,
}


def packed(struct: dict[str, int], **fields: int) -> int:
    """A struct's bits; fields that are not given are 0."""
    value = 0
    for name, bits in struct.items():
        field = fields.pop(name, 0)
        assert 0 <= field < 1 << bits, (name, field)
        value = value << bits | field
    assert not fields, fields
    return value
