"""Arrays: where results go, views with ghost layers, other orders and byte orders, batches, what is refused and how."""

import ctypes
import itertools
import warnings

from python_test import PythonTest, main, Solver, noise, poisson3d, solve, np

SHAPE = (5, 6, 7)


def solver(shape=SHAPE, dtype="f8", **options):
    return Solver(shape, dtype, **{"spacing": (0.1, 0.2, 0.3), "boundary": "dirichlet", **options})


class WhereResultsGo(PythonTest):
    def test_a_new_array_out_and_in_place_hold_the_same(self):
        for dtype, memory in itertools.product(("f8", "f4"), ("fast", "standard", "low")):
            plan = solver(dtype=dtype, memory=memory)
            f = noise(*SHAPE, dtype=dtype)
            kept, out = f.copy(), np.full(SHAPE, np.nan, dtype)
            u = plan.solve(f)
            self.assertIs(plan.solve(f, out), out)
            np.testing.assert_array_equal(f, kept)  # only read
            self.assertIs(plan.solve(f, f), f)
            self.assertEqual((u.dtype, plan.dtype, plan.memory), (np.dtype(dtype), np.dtype(dtype), memory))
            np.testing.assert_array_equal(out, u)
            np.testing.assert_array_equal(f, u)

    def test_read_only_right_hand_sides(self):
        f = noise(*SHAPE)
        wanted = solver().solve(f)
        f.flags.writeable = False
        np.testing.assert_array_equal(solver().solve(f), wanted)
        with self.refused("out: found an array that is read only"):
            solver().solve(f, f)

    def test_ghost_layers_are_not_touched(self):
        for lower, upper in (((1, 2, 3), (2, 1, 1)), ((0, 0, 1), (0, 0, 0)), ((0, 3, 0), (1, 0, 0))):
            whole = tuple(n + a + b for n, a, b in zip(SHAPE, lower, upper))
            inner = tuple(slice(a, a + n) for n, a in zip(SHAPE, lower))
            f = noise(*whole)
            kept, out = f.copy(), np.full(whole, 7.5)
            plan = solver(memory="fast")
            wanted = plan.solve(f[inner].copy())
            plan.solve(f[inner], out[inner])
            np.testing.assert_array_equal(out[inner], wanted)
            np.testing.assert_array_equal(f, kept)
            out[inner] = 7.5
            self.assertTrue((out == 7.5).all())
            plan.solve(f[inner], f[inner])
            np.testing.assert_array_equal(f[inner], wanted)
            f[inner] = kept[inner]
            np.testing.assert_array_equal(f, kept)

    def test_axes_of_one_point_may_have_any_stride(self):
        whole = noise(4, 9, 8)
        view = whole[:, ::9, ::8]
        self.assertEqual(view.shape, (4, 1, 1))
        np.testing.assert_array_equal(solver((4, 1, 1)).solve(view), solver((4, 1, 1)).solve(view.copy()))

    def test_other_objects_with_a_buffer(self):
        raw = (ctypes.c_double * 210)(*noise(210))
        f = np.frombuffer(raw).reshape(SHAPE)
        np.testing.assert_array_equal(solver().solve(memoryview(f), np.empty(SHAPE)), solver().solve(f))

    def test_dlpack_of_a_library_that_is_not_known(self):
        class Foreign:
            """Hands out capsules, and nothing else."""

            def __init__(self, array):
                self.array, self.shape, self.dtype = array, array.shape, array.dtype

            def __dlpack__(self, **arguments):
                return self.array.__dlpack__(**arguments)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        f, out = noise(*SHAPE), np.empty(SHAPE)
        solver().solve(Foreign(f), Foreign(out))
        np.testing.assert_array_equal(out, solver().solve(f))
        both = Foreign(f.copy())
        self.assertIs(solver().solve(both, both), both)
        np.testing.assert_array_equal(both.array, out)
        with self.refused("how to make one of type Foreign is not known"):
            solver().solve(Foreign(f))
        with self.refused("found int64, wanted float64"):
            solver().solve(Foreign(f.astype("i8")), out)
        with self.refused("found complex128"):
            solver().solve(Foreign(f.astype("c16")), out)


def reversed_axes(array):
    """The same values where all three axes run backwards."""
    return np.ascontiguousarray(array[::-1, ::-1, ::-1])[::-1, ::-1, ::-1]


def with_steps(array):
    whole = np.full(tuple(2 * n for n in array.shape), np.nan, array.dtype)
    whole[::2, ::2, ::2] = array
    return whole[::2, ::2, ::2]


def unaligned(array):
    packed = np.zeros(array.shape, [("a", "i1"), ("b", array.dtype)])
    packed["b"] = array
    return packed["b"]


#: The same values in memory that the library cannot use where it lies.
LAYOUTS = {
    "Fortran": np.asfortranarray,
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "big-endian Fortran": lambda array: np.asfortranarray(array.astype(array.dtype.newbyteorder(">"))),
    "rotated": lambda array: np.ascontiguousarray(array.transpose(1, 2, 0)).transpose(2, 0, 1),
    "planes and rows swapped": lambda array: np.ascontiguousarray(array.swapaxes(0, 1)).swapaxes(0, 1),
    "backwards": reversed_axes,
    "backwards along x": lambda array: np.ascontiguousarray(array[::-1])[::-1],
    "steps": with_steps,
    "unaligned": unaligned,
}
#: No two axes, spacings or kinds of faces are alike: an axis in another's place gives another solution.
UNEQUAL = {"spacing": (0.1, 0.25, 0.3), "boundary": ("dirichlet", "dirichlet:neumann", "neumann")}


class Layouts(PythonTest):
    """Whatever the order of the elements in memory, the bits of the solution are those of the plain array."""

    def copied(self, what):
        return self.assertWarnsRegex(poisson3d.CopyWarning, what)

    def test_right_hand_sides(self):
        for (name, layout), dtype in itertools.product(LAYOUTS.items(), ("f8", "f4")):
            with self.subTest(layout=name, dtype=dtype):
                plan, f = solver(dtype=dtype, **UNEQUAL), noise(*SHAPE, dtype=dtype)
                wanted, odd = plan.solve(f), layout(f)
                kept = odd.copy()
                with self.copied("f: found .*; it is copied") as seen:
                    u = plan.solve(odd)
                self.assertEqual(seen.filename, __file__)  # the line of the caller
                self.assertEqual((u.dtype, u.flags.c_contiguous), (np.dtype(dtype), True))
                np.testing.assert_array_equal(u, wanted)
                np.testing.assert_array_equal(odd, kept)
                with self.copied("f: found"):
                    np.testing.assert_array_equal(solve(odd, **UNEQUAL), wanted)
                with self.copied("f: found"):
                    np.testing.assert_array_equal(plan.apply(odd), plan.apply(f))
                with self.copied("u: found"):
                    np.testing.assert_array_equal(plan.gradient(odd), plan.gradient(f))
                with self.copied("f: found"):
                    np.testing.assert_array_equal(plan.adjoint(odd), plan.adjoint(f))

    def test_results(self):
        for (name, layout), dtype in itertools.product(LAYOUTS.items(), ("f8", "f4")):
            with self.subTest(layout=name, dtype=dtype):
                plan, f = solver(dtype=dtype, **UNEQUAL), noise(*SHAPE, dtype=dtype)
                wanted, out = plan.solve(f), layout(np.full(SHAPE, 7, dtype))
                with self.copied("out: found .*; the result is copied to it"):
                    self.assertIs(plan.solve(f, out), out)
                np.testing.assert_array_equal(out, wanted)
                both = layout(f)
                with self.copied("out: found"):
                    self.assertIs(plan.solve(both, both), both)
                np.testing.assert_array_equal(both, wanted)

    def test_only_the_elements_of_the_result_change(self):
        whole = np.full(tuple(2 * n for n in SHAPE), 7.5)
        f = noise(*SHAPE)
        with self.copied("out"):
            solver().solve(f, whole[::2, 1::2, ::2])
        np.testing.assert_array_equal(whole[::2, 1::2, ::2], solver().solve(f))
        whole[::2, 1::2, ::2] = 7.5
        self.assertTrue((whole == 7.5).all())

    def test_results_over_right_hand_sides(self):
        """out begins in the memory of f, in another order."""
        f = noise(*SHAPE)
        wanted = solver().solve(f)
        with self.copied("out"):
            solver().solve(f, f.reshape(-1).reshape(SHAPE, order="F"))
        np.testing.assert_array_equal(f.reshape(-1).reshape(SHAPE, order="F"), wanted)

    def test_axes_in_reverse_are_a_view(self):
        f = noise(*SHAPE)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            turned = solve(np.asfortranarray(f).T, **{name: value[::-1] for name, value in UNEQUAL.items()}).T
        self.assert_close(turned, solve(f, **UNEQUAL), 1e-13)

    def test_broadcast(self):
        f = np.broadcast_to(noise(1, 6, 7), SHAPE)
        with self.copied("f: found strides"):
            np.testing.assert_array_equal(solver().solve(f), solver().solve(f.copy()))

    def test_batches_and_gradients(self):
        plan, f = solver(batch=3, **UNEQUAL), noise(3, *SHAPE)
        wanted = plan.solve(f)
        odd = np.asfortranarray(f)
        with self.copied("f: found Fortran's order"):
            np.testing.assert_array_equal(plan.solve(odd), wanted)
        out = np.empty(f.shape, ">f8", order="F")
        with self.copied("out"):
            plan.solve(f, out)
        np.testing.assert_array_equal(out, wanted)
        gradients = np.empty((3, 3, *SHAPE), order="F")
        with self.copied("out"):
            plan.gradient(f, gradients)
        np.testing.assert_array_equal(gradients, plan.gradient(f))

    def test_values_of_faces(self):
        plan, f, face = solver(**UNEQUAL), noise(*SHAPE), noise(6, 7, seed=3)
        wanted = plan.solve(f, boundary_values={"x_lower": face})
        for name, odd in (("Fortran", np.asfortranarray(face)), ("big-endian", face.astype(">f8")),
                          ("backwards", np.ascontiguousarray(face[::-1])[::-1])):
            with self.subTest(layout=name), self.copied(r"boundary_values\['x_lower'\]: found"):
                np.testing.assert_array_equal(plan.solve(f, boundary_values={"x_lower": odd}), wanted)

    def test_what_lies_well_is_not_copied(self):
        """Slices, batches that run backwards, one field for all, axes of one point: no warning."""
        plan, whole = solver(batch=3), noise(3, 7, 8, 9)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            plan.solve(whole[:, 1:6, 1:7, 1:8], whole[:, 1:6, 1:7, 1:8])
            plan.solve(whole[::-1, 1:6, :6, 2:], np.empty((3, *SHAPE)))
            plan.solve(noise(*SHAPE), boundary_values={"x_lower": noise(7, 9)[1:, 2:]})
            solver((4, 1, 1)).solve(noise(4, 9, 8)[:, ::9, ::8])
            solver((4, 1, 3)).solve(np.asfortranarray(noise(4, 1, 3))[:1].repeat(4, 0))

    def test_other_elements_are_still_refused(self):
        f, plan = noise(*SHAPE), solver()
        for odd, sentence in ((f.astype(">f4"), "f: found float32, wanted float64"),
                              (np.asfortranarray(f.astype("f4")), "f: found float32, wanted float64"),
                              (np.asfortranarray(f.astype("i8")), "f: found elements of kind 'l', wanted float64"),
                              (f.astype(">i4"), "f: found .*, wanted float64")):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", poisson3d.CopyWarning)
                with self.refused(sentence):
                    plan.solve(odd)
        fixed = np.asfortranarray(f)
        fixed.flags.writeable = False
        with self.refused("out: found an array that is read only"):
            plan.solve(f, fixed)


class Batches(PythonTest):
    def test_a_batch_is_its_fields_one_by_one(self):
        for dtype, memory, boundary in itertools.product(("f8", "f4"), ("fast", "standard", "low"),
                                                         ("dirichlet", "neumann", "periodic")):
            plan = solver(dtype=dtype, memory=memory, boundary=boundary, batch=4)
            f = noise(4, *SHAPE, dtype=dtype)
            u = plan.solve(f)
            results = plan.results
            self.assertEqual(len(results), 4)
            for b in range(4):
                np.testing.assert_array_equal(u[b], plan.solve(f[b]))
                self.assertEqual(plan.result, results[b])
            if boundary != "dirichlet":
                self.assertEqual(len({r.mean_removed for r in results}), 4)
            applied = plan.apply(u[:2])
            for b in range(2):
                np.testing.assert_array_equal(applied[b], plan.apply(u[b]))
            plan.solve(f[:3], f[:3])
            np.testing.assert_array_equal(f[:3], u[:3])

    def test_with_ghost_layers_and_gaps(self):
        whole = noise(6, 8, 9, 10)
        kept = whole.copy()
        inner = (slice(0, 6, 2), slice(1, 6), slice(2, 8), slice(3, 10))
        plan = solver(memory="fast", batch=3)
        wanted = plan.solve(whole[inner].copy())
        plan.solve(whole[inner], whole[inner])
        np.testing.assert_array_equal(whole[inner], wanted)
        whole[inner] = kept[inner]
        np.testing.assert_array_equal(whole, kept)

    def test_what_is_refused(self):
        plan = solver(batch=2)
        f = noise(3, *SHAPE)
        for call, sentence in (
                (lambda: plan.solve(f), "batch of 3, wanted from 1 to 2"),
                (lambda: plan.solve(f[:0]), "batch of 0"),
                (lambda: plan.solve(f[:2], f[:1].copy()), r"out: found shape \(1, 5, 6, 7\), wanted \(2, 5, 6, 7\)"),
                (lambda: plan.solve(f[0], f[:1].copy()), r"out: found shape \(1, 5, 6, 7\), wanted \(5, 6, 7\)"),
                (lambda: solver(batch=0), "batch: found 0"),
                (lambda: solve(f[None], spacing=1, boundary="periodic"), r"\(1, 3, 5, 6, 7\)|shape")):
            with self.refused(sentence):
                call()


class Refusals(PythonTest):
    def test_arrays_that_do_not_fit(self):
        f, plan = noise(*SHAPE), solver()
        for call, sentence in (
                (lambda: plan.solve(f.astype("f4")), "f: found float32, wanted float64"),
                (lambda: plan.solve(f, f.astype("f4")), "out: found float32, wanted float64"),
                (lambda: plan.solve(f.astype("i4")), "f: found .*, wanted float64"),
                (lambda: plan.solve(f.astype("f2")), "f: found .*, wanted float64"),
                (lambda: plan.solve(f[1:]), r"f: found shape \(4, 6, 7\), wanted \(5, 6, 7\)"),
                (lambda: plan.solve(f, f[:, 1:]), r"out: found shape \(5, 5, 7\), wanted \(5, 6, 7\)"),
                (lambda: plan.solve(f[0]), r"f: found shape \(6, 7\), wanted \(5, 6, 7\)"),
                (lambda: plan.gradient(f, np.empty(SHAPE)), r"out: found shape \(5, 6, 7\), wanted \(3, 5, 6, 7\)")):
            with self.refused(sentence):
                call()

    def test_things_that_are_no_arrays(self):
        for thing in ([1.0], None, "f", 3.0, {}):
            with self.assertRaisesRegex(TypeError, "wanted an array"):
                solver().solve(thing)
            with self.assertRaisesRegex(TypeError, "wanted an array"):
                solve(thing, spacing=1, boundary="periodic")
        with self.assertRaises(TypeError):
            solver().solve(noise(*SHAPE), [1.0])

    def test_masks_are_not_ignored(self):
        plan, f = solver(), noise(*SHAPE)
        for mask in (False, f > 0):
            masked = np.ma.masked_array(f, mask)
            for call in (
                lambda: plan.solve(masked),
                lambda: plan.solve(f, masked),
                lambda: plan.apply(masked),
                lambda: plan.gradient(masked),
                lambda: plan.solve(f, boundary_values={"x_lower": masked[0]}),
                lambda: plan.solve(f, boundary_values={"x_lower": np.ma.masked}),
                lambda: solve(masked, spacing=1.0, boundary="dirichlet"),
                lambda: solve(f, spacing=np.ma.masked_array([1.0, 1.0, 1.0], [True, False, False]),
                              boundary="dirichlet"),
            ):
                with self.refused("found a masked array"):
                    call()

    def test_problems_that_make_no_sense(self):
        for options, sentence in (
                ({"boundary": "open"}, "unknown boundary 'open': use periodic, dirichlet, neumann, robin or free"),
                ({"boundary": ("periodic", "neumann")}, "boundary: found 2 values, wanted one for all axes or three"),
                ({"boundary": "periodic:neumann"}, "periodic on both sides"),
                ({"boundary": {"x": "periodic"}}, "boundary: nothing is said of axis y"),
                ({"boundary": {"x": "periodic", "y": "periodic", "w": "periodic"}}, "one of the axes x, y, z"),
                ({"boundary": ("dirichlet", ("neumann",), "dirichlet")}, r"pair \(lower, upper\)"),
                ({"boundary": 3}, "boundary: found 3, wanted a word"),
                ({"spacing": 0}, "spacing: found '0.0', wanted a finite number above 0"),
                ({"spacing": np.inf}, "spacing"), ({"spacing": None}, "spacing: found None, wanted a number"),
                ({"spacing": (1, 2)}, "spacing: found 2 values"),
                ({"centering": "corner"}, "centering"),
                ({"discretization": "fourth"}, "discretization: found 'fourth'"),
                ({"gauge": (1, 2)}, "gauge"), ({"gauge": (9, 0, 0), "boundary": "periodic"}, "gauge"),
                ({"helmholtz": "much"}, "helmholtz: found 'much', wanted a number"),
                ({"helmholtz": np.nan}, "Helmholtz"),
                ({"engine": "gpu"}, "engine: found 'gpu', wanted one of automatic, host, cufft, fused"),
                ({"memory": "huge"}, "memory: found 'huge'"),
                ({"threads": -1}, "threads: found -1"),
                ({"threads": 1.5}, "threads: found 1.5, wanted a whole number"),
                ({"device": -1}, "device: found -1"), ({"device": 2**40}, "device: found"),
                ({"dtype": "f4", "mixed": True}, "mixed: found with dtype float32"),
                ({"dtype": "i4"}, "dtype: found int32"), ({"dtype": "nonsense"}, "dtype: found nonsense")):
            with self.refused(sentence):
                solver(**options)
        for shape, sentence in (((1, 2), "three numbers"), ((0, 1, 1), "at least 1"), ((1.5, 1, 1), "whole numbers"),
                                (5, "shape")):
            with self.refused(sentence):
                solver(shape)
        for missing in ("spacing", "boundary"):
            with self.assertRaisesRegex(TypeError, missing):
                Solver(SHAPE, **{k: v for k, v in (("spacing", 1), ("boundary", "neumann")) if k != missing})

    def test_the_same_boundary_in_every_way_of_writing(self):
        f = noise(*SHAPE)
        wanted = solver(boundary=("periodic", "dirichlet:neumann", "neumann")).solve(f)
        for boundary in ("periodic,dirichlet:neumann,neumann", "x=periodic,y=dirichlet:neumann,z=neumann",
                         ["periodic", ("dirichlet", "neumann"), ("neumann", "neumann")],
                         {"z": "neumann", "x": "periodic", "y": ["dirichlet", "neumann"]}):
            np.testing.assert_array_equal(solver(boundary=boundary).solve(f), wanted)
        for spacing in (np.array([0.1, 0.2, 0.3]), "0.1,0.2,0.3", {"x": 0.1, "y": 0.2, "z": 0.3}):
            np.testing.assert_array_equal(solver(spacing=spacing).solve(f), solver().solve(f))

    def test_exceptions_say_what_they_are(self):
        with self.assertRaises(ValueError) as usage:
            solver(boundary="open")
        self.assertIsInstance(usage.exception, poisson3d.Error)
        self.assertIsInstance(usage.exception, RuntimeError)
        with self.assertRaises(poisson3d.Error) as resonant:
            Solver((4, 4, 4), spacing=1.0, boundary="periodic", helmholtz=-4.0)
        self.assertEqual((resonant.exception.name, resonant.exception.code), ("resonant", 41))
        self.assertIn("eigenvalue", str(resonant.exception))
        with self.assertRaises(MemoryError) as memory:
            # Line buffers of that many threads.
            Solver((1, 2**20, 1), spacing=1.0, boundary="periodic", engine="host", memory="fast", threads=2**16)
        self.assertEqual((memory.exception.name, memory.exception.code), ("out of memory", 50))


if __name__ == "__main__":
    main()
