"""The checksum of HDF5's newer structures: Bob Jenkins' lookup3, hashlittle with start value 0."""

import functools

WORD = 0xFFFFFFFF


def rotate(x, k):
    return (x << k | x >> (32 - k)) & WORD


def checksum(data):
    a = b = c = (0xDEADBEEF + len(data)) & WORD
    whole = max(0, (len(data) - 1) // 12)  # the last block, even a full one, is mixed differently
    for at in range(0, whole * 12, 12):
        a = (a + int.from_bytes(data[at : at + 4], "little")) & WORD
        b = (b + int.from_bytes(data[at + 4 : at + 8], "little")) & WORD
        c = (c + int.from_bytes(data[at + 8 : at + 12], "little")) & WORD
        for k in (4, 6, 8, 16, 19, 4):
            a = ((a - c) & WORD) ^ rotate(c, k)
            c = (c + b) & WORD
            a, b, c = b, c, a
    rest = data[whole * 12 :]
    if not rest:
        return c
    rest = rest.ljust(12, b"\0")
    a = (a + int.from_bytes(rest[:4], "little")) & WORD
    b = (b + int.from_bytes(rest[4:8], "little")) & WORD
    c = (c + int.from_bytes(rest[8:], "little")) & WORD
    for k in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - rotate(b, k)) & WORD
        a, b, c = b, c, a
    # Seven turns of three names leave the last one called b.
    return b


@functools.lru_cache(maxsize=None)
def checked_length(data, most):
    """How many bytes from the start of `data` the four bytes behind them are the checksum of; 0 if none are."""
    for length in range(8, min(most, len(data) - 4) + 1):
        if int.from_bytes(data[length : length + 4], "little") == checksum(data[:length]):
            return length
    return 0
