"""--vtk: what VTK's filters make of the file, where it stands beside the solution, and what is refused."""

import os
import pathlib
import resource
import subprocess
import sys
import unittest

from program import ProgramTest, h5py, main, noise, np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "support"))
try:
    import vtk_filters
except ImportError:
    vtk_filters = None

SPACING = np.array([0.5, 0.25, 0.2])  # in index order
ORIGIN = np.array([-1.5, 0.5, 0.25])
SLOPES = np.array([2.0, -3.0, 0.5])  # along x, y, z


def axes_along(labels):
    """The grid's axis along x, y and z."""
    return [labels.index(c) for c in "xyz"] if sorted(labels) == list("xyz") else [0, 1, 2]


class Vtk(ProgramTest):
    def linear(self, n, labels, centering, dtype="f8"):
        """A field file whose solution is 1 plus the slopes times x, y, z, from its values on all faces."""
        directions = np.argsort(axes_along(labels))
        intervals = [count - (centering == "node") for count in n]
        places = [ORIGIN[a] + (np.arange(n[a]) + (0.5 if centering == "cell" else 0)) * SPACING[a] for a in range(3)]
        self.field("field.h5", np.zeros(n, dtype),
                   attributes={"spacing": SPACING, "origin": ORIGIN, "boundary": "dirichlet", "centering": centering,
                               "axis_labels": list(labels)})
        with h5py.File(self.dir / "field.h5", "a") as file:
            for axis, label in enumerate(labels):
                for side, name in enumerate(("lower", "upper")):
                    at = list(places)
                    at[axis] = np.array([ORIGIN[axis] + side * intervals[axis] * SPACING[axis]])
                    value = 1 + sum(SLOPES[d] * x for d, x in zip(directions, np.meshgrid(*at, indexing="ij")))
                    file[f"/boundary_values/{label}_{name}"] = np.squeeze(value, axis)

    def image(self, name="u.vtkhdf"):
        with h5py.File(self.dir / name) as file:
            points = {key: value[...] for key, value in file["VTKHDF/PointData"].items()}
            return dict(file["VTKHDF"].attrs), points

    @unittest.skipIf(vtk_filters is None, "VTK is not installed")
    def test_filters(self):
        n = (9, 7, 8)
        for labels in ("xyz", "zyx", "zxy"):
            for centering in ("cell", "node"):
                for dtype, allowed in (("f8", 1e-6), ("f4", 2e-5)):
                    with self.subTest(labels=labels, centering=centering, dtype=dtype):
                        self.linear(n, labels, centering, dtype)
                        self.run_well("-i", "field.h5", "--gradient", "--vtk", "u.vtkhdf", "-q")
                        self.check_filters(n, labels, centering, allowed)

    def check_filters(self, n, labels, centering, allowed):
        """Places are right to a part of a cell."""
        axes = axes_along(labels)
        spacing = SPACING[axes]
        lower = (ORIGIN + (0.5 * SPACING if centering == "cell" else 0))[axes]
        upper = lower + (np.array(n)[axes] - 1) * spacing
        image = vtk_filters.read(self.dir / "u.vtkhdf")
        np.testing.assert_allclose(image.GetBounds(), np.stack([lower, upper], -1).ravel(), atol=1e-12)

        step = np.abs(SLOPES * spacing).max()  # of u from cell to cell
        level = 1 + SLOPES @ (lower + 0.4 * (upper - lower))
        surface = vtk_filters.contour(image, "solution", level)
        self.assertGreater(len(surface), 10)
        self.assertLess(np.abs(1 + surface @ SLOPES - level).max(), allowed * step)

        cutting, there = vtk_filters.cut(image, (lower + upper) / 2, (0.9, 0.4, 0.1) / spacing)
        probes = np.random.default_rng(1).uniform(lower, upper, (40, 3))
        probed = vtk_filters.probe(image, probes)
        self.assertGreater(len(cutting), 10)
        self.assertLess(np.abs(there["solution"] - 1 - cutting @ SLOPES).max(), allowed * step)
        self.assertLess(np.abs(probed["solution"] - 1 - probes @ SLOPES).max(), allowed * step)
        np.testing.assert_allclose(probed["gradient"], np.tile(SLOPES, (40, 1)), atol=10 * allowed)

    def test_layout(self):
        """Numbers are those of the solution file, to the last bit; 300 planes are turned in several blocks."""
        for labels, options in (("xyz", []), ("zxy", ["--precision", "single"]), ("yzx", []),
                                ("rst", ["--discretization", "spectral"])):
            with self.subTest(labels=labels):
                n = (300, 57, 64)
                rhs = noise(*n)
                self.field("field.h5", rhs - rhs.mean(),
                           attributes={"spacing": SPACING, "boundary": "periodic", "axis_labels": list(labels)})
                self.run_well("-i", "field.h5", "--gradient", "--vtk", "u.vtkhdf", "-q", *options)
                axes = axes_along(labels)
                attributes, points = self.image()
                self.assertEqual(set(points), {"solution", "gradient"})
                for held, name in ((points["solution"], "/solution"),
                                   *((points["gradient"][..., v], f"/gradient/{labels[axes[v]]}") for v in range(3))):
                    np.testing.assert_array_equal(held, self.solution(dataset=name).transpose(axes[::-1]), name)
                self.assertEqual(list(attributes["Direction"]), [1, 0, 0, 0, 1, 0, 0, 0, 1])
                self.assertEqual(list(attributes["Spacing"]), list(SPACING[axes]))
                with h5py.File(self.dir / "field.solution.h5") as file:
                    self.assertEqual(set(file), {"gradient", "solution", *labels})

    def test_precisions_and_engines(self):
        self.field("field.h5", noise(6, 7, 8))
        for options in (["--precision", "mixed"], ["--no-verify"], ["--memory", "low"]):
            with self.subTest(options=options):
                self.run_well("-i", "field.h5", "--vtk", "u.vtkhdf", "-q", *options)
                _, points = self.image()
                self.assertEqual(set(points), {"solution"})
                np.testing.assert_array_equal(points["solution"], self.solution().transpose())

    def test_one_point(self):
        """VTK 9.1 crashes on images of planes: the plane is there twice, half a spacing to either side."""
        self.field("field.h5", noise(6, 1, 8),
                   attributes={"spacing": SPACING, "origin": ORIGIN,
                               "boundary": ["dirichlet", "periodic", "neumann"]})
        self.run_well("-i", "field.h5", "--gradient", "--vtk", "u.vtkhdf", "-q")
        attributes, points = self.image()
        solution = self.solution().transpose()
        np.testing.assert_array_equal(points["solution"], np.repeat(solution, 2, axis=1))
        self.assertEqual(points["gradient"].shape, (8, 2, 6, 3))
        self.assertEqual(list(attributes["WholeExtent"]), [0, 5, 0, 1, 0, 7])
        np.testing.assert_allclose(attributes["Origin"], ORIGIN + SPACING * (0.5, 0, 0.5))

    def test_the_same_bytes(self):
        self.field("field.h5", noise(6, 7, 8))
        for name in ("a.vtkhdf", "b.vtkhdf"):
            self.run_well("-i", "field.h5", "--gradient", "--vtk", name, "-q")
        contents = self.contents()
        self.assertEqual(contents["a.vtkhdf"], contents["b.vtkhdf"])

    def test_report(self):
        self.field("field.h5", noise(6, 7, 8))
        self.assertEqual(self.report("-i", "field.h5", "--vtk", "u.vtkhdf")["vtk"], "u.vtkhdf")
        self.assertNotIn("vtk", self.report("-i", "field.h5"))
        self.assertIn("u.vtkhdf", self.run_well("-i", "field.h5", "--vtk", "u.vtkhdf").stdout)

    def test_refusals(self):
        self.field("field.h5", noise(6, 7, 8))
        self.field("field.vtkhdf", noise(6, 7, 8))
        os.symlink("u.vtkhdf", self.dir / "link.vtkhdf")
        for words, options in (
            (["--vtk", "u.vti", ".vtkhdf"], ["--vtk", "u.vti"]),
            (["--vtk", "u.h5", ".vtkhdf"], ["--vtk", "u.h5"]),
            (["--vtk", ".vtkhdf"], ["--vtk", ".vtkhdf"]),
            (["--vtk", "empty"], ["--vtk", ""]),
            (["--vtk", "input"], ["-i", "field.vtkhdf", "-o", "u.h5", "--vtk", "./field.vtkhdf"]),
            (["--vtk", "output"], ["-o", "u.vtkhdf", "--vtk", "u.vtkhdf"]),
            (["--vtk", "output"], ["-o", "u.vtkhdf", "--vtk", "link.vtkhdf"]),
            (["--json", "VTK"], ["--vtk", "u.vtkhdf", "--json", "./u.vtkhdf"]),
        ):
            with self.subTest(options=options):
                self.refuse(2, words, *([] if "-i" in options else ["-i", "field.h5"]), *options)
        done = self.run_any("-i", "field.h5", "--vtk", "u.vtkhdf", "--preview", "u.vtkhdf")
        self.assertEqual(done.status, 2)
        for name in ("nowhere/u.vtkhdf", "field.h5/u.vtkhdf"):
            with self.subTest(name=name):
                self.refuse(6, [name], "-i", "field.h5", "--vtk", name)

    def test_nothing_changes_if_it_cannot_be_written(self):
        """Neither of the outputs."""
        self.field("field.h5", noise(6, 300, 8))
        self.run_well("-i", "field.h5", "--vtk", "u.vtkhdf", "-q")
        for limit in (1000, 117_000):  # of 115 200 bytes and more: the second one stops the gradient
            with self.subTest(limit=limit):
                self.refuse(6, [], "-i", "field.h5", "--scale", "2", "--vtk", "u.vtkhdf", "--gradient",
                            before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))

    def test_full_disk(self):
        """Found out before anything is solved."""
        self.field("field.h5", noise(32, 32, 32))
        disk = self.dir / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "poisson3d-test", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            self.skipTest("cannot mount a small disk here")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        self.refuse(6, ["disk/u.vtkhdf", "needs"], "-i", "field.h5", "--vtk", "disk/u.vtkhdf")


if __name__ == "__main__":
    main()
