"""Solves of labelled arrays: the same bits as with the numbers given by hand, and labels that stay."""

import sys

from python_test import PythonTest, main, SKIPPED, noise, np, poisson3d

try:
    import xarray
    import poisson3d.xarray
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

LON, LAT, DEPTH = 0.25 + 0.5 * np.arange(6), 10 + 0.1 * np.arange(5), np.array([0.0, 0.1, 0.3, 0.4, 0.8, 1.3, 1.5])


def labelled(dtype="f8"):
    return xarray.DataArray(noise(6, 5, 7, dtype=dtype), {"lon": LON, "lat": LAT, "depth": DEPTH, "time": 3.0},
                            ("lon", "lat", "depth"), name="rho", attrs={"units": "C"})


BOUNDARY = {"lon": "periodic", "lat": "neumann", "depth": ("dirichlet", "neumann")}
BY_HAND = dict(spacing=(0.5, 0.1, DEPTH), boundary=("periodic", "neumann", "dirichlet:neumann"),
               centering=("cell", "cell", "node"), engine="host")
LABELS = dict(boundary=BOUNDARY, centering={"depth": "node", "lon": "cell", "lat": "cell"}, engine="host")


class Labels(PythonTest):
    def test_numbers_and_names(self):
        for dtype in ("f8", "f4"):
            f = labelled(dtype)
            u = poisson3d.xarray.solve(f, scale=2.0, **LABELS)
            wanted = poisson3d.solve(f.values, scale=2.0, **BY_HAND)
            self.assertEqual((u.dims, u.name, u.dtype, u.attrs), (f.dims, "solution", f.dtype, {}))
            self.assertEqual(set(u.coords), set(f.coords))
            for name in f.coords:
                self.assertTrue(u.coords[name].identical(f.coords[name]), name)
            self.assert_close(u.values, wanted, 1e-13 if dtype == "f8" else 1e-5)

    def test_other_orders_and_a_batch(self):
        f = labelled()
        u = poisson3d.xarray.solve(f, **LABELS)
        turned = poisson3d.xarray.solve(f.transpose("depth", "lon", "lat").copy(), dims=("lon", "lat", "depth"),
                                        **LABELS)
        self.assertEqual(turned.dims, ("depth", "lon", "lat"))
        self.assert_close(turned.transpose(*f.dims).values, u.values, 1e-14)
        many = xarray.concat([f, 2 * f, -f], dim="member")
        self.assert_close(poisson3d.xarray.solve(many, **LABELS).values, np.stack([u, 2 * u, -u]), 1e-14)

    def test_boundary_values(self):
        f = labelled()
        wall = xarray.DataArray(noise(5, 6, seed=2), dims=("lat", "lon"))
        u = poisson3d.xarray.solve(f, boundary_values={"depth_lower": wall, "lat_upper": 0.5}, **LABELS)
        wanted = poisson3d.solve(f.values, boundary_values={"z_lower": wall.values.T.copy(), "y_upper": 0.5}, **BY_HAND)
        self.assert_close(u.values, wanted, 1e-13)
        walls = xarray.concat([wall, 3 * wall], dim="member")
        many = poisson3d.xarray.solve(xarray.concat([f, f], dim="member"), boundary_values={"depth_lower": walls},
                                      **LABELS)
        for one, by in zip(many, (1, 3)):
            self.assert_close(one.values, poisson3d.xarray.solve(f, boundary_values={"depth_lower": by * wall},
                                                                 **LABELS).values, 1e-14)

    def test_refusals(self):
        f = labelled()
        cases = (
            ("the steps of coordinate 'depth' differ", f, dict(LABELS, centering="cell")),
            ("dimension 'lat' has no coordinate", f.drop_vars("lat"), LABELS),
            ("coordinate 'lat' does not rise", f.isel(lat=slice(None, None, -1)), LABELS),
            ("dimension 'lon' has one point", f.isel(lon=[0]), LABELS),
            ("boundary: found dimension 'x'", f, dict(LABELS, boundary={"x": "periodic"})),
            ("dims: found", f, dict(LABELS, dims=("lon", "lat"))),
            ("boundary_values: found 'up_lower', wanted lon_lower", f, dict(LABELS, boundary_values={"up_lower": 1})),
        )
        for sentence, array, arguments in cases:
            with self.refused(sentence):
                poisson3d.xarray.solve(array, **arguments)
        with self.refused("f: found ndarray, wanted a DataArray"):
            poisson3d.xarray.solve(f.values, **LABELS)


if __name__ == "__main__":
    main()
