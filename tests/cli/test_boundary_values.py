"""/boundary_values: solved with, refused where they make no sense, and told."""

import itertools

from program import UNIT_BOX, ProgramTest, h5py, main, noise, np, strings
from reference import solve, weights, with_faces

SHAPE = (7, 6, 9)
SPACING = (0.3, 0.5, 0.2)
EPS = {"f4": 2.0**-23, "f8": 2.0**-52}
SIDES = ("lower", "upper")
# Boundary and centring per axis: each kind of face on each axis, as cells and as nodes, edges of all sorts.
MIXES = [
    (("dirichlet", "neumann", "dirichlet:neumann"), ("cell", "cell", "cell")),
    (("neumann:dirichlet", "dirichlet", "neumann"), ("cell", "cell", "cell")),
    (("dirichlet", "dirichlet", "dirichlet"), ("node", "node", "node")),
    (("neumann", "dirichlet:neumann", "neumann:dirichlet"), ("node", "node", "node")),
    (("dirichlet:neumann", "neumann", "dirichlet"), ("node", "node", "node")),
    (("dirichlet", "neumann:dirichlet", "dirichlet:neumann"), ("node", "cell", "node")),
    (("periodic", "dirichlet", "neumann:dirichlet"), ("cell", "node", "cell")),
    (("neumann", "neumann", "neumann"), ("cell", "node", "cell")),
]


def kinds(boundary):
    """[axis][side]"""
    return [(kind.split(":") * 2)[:2] for kind in boundary]


def box(boundary, centering, **others):
    return {"spacing": SPACING, "boundary": list(itertools.chain.from_iterable(kinds(boundary))),
            "centering": list(centering), **others}


def coordinates(centering, origin=(0.0, 0.0, 0.0)):
    axes = [origin[a] + SPACING[a] * (np.arange(SHAPE[a]) + (0.5 if centering[a] == "cell" else 0.0)) for a in range(3)]
    return np.meshgrid(*axes, indexing="ij")


def length(axis, centering):
    return SPACING[axis] * (SHAPE[axis] - (0 if centering[axis] == "cell" else 1))


class BoundaryValues(ProgramTest):
    def put(self, values, attributes, faces, **storage):
        """The field file with {(axis, side): number or array}."""
        path = self.field("field.h5", values, attributes=attributes)
        labels = attributes.get("axis_labels", "xyz")
        with h5py.File(path, "a") as file:
            for (axis, side), face in faces.items():
                name = f"/boundary_values/{labels[axis]}_{SIDES[side]}"
                file.create_dataset(name, data=face, **(storage if np.ndim(face) else {}))
        return path

    def check(self, wanted, digits, *options, precision="f8"):
        report = self.report("-i", "field.h5", *options)
        found = self.solution()
        self.assertEqual(found.dtype, np.dtype(precision))
        np.testing.assert_allclose(found, wanted, rtol=0, atol=digits * EPS[precision] * np.abs(wanted).max())
        self.assertLess(report["residual"]["backward"], 16 * EPS[precision])
        return report


class Linear(BoundaryValues):
    """u = a + b r with b along each axis: the stencil is exact for it, with cells and nodes, whatever the faces."""

    SLOPE = (2.0, -3.0, 0.75)

    def faces(self, boundary, centering, u, arrays):
        """Dirichlet faces as arrays, Neumann faces as numbers (or the other way round where one value does)."""
        faces = {}
        for axis, pair in enumerate(kinds(boundary)):
            for side, kind in enumerate(pair):
                shape = [n for a, n in enumerate(SHAPE) if a != axis]
                if kind == "neumann":
                    slope = self.SLOPE[axis] * (1 if side else -1)
                    faces[axis, side] = np.full(shape, slope) if arrays else slope
                elif kind == "dirichlet":
                    on_face = np.take(u, 0, axis) - (self.SLOPE[axis] * SPACING[axis] / 2 if centering[axis] == "cell" else 0)
                    faces[axis, side] = on_face + (self.SLOPE[axis] * length(axis, centering) if side else 0)
        return faces

    def test_mixes(self):
        for (boundary, centering), helmholtz, labels in itertools.product(MIXES, (0.0, 1.7), ("xyz", "zyx", "yzx")):
            with self.subTest(boundary=boundary, centering=centering, helmholtz=helmholtz, labels=labels):
                u = 1.25 + sum(s * x for s, x in zip(self.SLOPE, coordinates(centering)))
                if "periodic" in boundary:
                    u = u - self.SLOPE[0] * coordinates(centering)[0]  # constant along the periodic axis
                faces = self.faces(boundary, centering, u, arrays=labels == "zyx")
                f = -helmholtz * u
                for axis, pair in enumerate(kinds(boundary)):
                    for side, kind in enumerate(pair):
                        if (kind, centering[axis]) == ("dirichlet", "node"):
                            np.moveaxis(f, axis, 0)[(0, -1)[side]] = 1e3  # ignored
                self.put(f, box(boundary, centering, helmholtz=helmholtz, axis_labels=list(labels)), faces)
                if helmholtz == 0 and not any("dirichlet" in kind for kind in boundary):
                    w = np.einsum("i,j,k->ijk", *(weights(*axis) for axis in zip(SHAPE, centering, boundary)))
                    u = u - (w * u).sum() / w.sum()
                self.check(u, 200)

    def test_signs_are_those_of_the_outward_normal(self):
        """u = x between 1 at the lower face and du/dn = +1 above: written out, not computed."""
        for centering, u in (("cell", [1.05, 1.15, 1.25, 1.35]), ("node", [1.0, 1.1, 1.2, 1.3])):
            with self.subTest(centering=centering):
                path = self.field("field.h5", np.zeros((4, 1, 1)), attributes={
                    "spacing": (0.1, 1.0, 1.0), "centering": [centering, "cell", "cell"],
                    "boundary": ["dirichlet:neumann", "periodic", "periodic"]})
                with h5py.File(path, "a") as file:
                    file["boundary_values/x_lower"] = 1.0
                    file["boundary_values/x_upper"] = 1.0
                self.run_well("-i", "field.h5")
                np.testing.assert_allclose(self.solution().ravel(), u, rtol=1e-14)

    def test_scale_leaves_them_alone(self):
        boundary, centering = MIXES[3]
        u = 1.25 + sum(s * x for s, x in zip(self.SLOPE, coordinates(centering)))
        faces = self.faces(boundary, centering, u, arrays=True)
        self.put(-1.7 * u / -4.0, box(boundary, centering, helmholtz=1.7), faces)
        self.check(u, 200, "--scale", "-4")


class AgainstDense(BoundaryValues):
    """Random values on every point of every face, against matrices."""

    def random_faces(self, boundary, centering, seed=7):
        corner = noise(*SHAPE, seed=seed)  # Dirichlet nodes take theirs from one field, so that edges agree
        faces = {}
        for axis, pair in enumerate(kinds(boundary)):
            for side, kind in enumerate(pair):
                shape = [n for a, n in enumerate(SHAPE) if a != axis]
                if (kind, centering[axis]) == ("dirichlet", "node"):
                    faces[axis, side] = np.take(corner, -side, axis)
                elif kind != "periodic":
                    faces[axis, side] = noise(*shape, seed=seed + 3 * axis + side + 1)
        return faces

    def compare(self, boundary, centering, helmholtz, dtype="f8", options=(), **storage):
        f = noise(*SHAPE, dtype=dtype)
        faces = {face: values.astype(dtype) for face, values in self.random_faces(boundary, centering).items()}
        self.put(f, box(boundary, centering, helmholtz=helmholtz), faces, **storage)
        wanted, mean = solve(f.astype("f8"), SPACING, centering, boundary, helmholtz, faces)
        precision = dtype[-2:]
        report = self.check(wanted, 50 if precision == "f4" else 2000, *options, precision=precision)
        whole = with_faces(f, SPACING, centering, boundary, faces)
        self.assertAlmostEqual(report["mean_removed"], mean, delta=50 * EPS[precision] * np.abs(whole).max())
        return report, faces

    def test_double(self):
        for (boundary, centering), helmholtz in itertools.product(MIXES, (0.0, 0.9)):
            with self.subTest(boundary=boundary, centering=centering, helmholtz=helmholtz):
                self.compare(boundary, centering, helmholtz)

    def test_single(self):
        for boundary, centering in MIXES:
            with self.subTest(boundary=boundary, centering=centering):
                self.compare(boundary, centering, 0.9, "f4")

    def test_faces_that_are_zero_in_places(self):
        f, face = noise(*SHAPE), noise(6, 9, seed=3)
        face[0, 0] = face[2:5] = 0.0
        boundary, centering = ("dirichlet", "neumann", "dirichlet"), ("cell", "node", "cell")
        self.put(f, box(boundary, centering), {(0, 1): face})
        self.check(solve(f, SPACING, centering, boundary, 0.0, {(0, 1): face})[0], 2000)

    def test_dirichlet_nodes_hold_the_values(self):
        boundary, centering = MIXES[2]
        _, faces = self.compare(boundary, centering, 0.0)
        for (axis, side), face in faces.items():
            np.testing.assert_array_equal(np.take(self.solution(), -side, axis), face)

    def test_layouts(self):
        for dtype, storage in ((">f4", {"chunks": (2, 3), "compression": "gzip", "shuffle": True}),
                               (">f8", {"chunks": (6, 6), "fletcher32": True, "maxshape": (None, None)})):
            with self.subTest(dtype=dtype):
                self.compare(*MIXES[0], 0.0, dtype, **storage)

    def test_memory_and_threads(self):
        for options in (["--memory", "standard"], ["--threads", "1"], ["--threads", "3", "--memory", "standard"]):
            with self.subTest(options=options):
                self.compare(*MIXES[3], 0.0, options=options)

    def test_values_in_double_for_a_field_in_single(self):
        """Rounded for the solver; the residual is measured with the values as they are."""
        boundary, centering = MIXES[5]
        f, faces = noise(*SHAPE, dtype="f4"), self.random_faces(*MIXES[5])
        self.put(f, box(boundary, centering), faces)
        wanted, _ = solve(f, SPACING, centering, boundary, 0.0, faces)
        self.check(wanted, 50, precision="f4")

    def test_options_say_what_kind_the_values_are(self):
        """The same numbers, read as u, then as its derivative."""
        f, face = noise(*SHAPE), noise(SHAPE[0], SHAPE[2], seed=3)
        self.put(f, box(("dirichlet",) * 3, ("cell",) * 3), {(1, 0): face})
        for kind in ("dirichlet", "neumann:dirichlet"):
            for centering in (("cell", "cell", "cell"), ("cell", "node", "cell")):
                with self.subTest(kind=kind, centering=centering):
                    wanted, _ = solve(f, SPACING, centering, ("dirichlet", kind, "dirichlet"), 0.0, {(1, 0): face})
                    self.check(wanted, 2000, "--boundary", f"y={kind}", "--centering", ",".join(centering))


class Refused(BoundaryValues):
    def refuse_faces(self, status, words, faces, *options, attributes=None):
        path = self.field("field.h5", noise(5, 6, 7), attributes=attributes or UNIT_BOX)
        with h5py.File(path, "a") as file:
            for name, face in faces.items():
                file[f"boundary_values/{name}"] = face
        self.refuse(status, ["field.h5", "/boundary_values", *words], "-i", "field.h5", *options)

    def test_names(self):
        self.refuse_faces(3, ["w_lower", "x_lower, x_upper, y_lower"], {"w_lower": 1.0})
        self.refuse_faces(3, ["x_left", "z_upper"], {"x_left": 1.0})
        labels = {**UNIT_BOX, "axis_labels": ["r", "s", "t"]}
        self.refuse_faces(3, ["x_lower", "r_lower, r_upper"], {"x_lower": 1.0}, attributes=labels)

    def test_shapes(self):
        self.refuse_faces(3, ["x_lower", "2-D of extents 7 x 6", "6 x 7"], {"x_lower": noise(7, 6)})
        self.refuse_faces(3, ["z_upper", "3-D of extents 5 x 6 x 1", "5 x 6"], {"z_upper": noise(5, 6, 1)})
        self.refuse_faces(3, ["y_upper", "1-D of extents 35", "5 x 7"], {"y_upper": noise(35)})

    def test_types(self):
        self.refuse_faces(3, ["x_lower", "int64", "float32 or float64"], {"x_lower": 1})
        self.refuse_faces(3, ["x_lower", "text", "float32 or float64"], {"x_lower": "one"})

    def test_numbers_that_are_none(self):
        for value, word in ((np.nan, "nan"), (np.inf, "found inf"), (-np.inf, "found -inf")):
            face = noise(5, 7)
            face[3, 2] = value
            self.refuse_faces(3, ["y_lower", word, "[3, 2]", "finite"], {"y_lower": face})
            self.refuse_faces(3, ["y_lower", word, "finite"], {"y_lower": value})

    def test_too_large_for_single(self):
        face = noise(6, 7)
        face[4, 5] = -1e300
        self.refuse_faces(3, ["x_lower", "-1e+300", "[4, 5]", "single"], {"x_lower": face}, "--precision", "single")
        self.refuse_faces(3, ["x_lower", "1e+39", "single"], {"x_lower": 1e39}, "--precision", "single")

    def test_periodic(self):
        periodic = {**UNIT_BOX, "boundary": ["dirichlet", "periodic", "dirichlet"]}
        for value in (1.0, 0.0, noise(5, 7)):
            self.refuse_faces(3, ["y_upper", "axis y", "periodic"], {"y_upper": value}, attributes=periodic)
        self.refuse_faces(3, ["x_lower", "axis x", "periodic"], {"x_lower": 1.0}, "--boundary", "x=periodic")

    def test_edges_that_disagree(self):
        nodes = {**UNIT_BOX, "centering": "node"}
        face = np.ones((5, 7))
        face[3, -1] = 1.5
        faces = {f"{axis}_{side}": 1.0 for axis in "xyz" for side in SIDES}
        self.refuse_faces(3, ["y_lower", "z_upper", "x index 3", "1.5", "found 1.5 and 1"], {**faces, "y_lower": face},
                          attributes=nodes)
        self.refuse_faces(3, ["x_lower", "y_lower", "1", "0"], {"x_lower": 1.0}, attributes=nodes)
        # Cells have no common points, and where a wall is Neumann there is nothing to agree on.
        for boundary, centering in (("dirichlet", "cell"), ("x=dirichlet,y=neumann,z=neumann", "node")):
            self.put(noise(5, 6, 7), UNIT_BOX, {(0, 0): 1.0})
            self.run_well("-i", "field.h5", "--boundary", boundary, "--centering", centering)

    def test_spectral(self):
        self.refuse_faces(2, ["x_lower", "spectral", "second-order"], {"x_lower": 1.0}, "--discretization", "spectral")
        self.refuse_faces(2, ["x_lower", "spectral"], {"x_lower": noise(6, 7)}, "--discretization", "spectral")
        self.put(noise(5, 6, 7), UNIT_BOX, {(0, 0): 0.0, (1, 1): np.zeros((5, 7))})
        self.run_well("-i", "field.h5", "--discretization", "spectral")

    def test_before_the_field_is_read(self):
        """A large field is not read in vain."""
        values = noise(5, 6, 7)
        values[0, 0, 0] = np.nan
        with h5py.File(self.field("field.h5", values, attributes={**UNIT_BOX, "boundary": "periodic"}), "a") as file:
            file["boundary_values/x_lower"] = 1.0
        self.refuse(3, ["x_lower", "periodic"], "-i", "field.h5")

    def test_json(self):
        self.put(noise(5, 6, 7), UNIT_BOX, {(0, 0): np.ones((2, 2))})
        done = self.run_well("-i", "field.h5", "--json", "-", status=3)
        self.assertEqual(set(done.json), {"status", "message"})
        self.assertIn("x_lower", done.json["message"])


class Solvability(BoundaryValues):
    """Neumann walls: the flux through them and the sources inside must balance."""

    BOX = box(("neumann", "neumann", "periodic"), ("cell", "node", "cell"))
    AXES = (("neumann", "neumann", "periodic"), ("cell", "node", "cell"))

    def balanced(self):
        """Sources and fluxes, none of them constant, and f so that f and fluxes together have mean 0."""
        f = 1e3 * noise(*SHAPE)
        faces = {(0, 0): noise(6, 9, seed=2) + 3.0, (0, 1): -1.5, (1, 0): 40.0, (1, 1): noise(7, 9, seed=4)}
        _, mean = solve(f, SPACING, self.AXES[1], self.AXES[0], 0.0, faces)
        return f - mean, faces

    def whole(self, f, faces):
        return with_faces(f, SPACING, self.AXES[1], self.AXES[0], faces)

    def test_balanced(self):
        f, faces = self.balanced()
        self.put(f, self.BOX, faces)
        for precision, eps in (("double", EPS["f8"]), ("single", EPS["f4"])):
            for options in ([], ["--no-verify"]):
                with self.subTest(precision=precision, options=options):
                    report = self.report("-i", "field.h5", "--strict", "--precision", precision, *options)
                    self.assertLess(report["mean_removed_relative"], 64 * eps)
                    self.assertTrue(report["singular"])

    def test_rounding_is_that_of_the_whole_right_hand_side(self):
        """f is nothing beside what the walls add, which cancels to rounding of itself, not of f."""
        f = 1e-9 * noise(*SHAPE)
        face = 1e6 * (noise(6, 9) + 2.0)
        self.put(f, self.BOX, {(0, 0): face, (0, 1): -face})
        self.run_well("-i", "field.h5", "--strict")
        self.refuse(4, ["mean"], "-i", "field.h5", "--strict", "--scale", "1e12")

    def test_unbalanced(self):
        f, faces = self.balanced()
        faces[1, 0] = 41.0
        self.put(f, self.BOX, faces)
        self.refuse(4, ["boundary values", "mean 0", "--strict"], "-i", "field.h5", "--strict")
        report = self.report("-i", "field.h5", "--strict", status=4)
        self.assertEqual(report["status"], 4)
        self.assertFalse((self.dir / "field.solution.h5").exists())
        # One more unit of flux through that wall, over the length of the box, leaves in the whole of it.
        mean = -1.0 / (SPACING[1] * (SHAPE[1] - 1))
        for scale, options in ((1.0, []), (1.0, ["--no-verify"]), (1.0, ["--precision", "single"])):
            with self.subTest(options=options):
                report = self.report("-i", "field.h5", *options)
                eps = EPS["f4"] if "single" in options else EPS["f8"]
                largest = np.abs(self.whole(f, faces)).max()
                self.assertAlmostEqual(report["mean_removed"], mean, delta=64 * eps * largest)
                self.assertAlmostEqual(report["mean_removed_relative"], -mean / largest, delta=64 * eps)

    def test_units_are_those_of_the_scaled_right_hand_side(self):
        f, faces = self.balanced()
        self.put(f / -8.0 + 1.0, self.BOX, faces)
        for options in ([], ["--no-verify"]):
            report = self.report("-i", "field.h5", "--scale", "-8", *options)
            largest = np.abs(self.whole(f - 8.0, faces)).max()
            self.assertAlmostEqual(report["mean_removed"], -8.0, delta=1e-11)
            self.assertAlmostEqual(report["mean_removed_relative"], 8.0 / largest, delta=1e-13)

    def test_largest_value_of_several_slabs(self):
        """Counted once, at the walls where it is: f is -5 but in the first plane, where the wall alone adds -1 ..."""
        f = np.full((300, 100, 100), -5.0)
        f[0] = 0.0
        box = {"spacing": (0.5, 1.0, 1.0), "boundary": "neumann"}
        mean = f.mean() - 1.0 / 300
        self.put(f, box, {(0, 0): 0.5})
        report = self.report("-i", "field.h5", "--no-verify")
        self.assertAlmostEqual(report["mean_removed_relative"], -mean / 5.0, delta=1e-14)
        # ... or -10.
        self.put(f, box, {(0, 0): 5.0})
        mean = f.mean() - 10.0 / 300
        report = self.report("-i", "field.h5", "--no-verify")
        self.assertAlmostEqual(report["mean_removed_relative"], -mean / 10.0, delta=1e-14)

    def test_told(self):
        f, faces = self.balanced()
        self.put(f + 1.0, self.BOX, faces)
        report = self.report("-i", "field.h5")
        found = self.attributes()
        for key in ("mean_removed", "mean_removed_relative"):
            self.assertEqual(found[key], report[key])
        names = ["x_lower", "x_upper", "y_lower", "y_upper"]
        self.assertEqual(report["boundary_values"], names)
        self.assertEqual(strings(found["boundary_values"]), names)
        table = self.run_well("-i", "field.h5").stdout
        self.assertIn(f"{report['mean_removed_relative']:.3g} of its largest value", table)
        self.assertIn(", ".join(names), table)
        self.assertLess(max(map(len, table.splitlines())), 110)
        self.field("field.h5", f)
        report = self.report("-i", "field.h5")
        self.assertEqual((report["mean_removed"], report["mean_removed_relative"]), (0, 0))
        self.assertEqual(report["boundary_values"], [])
        self.assertNotIn("boundary_values", self.attributes())

    def test_nothing_at_all(self):
        self.put(np.zeros(SHAPE), self.BOX, {})
        for options in ([], ["--strict"], ["--no-verify"]):
            report = self.report("-i", "field.h5", *options)
            self.assertEqual((report["mean_removed"], report["mean_removed_relative"]), (0, 0))


class Around(BoundaryValues):
    """What else the program does with a solution."""

    def test_exact(self):
        centering = ("node", "cell", "node")
        u = sum(slope * x for slope, x in zip((1.0, 2.0, 4.0), coordinates(centering)))
        with h5py.File(self.put(np.zeros(SHAPE), box(("dirichlet", "neumann", "neumann"), centering), {
                (0, 0): np.take(u, 0, 0), (0, 1): np.take(u, -1, 0), (1, 0): -2.0, (1, 1): 2.0, (2, 0): -4.0,
                (2, 1): 4.0}), "a") as file:
            file["exact"] = u
        self.assertLess(self.report("-i", "field.h5", "--exact", "/exact")["error"]["max"], 1e-13)

    def test_preview_of_the_right_hand_side(self):
        """... is that of the file, without what the walls add."""
        f = noise(*SHAPE)
        self.put(f, UNIT_BOX, {})
        run = ["-i", "field.h5", "--preview-of", "rhs", "--scale", "3"]
        self.run_well(*run, "--preview", "a.png")
        self.put(f, UNIT_BOX, {(0, 0): 1e3})
        self.run_well(*run, "--preview", "b.png")
        self.assertEqual((self.dir / "a.png").read_bytes(), (self.dir / "b.png").read_bytes())

    def test_input_is_not_touched(self):
        path = self.put(noise(*SHAPE), UNIT_BOX, {(0, 0): noise(6, 9), (1, 1): 2.0})
        path.chmod(0o444)
        before = path.read_bytes()
        self.run_well("-i", "field.h5")
        self.assertEqual(path.read_bytes(), before)

    def test_runs_repeat_to_the_bit(self):
        self.put(noise(*SHAPE), UNIT_BOX, {(0, 0): noise(6, 9), (1, 1): 2.0})
        self.run_well("-i", "field.h5", "-o", "a.h5")
        self.run_well("-i", "field.h5", "-o", "b.h5")
        self.assertEqual((self.dir / "a.h5").read_bytes(), (self.dir / "b.h5").read_bytes())


if __name__ == "__main__":
    main()
