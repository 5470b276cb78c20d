"""DistributedSolver by the ranks of mpi4py's communicators, against Solver on the whole box.

Run by mpirun with any number of ranks; a failure on one ends all. Without mpi4py 77."""

import sys
import unittest

from python_test import SKIPPED, PythonTest, eps, noise, poisson3d, np, Solver

try:
    from mpi4py import MPI
    from poisson3d import _mpi
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-mpi4py)")
    sys.exit(SKIPPED)
if ("Open MPI" in MPI.Get_library_version()) != (_mpi.built_with == "Open MPI"):
    with unittest.TestCase().assertRaisesRegex(poisson3d.UsageError, f"wanted {_mpi.built_with}"):
        poisson3d.DistributedSolver((4, 4, 4), spacing=1, boundary="dirichlet", comm=MPI.COMM_WORLD)
    print(f"skipped: mpi4py is not that of {_mpi.built_with}")
    sys.exit(SKIPPED)

ALL = MPI.COMM_WORLD
LAST = ALL.size - 1
ME_LAST = ALL.rank == LAST
SHAPE = (11, 7, 37)
MIXED = ("dirichlet:neumann", "periodic", "neumann")


def distributed(shape=SHAPE, dtype="f8", **arguments):
    return poisson3d.DistributedSolver(shape, dtype, **{"spacing": (0.1, 0.2, 0.15), "boundary": MIXED, "comm": ALL,
                                                        "threads": 1, **arguments})


def alone(shape=SHAPE, dtype="f8", **arguments):
    return Solver(shape, dtype, **{"spacing": (0.1, 0.2, 0.15), "boundary": MIXED, "threads": 1, "middle": "transform",
                                   **arguments})


def uneven(points, parts, seed):
    """Points of each of so many parts; some have none."""
    cuts = np.sort(np.random.default_rng(seed).integers(0, points + 1, parts - 1))
    return list(np.diff([0, *cuts, points]))


class Ranks(PythonTest):
    def cuts(self, shape=SHAPE):
        rows, columns = MPI.Compute_dims(ALL.size, 2)
        yield {"decomposition": "automatic"}
        yield {"decomposition": "slabs"}
        yield {"decomposition": "pencils"}
        yield {"decomposition": (rows, columns)}
        yield {"decomposition": (columns, rows), "order": list(range(ALL.size))[::-1]}
        yield {"decomposition": (uneven(shape[0], ALL.size, 1),)}
        yield {"decomposition": (uneven(shape[0], rows, 2), uneven(shape[1], columns, 3))}

    def test_what_one_solver_solves(self):
        for dtype in ("f4", "f8"):
            f = noise(*SHAPE, dtype=dtype)
            for boundary, centering in ((MIXED, "cell"), ("dirichlet", "node"), ("neumann", ("cell", "node", "cell")),
                                        ("periodic", "cell")):
                words = {"boundary": boundary, "centering": centering}
                one = alone(dtype=dtype, **words)
                wanted = one.solve(f, scale=2.0)
                for cut in self.cuts():
                    for method in ("eliminate", "transpose"):
                        solver = distributed(dtype=dtype, method=method, **words, **cut)
                        u = solver.solve(f[solver.slices].copy(), scale=2.0)
                        self.assertEqual(solver.method, method)
                        self.assertEqual(u.shape, solver.local_shape)
                        self.assertEqual(u.dtype, np.dtype(dtype))
                        if u.size > 0:
                            self.assertLess(np.abs(u - wanted[solver.slices]).max(),
                                            100 * eps(dtype) * np.abs(wanted).max(), (words, cut, method))
                        self.assertEqual(solver.result.singular, one.result.singular)
                        self.assertAlmostEqual(solver.result.mean_removed, one.result.mean_removed, 5)

    def test_slabs_that_are_transposed_have_the_bits_of_one(self):
        f = noise(*SHAPE)
        solver = distributed(decomposition="slabs", method="transpose")
        np.testing.assert_array_equal(solver.solve(f[solver.slices].copy()), alone().solve(f)[solver.slices])

    def test_boxes_are_a_tiling(self):
        for cut in self.cuts():
            solver = distributed(**cut)
            seen = np.zeros(SHAPE, int)
            for rank in range(solver.size):
                offset, shape = solver.box(rank)
                seen[tuple(slice(o, o + n) for o, n in zip(offset, shape))] += 1
            self.assertTrue((seen == 1).all(), cut)
            self.assertEqual(solver.box(), (solver.offset, solver.local_shape))
            for along, cut_along, whole in zip(solver.positions, solver.slices, alone().positions):
                np.testing.assert_array_equal(along, whole[cut_along])
        with self.refused("member: found"):
            solver.box(ALL.size)

    def test_an_order_of_ranks(self):
        order = [(rank + 1) % ALL.size for rank in range(ALL.size)]
        solver, other = distributed(order=order), distributed()
        for rank in range(ALL.size):
            self.assertEqual(solver.box(rank), other.box(order[rank]))

    def test_boxes_that_ranks_have_anyway(self):
        f, values = noise(*SHAPE), {"x_lower": noise(7, 37, seed=2), "z_lower": noise(11, 7, seed=3)}
        wanted = alone().solve(f, boundary_values=values)
        bricks = MPI.Compute_dims(ALL.size, 3)[::-1]
        grid = ALL.Create_cart(bricks)
        cuts = [(n * c // p, n * (c + 1) // p) for n, c, p in zip(SHAPE, grid.coords, bricks)]
        layer = ALL.size - 1 - ALL.rank  # of z
        for box in (([a for a, _ in cuts], [b - a for a, b in cuts]),
                    ((0, 0, 37 * layer // ALL.size),
                     (11, 7, 37 * (layer + 1) // ALL.size - 37 * layer // ALL.size)),
                    ((0, 0, 0), SHAPE if ME_LAST else (0, 0, 0))):
            solver = distributed(box=box)
            self.assertEqual(solver.box(), tuple(map(tuple, box)))
            x, y, z = solver.slices
            u = solver.solve(f[solver.slices], boundary_values={"x_lower": values["x_lower"][y, z],
                                                                "z_lower": values["z_lower"][x, y]})
            if u.size > 0:
                self.assertLess(np.abs(u - wanted[solver.slices]).max(), 1e-13 * np.abs(wanted).max(), box)
        with self.refused("found with decomposition"):
            distributed(box=box, decomposition="slabs")
        with self.refused("wanted \\(offset, shape\\)"):
            distributed(box=(1, 2, 3))
        self.refused_by_last("wanted a whole number", lambda: distributed(box=((0, 0, 0), SHAPE) if not ME_LAST else
                                                                          ((0, 0, -1), SHAPE)))
        if ALL.size > 1:
            with self.refused("overlap"):
                distributed(box=((0, 0, 0), SHAPE))
        grid.Free()

    def test_order_of_a_cartesian_communicator(self):
        grid = ALL.Create_cart(MPI.Compute_dims(ALL.size, 2), periods=(True, False), reorder=True)
        solver = distributed(comm=grid, decomposition=tuple(grid.dims))
        self.assertEqual(solver.rank, grid.rank)
        right = grid.Shift(1, 1)[1]
        if right != MPI.PROC_NULL:  # its neighbour along y begins where it ends
            self.assertEqual(solver.box(right).offset[1], solver.offset[1] + solver.local_shape[1])
            self.assertEqual(solver.box(right).offset[0], solver.offset[0])
        f = noise(*SHAPE)
        self.assert_close(solver.solve(f[solver.slices]), alone().solve(f)[solver.slices], 1e-13)
        del solver
        grid.Free()

    def test_boundary_values_of_parts_of_faces(self):
        f = noise(*SHAPE)
        values = {"x_lower": noise(7, 37, seed=2), "x_upper": 0.25, "z_lower": noise(11, 7, seed=3)}
        wanted = alone().solve(f, boundary_values=values)
        for cut in self.cuts():
            solver = distributed(**cut)
            x, y, _ = solver.slices
            mine = {**values, "x_lower": values["x_lower"][y], "z_lower": values["z_lower"][x, y]}
            u = solver.solve(f[solver.slices], boundary_values=mine)
            if u.size > 0:
                self.assertLess(np.abs(u - wanted[solver.slices]).max(), 1e-13 * np.abs(wanted).max(), cut)

    def test_gradients_of_parts(self):
        values = {"x_lower": noise(7, 37, seed=2), "x_upper": 0.25, "z_lower": noise(11, 7, seed=3)}
        u = noise(2, *SHAPE)
        wanted = alone(batch=2, engine="host").gradient(u, boundary_values=values)
        for cut in self.cuts():
            solver = distributed(batch=2, **cut)
            x, y, _ = solver.slices
            mine = {**values, "x_lower": values["x_lower"][y], "z_lower": values["z_lower"][x, y]}
            found = solver.gradient(u[(slice(None), *solver.slices)].copy(), boundary_values=mine)
            np.testing.assert_array_equal(found, wanted[(slice(None), slice(None), *solver.slices)])
        spectral = {"discretization": "spectral", "boundary": "neumann"}
        wanted = alone(**spectral).gradient(u[0])
        for cut in self.cuts():
            solver = distributed(**spectral, **cut)
            found = solver.gradient(u[0][solver.slices].copy())
            if found.size > 0:
                self.assertLess(np.abs(found - wanted[(slice(None), *solver.slices)]).max(), 1e-12 * np.abs(wanted).max())
        self.refused_by_last("wanted \\(3, ", lambda: solver.gradient(
            u[0][solver.slices].copy(), np.empty((2 if ME_LAST else 3, *solver.local_shape))))

    def test_gradients_beside_free_faces(self):
        free = {"discretization": "spectral", "boundary": ("free", "neumann", "dirichlet:free"), "batch": 2}
        u, f = noise(2, *SHAPE), noise(2, *SHAPE, seed=4)
        wanted = alone(engine="host", **{**free, "middle": "automatic"}).gradient(u, f=f, scale=3.0)
        for cut in self.cuts():
            solver = distributed(**free, **cut)
            here = (slice(None), *solver.slices)
            found = solver.gradient(u[here].copy(), f=f[here].copy(), scale=3.0)
            if found.size > 0:
                self.assertLess(np.abs(found - wanted[(slice(None), *here)]).max(), 1e-12 * np.abs(wanted).max())

    def test_batches_in_place_between_ghost_layers(self):
        fields = noise(3, *SHAPE, dtype="f8")
        wanted = alone(batch=3).solve(fields)
        for decomposition in ("slabs", "pencils"):
            solver = distributed(batch=3, decomposition=decomposition)
            padded = np.full((3, *(n + 2 for n in solver.local_shape)), 7.0)
            inside = padded[:, 1:-1, 1:-1, 1:-1]
            inside[...] = fields[(slice(None), *solver.slices)]
            self.assertIs(solver.solve(inside, inside), inside)
            self.assert_close(inside, wanted[(slice(None), *solver.slices)], 1e-13)
            self.assertEqual((padded == 7.0).sum(), padded.size - inside.size)
            self.assertEqual(len(solver.results), 3)

    def test_the_operator(self):
        f = noise(*SHAPE)
        for method in ("eliminate", "transpose"):
            solver = distributed(method=method, helmholtz=2.0)
            mine = f[solver.slices].copy()
            self.assert_close(solver.apply(solver.solve(mine)), mine, 1e-11)

    def test_more_ranks_than_planes(self):
        shape = (2, 5, 33)
        f = noise(*shape)
        wanted = alone(shape).solve(f)
        for decomposition in ("slabs", "automatic"):
            solver = distributed(shape, decomposition=decomposition)
            u = solver.solve(f[solver.slices].copy())
            np.testing.assert_allclose(u, wanted[solver.slices], atol=1e-13)

    def test_handles_and_halves(self):
        half = ALL.Split(ALL.rank % 2, -ALL.rank)
        f = noise(*SHAPE, seed=9)
        one, other = distributed(comm=ALL.py2f()), distributed(comm=half)
        self.assertEqual((one.size, one.rank), (ALL.size, ALL.rank))
        self.assertEqual((other.size, other.rank), (half.size, half.rank))
        wanted = alone().solve(f)
        for _ in range(2):
            for solver in (one, other):
                self.assert_close(solver.solve(f[solver.slices]), wanted[solver.slices], 1e-13)
        del solver, other
        half.Free()

    def test_traffic_and_description(self):
        solver = distributed(decomposition="slabs", method="eliminate")
        self.assertIn(f"over {ALL.size} rank", solver.description)
        self.assertIn("1 thread", solver.description)
        self.assertEqual(solver.traffic.messages > 0, ALL.size > 1)
        sent = [solver.sent_by(rank) for rank in range(ALL.size)]
        self.assertEqual((sum(one.messages for one in sent), sum(one.bytes for one in sent)), solver.traffic)
        with self.assertRaisesRegex(poisson3d.UsageError, f"found member {ALL.size}"):
            solver.sent_by(ALL.size)
        self.assertGreater(solver.workspace, 0)
        self.assertIn("11 x 7 x 37 float64", repr(solver))

    def refused_by_last(self, sentence, call):
        """What only the last rank gets wrong."""
        with self.assertRaisesRegex(poisson3d.Error, sentence if ME_LAST else "another member") as caught:
            call()
        if ME_LAST:
            self.assertIsInstance(caught.exception, poisson3d.UsageError)

    def test_what_one_refuses_all_refuse(self):
        solver = distributed()
        f = noise(*SHAPE)[solver.slices].copy()
        wanted = solver.solve(f)
        wrong_shape = f[:, :, :-1]
        for sentence, wrong in (("shape", wrong_shape), ("float32", f.astype("f4")), ("masked", np.ma.masked_array(f))):
            self.refused_by_last(sentence, lambda: solver.solve(wrong if ME_LAST else f))
            self.refused_by_last(sentence, lambda: solver.apply(wrong if ME_LAST else f))
        faces = {"w_lower": 1.0} if ME_LAST else {"x_lower": 1.0}
        self.refused_by_last("w_lower", lambda: solver.solve(f, boundary_values=faces))
        self.refused_by_last("batch of 2", lambda: solver.solve(np.stack([f, f]) if ME_LAST else f))
        np.testing.assert_array_equal(solver.solve(f), wanted)  # and all go on
        for sentence, argument in (("spacing", {"spacing": "wide"}), ("spacing", {"spacing": (1.0, -1.0, 1.0)}),
                                   ("decomposition", {"decomposition": "rows"}), ("method", {"method": "guess"}),
                                   ("decomposition", {"decomposition": 3}), ("dtype", {"dtype": "i4"}),
                                   ("order", {"order": [0] * (ALL.size + 1)})):
            self.refused_by_last(sentence, lambda: distributed(**(argument if ME_LAST else {})))

    def test_no_communicator(self):
        for wrong in ("world", 1.5, True, object()):
            with self.refused("comm: found"):
                distributed(comm=wrong)
        with self.refused("MPI_COMM_NULL"):
            distributed(comm=MPI.COMM_NULL)
        with self.refused("nothing was solved"):
            distributed().result


class Result(unittest.TextTestResult):
    """Others may wait for a rank that has failed."""

    def end_all(self, test, error):
        print(f"rank {ALL.rank} of {ALL.size}: {test}\n{self._exc_info_to_string(error, test)}", file=sys.stderr, flush=True)
        ALL.Abort(1)

    def addFailure(self, test, error):
        self.end_all(test, error)

    def addError(self, test, error):
        self.end_all(test, error)


if __name__ == "__main__":
    unittest.main(verbosity=2 if ALL.rank == 0 else 0, testRunner=unittest.TextTestRunner(
        verbosity=2 if ALL.rank == 0 else 0, resultclass=Result))
