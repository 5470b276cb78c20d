"""Reading the pictures of the program: pixels by Cairo, which drew them, panels by their black frames."""

import ctypes

import numpy as np

LINE = 2  # pixels a frame is wide


def read_png(path):
    """An array of height x width x 3 bytes."""
    cairo = ctypes.CDLL("libcairo.so.2")
    cairo.cairo_image_surface_create_from_png.restype = cairo.cairo_image_surface_get_data.restype = ctypes.c_void_p
    surface = ctypes.c_void_p(cairo.cairo_image_surface_create_from_png(str(path).encode()))
    assert cairo.cairo_surface_status(surface) == 0, "no PNG"
    assert cairo.cairo_image_surface_get_format(surface) in (0, 1), "wanted 8-bit colours"
    height, stride = cairo.cairo_image_surface_get_height(surface), cairo.cairo_image_surface_get_stride(surface)
    data = ctypes.string_at(cairo.cairo_image_surface_get_data(surface), height * stride)
    cairo.cairo_surface_destroy(surface)
    return np.frombuffer(data, np.uint8).reshape(height, -1, 4)[:, :, 2::-1]  # stored as blue, green, red


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
