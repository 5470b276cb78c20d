"""Arrays: where results go, views with ghost layers, batches, what is refused and how."""

import ctypes
import itertools

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
        wide = noise(5, 6, 14)
        for call, sentence in (
                (lambda: plan.solve(f.astype("f4")), "f: found float32, wanted float64"),
                (lambda: plan.solve(f, f.astype("f4")), "out: found float32, wanted float64"),
                (lambda: plan.solve(f.astype("i4")), "f: found .*, wanted float64"),
                (lambda: plan.solve(f.astype(">f8")), "f: found .*>d.*, wanted float64"),
                (lambda: plan.solve(f.astype("f2")), "f: found .*, wanted float64"),
                (lambda: plan.solve(f[1:]), r"f: found shape \(4, 6, 7\), wanted \(5, 6, 7\)"),
                (lambda: plan.solve(f, f[:, 1:]), r"out: found shape \(5, 5, 7\), wanted \(5, 6, 7\)"),
                (lambda: plan.solve(f[0]), r"f: found shape \(6, 7\), wanted \(5, 6, 7\)"),
                (lambda: plan.solve(wide[:, :, ::2]), "f: found stride 2 along the last axis, wanted .*contiguous"),
                (lambda: plan.solve(f, wide[:, :, ::2]), "out: found stride 2 along the last axis"),
                (lambda: plan.solve(np.asfortranarray(f)), "f: found stride 30 along the last axis"),
                (lambda: plan.solve(f[::-1]), "strides"), (lambda: plan.solve(f[:, ::-1]), "strides"),
                (lambda: plan.solve(np.broadcast_to(f[:1], SHAPE)), "strides"),
                (lambda: plan.gradient(f, np.empty(SHAPE)), r"out: found shape \(5, 6, 7\), wanted \(3, 5, 6, 7\)")):
            with self.refused(sentence):
                call()
        packed = np.zeros(SHAPE, [("a", "f4"), ("b", "f8")])["b"]
        with self.refused("stride of 12 bytes, wanted a multiple|stride"):
            plan.solve(packed)

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
