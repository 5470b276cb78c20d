"""Positions, coefficients and Robin faces that cannot be solved with: exit code 3, what was found, what is wanted."""

from program import UNIT_BOX, ProgramTest, h5py, main, noise, np


class BadPositions(ProgramTest):
    """Axis y of 5 x 6 x 7 cells has positions."""

    GOOD = np.array([0.0, 0.1, 0.3, 0.4, 0.45, 0.7, 1.0])

    def refuse_positions(self, words, positions, *options, status=3, name="y", attributes=None):
        path = self.field("field.h5", noise(5, 6, 7), attributes={**UNIT_BOX, **(attributes or {})})
        with h5py.File(path, "a") as file:
            file[f"positions/{name}"] = positions
        self.refuse(status, words if status == 2 else ["field.h5", *words], "--input", "field.h5", *options)

    def changed(self, index, value):
        values = self.GOOD.copy()
        values[index] = value
        return values

    def test_counts_and_shapes(self):
        self.refuse_positions(["/positions/y", "found 5 numbers", "7 numbers, the faces of cells"], self.GOOD[:5])
        self.refuse_positions(["axis y", "found 6 numbers", "6 cells have 7"], self.GOOD[:6])
        self.refuse_positions(["axis y", "found 7 numbers", "6 nodes have 6"], self.GOOD, "--centering", "y=node")
        self.refuse_positions(["/positions/y", "2-D", "1-D"], self.GOOD.reshape(7, 1))
        self.refuse_positions(["/positions/y", "int64", "float64"], np.arange(7))
        self.refuse_positions(["/positions", "found w", "x, y, z"], self.GOOD, name="w")

    def test_order_and_numbers(self):
        self.refuse_positions(["axis y", "0.05 at index 2 after 0.1", "rise strictly"], self.changed(2, 0.05))
        self.refuse_positions(["axis y", "0.1 at index 2 after 0.1", "rise strictly"], self.changed(2, 0.1))
        self.refuse_positions(["/positions/y", "found nan at index 4", "finite"], self.changed(4, np.nan))
        self.refuse_positions(["axis y", "up to index 2", "three digits"], self.changed(2, 0.1 + 1e-13))

    def test_what_they_do_not_go_with(self):
        self.refuse_positions(
            ["axis y", "spectral", "second-order"], self.GOOD, "--discretization", "spectral", status=2
        )
        self.refuse_positions(["axis y", "Helmholtz constant", "-1e+06"], self.GOOD, "--helmholtz", "-1e6", status=2)

    def test_spacing_of_the_other_axes(self):
        path = self.field("field.h5", noise(5, 6, 7), attributes={"boundary": "dirichlet"})
        with h5py.File(path, "a") as file:
            file["positions/y"] = self.GOOD
        self.refuse(3, ["axis x", "--spacing"], "--input", "field.h5")


class BadCoefficients(ProgramTest):
    """Axis y of 5 x 6 x 7 cells is given by conductances and weights."""

    LINKS, WEIGHTS = np.array([4.0, 1.0, 2.0, 3.0, 1.5, 0.5, 2.5]), np.array([1.0, 0.5, 0.25, 2.0, 1.0, 3.0])

    def refuse_numbers(self, words, *options, status=3, links=LINKS, weights=WEIGHTS, name="y", **attributes):
        path = self.field("field.h5", noise(5, 6, 7), attributes={**UNIT_BOX, **attributes})
        with h5py.File(path, "a") as file:
            if links is not None:
                file[f"conductances/{name}"] = links
            if weights is not None:
                file[f"weights/{name}"] = weights
        self.refuse(status, words if status == 2 else ["field.h5", *words], "--input", "field.h5", *options)

    def changed(self, values, index, value):
        values = values.copy()
        values[index] = value
        return values

    def test_one_without_the_other(self):
        self.refuse_numbers(["/conductances/y", "without /weights/y"], weights=None)
        self.refuse_numbers(["/weights/y", "without /conductances/y"], links=None)

    def test_counts_and_shapes(self):
        self.refuse_numbers(["/conductances/y", "found 4 numbers", "7 numbers for cells"], links=self.LINKS[:4])
        self.refuse_numbers(["/weights/y", "found 5 numbers", "6 numbers, one for each"], weights=self.WEIGHTS[:5])
        self.refuse_numbers(["axis y", "conductances", "found 6 numbers", "6 cells have 7"], links=self.LINKS[:6])
        self.refuse_numbers(["axis y", "conductances", "found 7 numbers", "6 nodes have 5"], "--centering", "y=node")
        self.refuse_numbers(["axis y", "found 7 numbers", "6 periodic nodes have 6"], "--centering", "y=node",
                            "--boundary", "y=periodic")
        self.refuse_numbers(["/conductances/y", "2-D", "1-D"], links=self.LINKS.reshape(7, 1))
        self.refuse_numbers(["/weights/y", "int64", "float64"], weights=np.arange(1, 7))
        self.refuse_numbers(["/conductances", "found w", "x, y, z"], name="w")

    def test_numbers(self):
        self.refuse_numbers(["/conductances/y", "found nan at index 4"], links=self.changed(self.LINKS, 4, np.nan))
        self.refuse_numbers(["/weights/y", "found inf at index 4"], weights=self.changed(self.WEIGHTS, 4, np.inf))
        self.refuse_numbers(["/conductances/y", "found -1 at index 4"], links=self.changed(self.LINKS, 4, -1))
        self.refuse_numbers(["/weights/y", "found 0 at index 4", "above 0"], weights=self.changed(self.WEIGHTS, 4, 0))
        for index in (0, 6):  # a wall that something goes through
            self.refuse_numbers(["axis y", "conductances", f"found 0 at index {index}", "above 0"],
                                links=self.changed(self.LINKS, index, 0))
        self.refuse_numbers(["axis y", "4 first and 2.5 last", "closes the ring"], "--boundary", "y=periodic")

    def test_what_they_do_not_go_with(self):
        self.refuse_numbers(["axis y", "spectral", "second-order"], "--discretization", "spectral", status=2)
        self.refuse_numbers(["axis y", "middle transform"], "--middle", "transform", status=2)


class BadRobin(ProgramTest):
    def refuse_robin(self, words, *options, status=3, **attributes):
        box = {**UNIT_BOX, "boundary": ["neumann", "robin:neumann", "neumann"], **attributes}
        self.field("field.h5", noise(5, 6, 7), attributes=box)
        self.refuse(status, words, "--input", "field.h5", *options)

    def test_numbers(self):
        self.refuse_robin(["robin_y_lower", "never guessed", "--boundary"])
        self.refuse_robin(["robin_y_lower", "found 1 number", "2 finite numbers"], robin_y_lower=1.0)
        self.refuse_robin(["robin_y_lower", "nan"], robin_y_lower=[1.0, np.nan])
        self.refuse_robin(["lower case: robin_y_lower"], ROBIN_y_lower=[1.0, 1.0])
        self.refuse_robin(["axis y", "α = 0, β = 0", "above 0"], robin_y_lower=[0.0, 0.0])
        self.refuse_robin(["axis y", "α = 1, β = -1", "opposite signs"], robin_y_lower=[1.0, -1.0])
        self.refuse_robin(["axis y", "α = -1, β = -1", "turn the sign"], robin_y_lower=[-1.0, -1.0])
        self.refuse_robin(["axis y", "use dirichlet"], "--centering", "node", robin_y_lower=[1.0, 0.0])

    def test_options(self):
        for word, found in (
            ("robin:1", "robin:ALPHA:BETA"),
            ("robin:1:two", "robin:ALPHA:BETA"),
            ("robin:1:2:3", "'3'"),
            ("dirichlet:1:2", "'1'"),
            ("neumann:robin:1:2:neumann", "robin:ALPHA:BETA"),
        ):
            with self.subTest(word=word):
                self.refuse_robin(["--boundary", found], "--boundary", f"y={word}", status=2)


if __name__ == "__main__":
    main()
