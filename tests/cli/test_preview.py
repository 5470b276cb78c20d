"""--preview: the picture says what the field is, at the right place, and nothing is touched when it cannot."""

import resource
import unittest

from program import ProgramTest, draws_pictures, h5py, main, noise, np  # first: skips where NumPy or h5py is missing
from picture import frames, lightness, read_png

SHAPE = (24, 10, 16)
BOX = {"spacing": (0.1, 0.4, 0.05), "boundary": "dirichlet", "axis_labels": ["x", "y", "z"]}


def ramp(axis, shape=SHAPE, first=1.0, last=2.0):
    """Linear along one axis, constant along the others."""
    along = np.linspace(first, last, shape[axis])
    return np.broadcast_to(along.reshape([-1 if a == axis else 1 for a in range(3)]), shape).copy()


def without_contours(line):
    """A line of pixels without the thin lines that cross it."""
    return np.median(np.lib.stride_tricks.sliding_window_view(np.pad(line, 7, mode="edge"), 15), axis=1)


class Preview(ProgramTest):
    def draw(self, values, *options, attributes=BOX, status=0):
        """Panels normal to axis 0, 1, 2 and the colour bar, all with rows from the top."""
        self.field("field.h5", values, attributes=attributes)
        self.run_well("-i", "field.h5", "--preview", "a.png", *options, "-q", status=status)
        self.pixels = read_png(self.dir / "a.png")
        return frames(self.pixels)

    def draw_rhs(self, values, *options, **others):
        return self.draw(values, "--preview-of", "rhs", *options, **others)

    def check_direction(self, light, direction, sign, noise=2):
        if direction is None:
            self.assertLessEqual(np.ptp(light), noise)
            return
        along = light if direction == "right" else light[::-1].T
        self.assertLessEqual(np.ptp(along, axis=0).max(), noise)  # constant across
        between_lines = without_contours(along[0])
        steps = sign * np.diff(between_lines)
        self.assertGreaterEqual(steps.min(), -0.5 - noise)  # rounding of one colour
        self.assertGreater(steps.sum(), 150)


class Picture(Preview):
    def test_size_and_shape(self):
        """Sides in proportion to points times spacing: 2.4, 4 and 0.8."""
        *panels, bar = self.draw_rhs(noise(*SHAPE))
        self.assertLessEqual(self.pixels.shape[1], 1700)
        sides = [panel.shape[1::-1] for panel in panels]
        scale = sides[0][0] / 4.0
        for found, wanted in zip(sides, ((4.0, 0.8), (2.4, 0.8), (2.4, 4.0))):
            np.testing.assert_allclose(found, np.array(wanted) * scale, atol=2)
        self.assertEqual(bar.shape[0], max(height for _, height in sides))

    def test_steps_that_differ(self):
        """Linear between the middles of cells, wherever these are."""
        faces = np.array([0.0, 0.8, 0.9, 1.0, 1.6])
        values = np.broadcast_to(np.array([1.0, 2.0, 1.0, 2.0])[:, None], (6, 4, 5)).copy()
        self.field("field.h5", values, attributes={"spacing": (0.2, 1.0, 0.2), "boundary": "dirichlet"})
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["positions/y"] = faces
        self.run_well("-i", "field.h5", "--preview", "a.png", "--preview-of", "rhs", "--no-verify", "-q")
        panel = frames(read_png(self.dir / "a.png"))[0]
        width, height = panel.shape[1::-1]
        self.assertAlmostEqual(width / height, 1.6, delta=0.02)
        light = without_contours(lightness(panel)[height // 2])
        middles = 0.5 * (faces[1:] + faces[:-1])
        centre = [light[int(width * middle / 1.6)] for middle in middles]
        self.assertLess(abs(centre[0] - centre[2]), 16)
        self.assertLess(abs(centre[1] - centre[3]), 16)
        self.assertGreater(abs(centre[0] - centre[1]), 100)
        half = 0.5 * (centre[0] + centre[1])
        crossings = np.flatnonzero(np.diff(np.sign(light - half))) / width * 1.6
        np.testing.assert_allclose(crossings, 0.5 * (middles[1:] + middles[:-1]), atol=0.03)

    def test_linear_fields(self):
        """Each slice changes along the axis, in its direction, and only along it."""
        directions = {0: (None, "right", "right"), 1: ("right", None, "up"), 2: ("up", "up", None)}
        for axis, wanted in directions.items():
            for first, last in ((1.0, 2.0), (2.0, 1.0)):
                panels = self.draw_rhs(ramp(axis, first=first, last=last))[:3]
                for panel, direction in zip(panels, wanted):
                    with self.subTest(axis=axis, first=first, direction=direction):
                        self.check_direction(lightness(panel), direction, 1 if last > first else -1)

    def test_middle_planes(self):
        """The planes are those of index n // 2: a bright one is seen whole, in its own slice."""
        for axis in range(3):
            values = np.ones(SHAPE)
            values[tuple(n // 2 if a == axis else slice(None) for a, n in enumerate(SHAPE))] = 3.0
            panels = self.draw_rhs(values)[:3]
            for other in range(3):
                with self.subTest(axis=axis, panel=other):
                    light = lightness(panels[other])
                    self.assertGreater(light.max(), 200)
                    self.assertEqual(light.min() > 200, other == axis)

    def test_a_corner_of_each_slice(self):
        """A bright corner tells mirrored and swapped axes apart."""
        values = np.zeros(SHAPE)
        values[12, :3, 12:] = values[20:, 5, 12:] = values[20:, :3, 8] = 1.0
        for panel, (right, up) in zip(self.draw_rhs(values), ((0, 1), (1, 1), (1, 0))):
            light = lightness(panel)
            height, width = light.shape
            bright = (slice(0, height // 12) if up else slice(-(height // 12), None),
                      slice(-(width // 12), None) if right else slice(0, width // 12))
            self.assertGreater(light[bright].min(), 200)
            self.assertLess(np.mean(light > 100), 0.25)

    def test_diverging(self):
        """Both signs: symmetric about a zero that is nearly white; the bar says the same."""
        panels = self.draw_rhs(ramp(0, first=-1.0, last=0.5))
        middle = panels[1][5]
        zero = middle[int(len(middle) * 2 / 3 + 0.5)]
        self.assertGreater(zero.min(), 235)
        self.assertGreater(middle[0][2], middle[0][0] + 50)  # blue below
        self.assertGreater(middle[-1][0], middle[-1][2] + 50)  # red above
        bar = panels[3][:, 3]
        self.assertGreater(bar[len(bar) // 2].min(), 240)
        self.assertGreater(bar[-1][2], bar[-1][0] + 50)
        np.testing.assert_allclose(middle[0], bar[-1], atol=12)
        self.assertLess(lightness(bar[0]), 100)

    def test_sequential(self):
        """One sign, but for a thousandth: lightness rises along the whole bar."""
        for first, last in ((1.0, 2.0), (-2.0, -1.0), (-0.0009, 1.0)):
            bar = self.draw_rhs(ramp(1, first=first, last=last))[3]
            self.assertLess(np.diff(lightness(bar[:, 3])).max(), 0.5)
            self.assertLess(lightness(bar[-1, 3]), 40)
        bar = self.draw_rhs(ramp(1, first=-0.0011, last=1.0))[3]
        self.assertGreater(lightness(bar[len(bar) // 2, 3]), 240)

    def test_fields_of_any_extent(self):
        for shape in ((1, 1, 1), (1, 7, 5), (300, 1, 2), (1, 3000, 2), (2, 3, 2500)):
            with self.subTest(shape=shape):
                self.draw_rhs(noise(*shape), attributes={"spacing": (1, 1, 1), "boundary": "dirichlet"})
                self.assertLessEqual(max(self.pixels.shape), 1800)
        self.draw_rhs(np.zeros((4, 4, 4)))

    def test_spacings_of_any_size(self):
        for spacing, origin in ((1e-150, 0.0), (1e100, 0.0), (1e-3, 1e9)):
            with self.subTest(spacing=spacing):
                box = {"spacing": [spacing] * 3, "origin": [origin] * 3, "boundary": "dirichlet"}
                self.draw_rhs(noise(4, 5, 6), "--no-verify", attributes=box)
                self.assertLessEqual(self.pixels.shape[1], 1700)

    def test_not_finite_is_not_drawn(self):
        """A solution that single precision cannot hold is refused, and its picture with it."""
        values = np.full((8, 8, 8), 1e30, "f4")
        self.field("field.h5", values, attributes={"spacing": (1e5,) * 3, "boundary": "dirichlet"})
        done = self.run_any("-i", "field.h5", "--preview", "a.png", "--engine", "host", "-q")
        self.assertEqual(done.status, 3)
        self.assertFalse((self.dir / "a.png").exists())

    def test_same_input_same_picture(self):
        self.draw(noise(*SHAPE))
        before = self.contents()
        self.draw(noise(*SHAPE))
        self.assertEqual(self.contents()["a.png"], before["a.png"])


class What(Preview):
    """The three fields, told apart by being linear along different axes."""

    def made(self):
        """A file whose right-hand side is linear along axis 0 and whose /exact is the solution plus a ramp along
        axis 2."""
        self.field("field.h5", ramp(0), attributes=BOX)
        self.run_well("-i", "field.h5", "-q")
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["exact"] = self.solution() - ramp(2)

    def drawn(self, *options):
        self.run_well("-i", "field.h5", "--preview", "a.png", *options, "-q")
        return frames(read_png(self.dir / "a.png"))

    def test_error(self):
        self.made()
        panels = self.drawn("--preview-of", "error", "--exact", "/exact")
        for panel, direction in zip(panels, ("up", "up", None)):
            self.check_direction(lightness(panel), direction, 1, noise=2)

    def test_solution(self):
        """Between walls it is largest inside: the default, and the same by name, and with verification of any
        kind after it."""
        self.made()
        light = lightness(self.drawn()[0])
        inside = light[light.shape[0] // 2, light.shape[1] // 2]
        self.assertGreater(abs(inside - light[0, 0]), 50)
        first = (self.dir / "a.png").read_bytes()
        self.drawn("--preview-of", "solution", "--no-verify")
        self.assertEqual((self.dir / "a.png").read_bytes(), first)

    def test_spectral_single(self):
        """Its verification gives up the solution; the picture comes first."""
        self.field("field.h5", noise(*SHAPE, dtype="f4"), attributes=BOX)
        common = ["--discretization", "spectral", "--memory", "standard", "--tolerance", "1"]
        self.drawn(*common)
        first = (self.dir / "a.png").read_bytes()
        self.run_well("-i", "field.h5", "--preview", "a.png", *common[:4], "--no-verify", "-q")
        self.assertEqual((self.dir / "a.png").read_bytes(), first)

    def test_scaled_rhs(self):
        self.field("field.h5", ramp(0), attributes=BOX)
        up = lightness(self.drawn("--preview-of", "rhs")[1])
        down = lightness(self.drawn("--preview-of", "rhs", "--scale", "-2")[1])
        self.assertGreater(up[0, -1], up[0, 0] + 150)
        self.assertGreater(down[0, 0], down[0, -1] + 150)

    def test_report(self):
        self.field("field.h5", noise(4, 5, 6))
        self.assertEqual(self.report("-i", "field.h5", "--preview", "a.png")["preview"], "a.png")
        self.assertNotIn("preview", self.report("-i", "field.h5"))
        self.assertIn("a.png", self.run_well("-i", "field.h5", "--preview", "a.png").stdout)


class Refusals(Preview):
    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(32, 32, 32))

    def test_usage(self):
        (self.dir / "u.h5").symlink_to("u.png")
        for words, options in (
            (["--preview-of", "solution, rhs, error", "'u'"], ["--preview", "a.png", "--preview-of", "u"]),
            (["--preview-of error", "--exact"], ["--preview", "a.png", "--preview-of", "error"]),
            (["--preview-of", "--preview FILE"], ["--preview-of", "rhs"]),
            (["--preview", "empty"], ["--preview", ""]),
            (["--preview", "field.h5", ".png, .pdf or .svg"], ["--preview", "field.h5"]),
            (["--preview", "picture.jpeg"], ["--preview", "picture.jpeg"]),
            (["--preview", "output"], ["--preview", "u.png", "-o", "./u.h5"]),
            (["--json", "picture"], ["--preview", "a.png", "--json", "./a.png"]),
        ):
            with self.subTest(options=options):
                self.refuse(2, words, "-i", "field.h5", *options)

    def test_places_that_take_no_file(self):
        (self.dir / "folder.png").mkdir()
        for name in ("nowhere/a.png", "folder.png", "/proc/a.png", "p" * 300 + ".png"):
            with self.subTest(name=name):
                self.refuse(6, [name], "-i", "field.h5", "--preview", name)

    def test_existing_files_stay(self):
        """Whatever fails, nothing of the run appears and nothing that was there changes."""
        (self.dir / "a.png").write_text("precious")
        (self.dir / "u.h5").write_text("precious")
        run = ("-i", "field.h5", "-o", "u.h5", "--preview", "a.png")
        self.refuse(4, ["mean"], *run, "--boundary", "neumann", "--strict")
        self.refuse(3, ["exact"], *run, "--exact", "/exact")
        self.refuse(6, ["u.h5"], "-i", "field.h5", "-o", "nowhere/u.h5", "--preview", "a.png")

    def test_file_size_limit(self):
        """What the system says in the middle of the picture: the solution is smaller than it."""
        (self.dir / "a.png").write_text("precious")
        self.field("field.h5", noise(10, 10, 10, dtype="f4"))
        self.refuse(6, ["--preview", "a.png"], "-i", "field.h5", "--preview", "a.png", "--engine", "host",
                    before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)))
        self.assertEqual((self.dir / "a.png").read_text(), "precious")

    def test_an_inaccurate_solution_is_drawn(self):
        self.run_any("-i", "field.h5", "--tolerance", "0", "--preview", "a.png", "-q")
        self.assertEqual(len(frames(read_png(self.dir / "a.png"))), 4)


@unittest.skipIf(draws_pictures(), "this program draws pictures")
class WithoutCairo(ProgramTest):
    pictures_or_skip = False

    def test_refused(self):
        self.field("field.h5", noise(4, 5, 6))
        for args in (("-i", "field.h5", "--preview", "a.png"), ("plot", "field.h5", "-o", "a.svg")):
            self.refuse(2, ["without Cairo"], *args)
        self.run_well("-i", "field.h5")


if __name__ == "__main__":
    main()
