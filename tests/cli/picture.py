"""Reading the pictures of the program: PNG by the rules of its specification, panels by their black frames."""

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LINE = 2  # pixels a frame is wide


def chunks(data):
    """(name, content) of each chunk, its checksum compared."""
    assert data[:8] == SIGNATURE, "no PNG"
    at = 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        body = data[at + 4 : at + 8 + length]
        (crc,) = struct.unpack_from(">I", data, at + 8 + length)
        assert crc == zlib.crc32(body), "a damaged chunk"
        yield body[:4], body[4:]
        at += 12 + length


def paeth(left, above, corner):
    """The neighbour that is nearest to left + above - corner."""
    guess = left + above - corner
    distance = (abs(guess - left), abs(guess - above), abs(guess - corner))
    return (left, above, corner)[distance.index(min(distance))]


def unfilter(kind, line, above):
    """One row without its PNG filter, three bytes a pixel."""
    if kind == 1:
        return (line.reshape(-1, 3).astype(int).cumsum(axis=0) % 256).ravel()
    if kind in (0, 2):
        return (line.astype(int) + kind // 2 * above) % 256
    found, above = [0, 0, 0], [0, 0, 0, *above.tolist()]
    for at, byte in enumerate(line.tolist()):
        left, over, corner = found[at], above[at + 3], above[at]
        found.append((byte + ((left + over) // 2 if kind == 3 else paeth(left, over, corner))) % 256)
    return np.array(found[3:])


def read_png(path):
    """An array of height x width x 3 bytes."""
    parts = list(chunks(path.read_bytes()))
    assert parts[0][0] == b"IHDR" and parts[-1][0] == b"IEND"
    width, height, depth, colours, _, _, interlace = struct.unpack(">IIBBBBB", parts[0][1])
    assert (depth, colours, interlace) == (8, 2, 0), "wanted 8-bit RGB"
    data = np.frombuffer(zlib.decompress(b"".join(c for n, c in parts if n == b"IDAT")), np.uint8)
    lines = data.reshape(height, 1 + 3 * width)
    rows, above = [], np.zeros(3 * width, int)
    for line in lines:
        above = unfilter(line[0], line[1:], above)
        rows.append(above)
    return np.array(rows, np.uint8).reshape(height, width, 3)


def frames(pixels):
    """What is inside each black frame, from left to right: the three panels and the colour bar."""
    black = np.pad((pixels == 0).all(axis=2), ((1, 12), (1, 12)))
    corners = black[1:-12, 1:-12] & ~black[:-13, 1:-12] & ~black[1:-12, :-13]
    corners &= black[13:, 1:-12] & black[1:-12, 13:]
    found = []
    for x, y in zip(*np.nonzero(corners.T)):
        width = np.argmin(black[y + 1, x + 1 :])
        height = np.argmin(black[y + 1 :, x + 1])
        found.append(pixels[y + LINE : y + height - LINE, x + LINE : x + width - LINE].astype(int))
    assert len(found) == 4, f"{len(found)} frames"
    return found


def lightness(colours):
    return colours @ np.array([0.2126, 0.7152, 0.0722])
