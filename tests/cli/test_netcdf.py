"""Outputs as xarray and h5netcdf read them: dimensions, coordinates and units, of steps and axes that differ, too.

Skipped without these two."""

import sys

from program import SKIPPED, ProgramTest, h5py, main, noise, np

try:
    import h5netcdf
    import xarray
except ImportError as missing:
    print(f"skipped: {missing} (needed: xarray, h5netcdf)")
    sys.exit(SKIPPED)

LINES = {"u": 0.1 * (np.arange(3) + 0.5), "v": 0.25 * np.arange(4), "w": 2.0 + 0.3 * (np.arange(7) + 0.5)}
BOX = {"spacing": (0.1, 0.25, 0.3), "origin": (0.0, 0.0, 2.0), "boundary": ["dirichlet", "neumann", "periodic"],
       "centering": ["cell", "node", "cell"], "axis_labels": list("uvw"), "units": "C/m^3", "length_units": "m",
       "solution_units": "V"}


class Labels(ProgramTest):
    def read(self, group=None):
        with xarray.open_dataset(self.dir / "field.solution.h5", engine="h5netcdf", group=group) as found:
            return found.load()

    def check(self, array, dims, units):
        self.assertEqual((array.dims[-3:], array.attrs["units"]), (dims, units))
        for dim in dims:
            line = array.coords[dim]
            np.testing.assert_allclose(line.values, LINES[dim], rtol=0, atol=1e-14)
            self.assertEqual((line.dims, line.attrs["units"]), ((dim,), "m"))

    def test_solution_and_gradient(self):
        self.field("field.h5", noise(3, 4, 7), attributes=BOX)
        self.run_well("-i", "field.h5", "--gradient", "-q")
        found = self.read()
        self.assertEqual(list(found.data_vars), ["solution"])
        self.check(found["solution"], tuple("uvw"), "V")
        np.testing.assert_array_equal(found["solution"].values, self.solution())
        with h5netcdf.File(self.dir / "field.solution.h5") as file:  # xarray takes /gradient/u for a coordinate
            for name in "uvw":
                slope = file["gradient"].variables[name]
                self.assertEqual((slope.dimensions, slope.attrs["units"]), (tuple("uvw"), "V/m"))
                np.testing.assert_array_equal(slope[...], self.solution(dataset=f"/gradient/{name}"))

    def test_selection_by_position(self):
        f = noise(3, 4, 7)
        self.field("field.h5", f, attributes=BOX)
        self.run_well("-i", "field.h5", "-q")
        plane = self.read()["solution"].sel(w=3.4, method="nearest")
        np.testing.assert_array_equal(plane.values, self.solution()[:, :, 4])

    def test_steps_have_a_dimension_of_their_own(self):
        f = noise(2, 4, 3, 4, 7)
        for values, chosen, dims, numbers in ((f, "all", ("step0", "step1"), ([0, 1], [0, 1, 2, 3])),
                                              (f, "1:8:3", ("step",), ([1, 4, 7],)),
                                              (f[1], "all", ("step",), ([0, 1, 2, 3],)), (f[1], "2:", ("step",), ([2, 3],))):
            with self.subTest(steps=chosen, shape=values.shape):
                self.field("field.h5", values, attributes=BOX)
                self.run_well("-i", "field.h5", "--step", chosen, "--gradient", "-q")
                found = self.read()["solution"]
                self.check(found, tuple("uvw"), "V")
                self.assertEqual(found.dims[:-3], dims)
                for name, wanted in zip(dims, numbers):
                    self.assertEqual(list(found.coords[name].values), wanted)

    def test_steps_of_an_axis_that_differ(self):
        with h5py.File(self.field("field.h5", noise(3, 4, 7), attributes={**BOX, "centering": "cell"}), "a") as file:
            file["positions/v"] = [0.0, 0.1, 0.4, 0.5, 1.5]
        self.run_well("-i", "field.h5", "-q")
        np.testing.assert_allclose(self.read()["solution"].coords["v"].values, [0.05, 0.25, 0.45, 1.0], atol=1e-14)


if __name__ == "__main__":
    main()
