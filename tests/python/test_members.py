"""Solver(…, devices=…): lists of arrays, cut arrays and sharded ones against one solver. Here members are on threads, so
that no GPU is needed; test_several_gpus.py has them on GPUs."""

import os
import pickle
import warnings

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=3"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from python_test import PythonTest, main, Solver, noise, poisson3d, np

SHAPE, PROBLEM = (7, 5, 33), dict(spacing=(0.1, 0.2, 0.3), boundary=("dirichlet", "neumann", "dirichlet"))


class OnThreads(poisson3d.SolverOnDevices):
    @staticmethod
    def _communicator(numbers):
        return poisson3d._core.on_threads(len(numbers)), []


def faces(seed=5):
    return {"x_lower": noise(5, 33, seed=seed), "x_upper": noise(5, 33, seed=seed + 1), "y_upper": noise(7, 33, seed=seed + 2),
            "z_lower": noise(7, 5, seed=seed + 3), "y_lower": 0.5}


def parts(values, solver):
    """Of faces of y and z the part of each member."""
    return {name: [value[planes] for planes in solver.slices] if name[0] != "x" and np.ndim(value) > 0 else value
            for name, value in values.items()}


class Members(PythonTest):
    def test_lists_against_one_solver(self):
        for dtype, near in (("f8", 1e-12), ("f4", 2e-5)):
            f = noise(*SHAPE, dtype=dtype)
            values = {name: np.asarray(one, dtype) if np.ndim(one) > 0 else one for name, one in faces().items()}
            one = Solver(SHAPE, dtype, **PROBLEM)
            wanted = one.solve(f, boundary_values=values, scale=-2)
            for count, planes in ((1, None), (2, None), (3, [4, 0, 3]), (3, [0, 2, 5])):
                for method in ("eliminate", "transpose"):
                    solver = OnThreads(SHAPE, dtype, devices=range(count), planes=planes, method=method, **PROBLEM)
                    self.assertEqual(solver.method, method)
                    slabs = [f[planes] for planes in solver.slices]
                    found = solver.solve(slabs, boundary_values=parts(values, solver), scale=-2)
                    self.assert_close(np.concatenate(found), wanted, near, (dtype, count, planes, method))
                    np.testing.assert_array_equal(np.concatenate(slabs), f)
                    self.assert_close(np.concatenate(solver.apply(found)), one.apply(wanted), 100 * near)

    def test_out_in_place_and_views_with_ghosts(self):
        solver, one = OnThreads(SHAPE, devices=[0, 1, 2], **PROBLEM), Solver(SHAPE, **PROBLEM)
        f = noise(*SHAPE)
        wanted = one.solve(f)
        whole = [np.full((planes.stop - planes.start + 2, 7, 36), np.nan) for planes in solver.slices]
        inner = [array[1:-1, 1:6, 2:35] for array in whole]
        slabs = [f[planes] for planes in solver.slices]
        found = solver.solve(slabs, inner)
        for u, out, array in zip(found, inner, whole):
            self.assertIs(u, out)
            self.assertEqual(np.isnan(array).sum(), array.size - out.size)
        self.assert_close(np.concatenate(inner), wanted, 1e-12)
        for u, g in zip(inner, slabs):
            u[...] = g
        solver.solve(inner, inner)
        self.assert_close(np.concatenate(inner), wanted, 1e-12)

    def test_one_array_of_the_whole_box(self):
        solver, one = OnThreads(SHAPE, devices=[0, 1, 2], batch=2, **PROBLEM), Solver(SHAPE, batch=2, **PROBLEM)
        values = faces()
        for f in (noise(*SHAPE), noise(2, *SHAPE), np.asfortranarray(noise(*SHAPE))):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", poisson3d.CopyWarning)
                wanted = one.solve(f, boundary_values=values)
            given = f.copy(order="K")
            self.assert_close(solver.solve(f, boundary_values=values), wanted, 1e-12)
            np.testing.assert_array_equal(f, given)
            out = np.empty(f.shape)
            self.assertIs(solver.solve(f, out, boundary_values=values), out)
            self.assert_close(out, wanted, 1e-12)
            self.assertEqual(len(solver.results), f.shape[0] if f.ndim == 4 else 1)
            self.assertIs(solver.solve(given, given, boundary_values=values), given)
            self.assert_close(given, wanted, 1e-12)

    def test_batches_whose_faces_differ(self):
        solver = OnThreads(SHAPE, devices=[0, 1], batch=3, **PROBLEM)
        one = Solver(SHAPE, batch=3, **PROBLEM)
        f, values = noise(3, *SHAPE), {"x_upper": noise(3, 5, 33, seed=2), "z_lower": noise(3, 7, 5, seed=3)}
        wanted = one.solve(f, boundary_values=values)
        self.assert_close(solver.solve(f, boundary_values=values), wanted, 1e-12)
        apart = {"x_upper": values["x_upper"], "z_lower": [values["z_lower"][:, planes] for planes in solver.slices]}
        found = solver.solve([f[:, planes] for planes in solver.slices], boundary_values=apart)
        self.assert_close(np.concatenate(found, axis=1), wanted, 1e-12)

    def test_gradients(self):
        for dtype in ("f8", "f4"):
            u, values = noise(2, *SHAPE, dtype=dtype), faces()
            values = {name: np.asarray(one, dtype) if np.ndim(one) > 0 else one for name, one in values.items()}
            one = Solver(SHAPE, dtype, batch=2, engine="host", **PROBLEM)
            wanted = one.gradient(u, boundary_values=values)
            for count, planes in ((1, None), (2, None), (3, [4, 0, 3]), (3, [0, 2, 5])):
                solver = OnThreads(SHAPE, dtype, batch=2, devices=range(count), planes=planes, **PROBLEM)
                np.testing.assert_array_equal(solver.gradient(u, boundary_values=values), wanted)
                slabs = [u[0, planes] for planes in solver.slices]
                found = solver.gradient(slabs, boundary_values=parts(values, solver))
                np.testing.assert_array_equal(np.concatenate(found, axis=1), wanted[0])
                whole = [np.full((4, *(n + 2 for n in slab.shape)), np.nan, dtype) for slab in slabs]
                inner = [array[1:, 1:-1, 1:-1, 1:-1] for array in whole]
                self.assertIs(solver.gradient(slabs, inner, boundary_values=parts(values, solver))[0], inner[0])
                np.testing.assert_array_equal(np.concatenate(inner, axis=1), wanted[0])
                for array, view in zip(whole, inner):
                    self.assertEqual(np.isnan(array).sum(), array.size - view.size)
        spectral = dict(spacing=0.3, boundary="neumann", discretization="spectral")
        u = noise(*SHAPE)
        self.assert_close(OnThreads(SHAPE, devices=[0, 1, 2], **spectral).gradient(u), Solver(SHAPE, **spectral).gradient(u),
                          1e-12)

    def test_gradients_beside_free_faces(self):
        free = dict(spacing=0.3, boundary=("free", "neumann", "dirichlet"))
        f = noise(*SHAPE)
        solver, one = OnThreads(SHAPE, devices=[0, 1, 2], **free), Solver(SHAPE, engine="host", **free)
        with self.refused("nothing was solved yet"):
            solver.gradient(f)
        u = one.solve(f)
        solver.solve(f)
        self.assert_close(solver.gradient(u), one.gradient(u), 1e-12)
        free["discretization"] = "spectral"
        u, f = noise(2, *SHAPE), noise(2, *SHAPE, seed=2)
        solver, one = OnThreads(SHAPE, devices=[0, 1, 2], batch=2, **free), Solver(SHAPE, engine="host", batch=2, **free)
        wanted = one.gradient(u, f=f, scale=-2.0)
        with self.refused("evaluate_with_source", poisson3d.Error):
            solver.gradient(u)
        self.assert_close(solver.gradient(u, f=f, scale=-2.0), wanted, 1e-12)
        apart, source = ([array[1, planes] for planes in solver.slices] for array in (u, f))
        self.assert_close(np.concatenate(solver.gradient(apart, f=source, scale=-2.0), axis=1), wanted[1], 1e-12)
        with self.refused("f: found 1 of them, wanted one for each of 3 GPUs"):
            solver.gradient(apart, f=source[:1])

    def test_singular_and_helmholtz(self):
        f = noise(*SHAPE) + 3
        for options in (dict(boundary="neumann"), dict(boundary="neumann", gauge=(5, 1, 2)),
                        dict(boundary="periodic", helmholtz=2.5), dict(boundary="periodic", helmholtz=-0.7),
                        dict(boundary="neumann", discretization="spectral", centering="node")):
            one, solver = Solver(SHAPE, spacing=0.3, **options), OnThreads(SHAPE, spacing=0.3, devices=[0, 1], **options)
            self.assert_close(solver.solve(f), one.solve(f), 1e-11, options)
            self.assertEqual(solver.result.singular, one.result.singular)
            self.assertAlmostEqual(solver.mean_removed, one.mean_removed, 12)

    def test_what_it_tells(self):
        solver = OnThreads(SHAPE, "f4", devices=[0, 0, 1], batch=2, **PROBLEM)
        self.assertEqual(solver.slices, [slice(0, 3), slice(3, 5), slice(5, 7)])
        self.assertEqual(solver.box(1), ((3, 0, 0), (2, 5, 33)))
        self.assertEqual((solver.shape, solver.dtype, solver.batch, solver.devices),
                         (SHAPE, np.dtype("f4"), 2, [0, 0, 1]))
        self.assertGreater(solver.traffic.messages, 0)
        self.assertGreater(solver.workspace, 0)
        self.assertIn("3 members", solver.description)
        for found, wanted in zip(solver.positions, Solver(SHAPE, **PROBLEM).positions):
            np.testing.assert_array_equal(found, wanted)

    def test_refusals(self):
        solver, f = OnThreads(SHAPE, devices=[0, 1], **PROBLEM), noise(*SHAPE)
        slabs = [f[:4], f[4:]]
        for call, sentence in (
                (lambda: solver.solve(slabs[:1]), "f: found 1 of them, wanted one for each of 2 GPUs"),
                (lambda: solver.solve(slabs, slabs[:1]), "out: found 1 of them"),
                (lambda: solver.solve(slabs[::-1]), r"f\[0\]: found shape \(3, 5, 33\), wanted \(4, 5, 33\)"),
                (lambda: solver.solve([f[:4], f[4:].astype("f4")]), r"f\[1\]: found float32, wanted float64"),
                (lambda: solver.solve(f[1:]), r"f: found shape \(6, 5, 33\), wanted \(7, 5, 33\)"),
                (lambda: solver.solve(f, slabs), "out: found another array"),
                (lambda: solver.solve(slabs, stream=[0]), "stream: found 1 of them"),
                (lambda: solver.solve(slabs, boundary_values=3), "boundary_values: found int"),
                (lambda: solver.solve(slabs, boundary_values={"x_lower": [f[0], f[0]]}), "wanted one array: one GPU"),
                (lambda: solver.solve(slabs, boundary_values={"y_lower": f[:, 0]}), "wanted a list of the parts"),
                (lambda: solver.solve(slabs, boundary_values={"y_lower": [f[:, 0]]}), "found 1 arrays"),
                (lambda: OnThreads(SHAPE, devices=[0, 1], planes=[3, 3], **PROBLEM), "wanted 7"),
                (lambda: OnThreads(SHAPE, devices=2, **PROBLEM), "devices: found 2, wanted a list"),
                (lambda: OnThreads(SHAPE, devices=["a"], **PROBLEM), "devices: found 'a', wanted a whole number"),
                (lambda: OnThreads(SHAPE, devices=[], **PROBLEM), "members")):
            with self.refused(sentence):
                call()
        for call, sentence in (
                (lambda: solver.gradient(slabs[:1]), "u: found 1 of them, wanted one for each of 2 GPUs"),
                (lambda: solver.gradient(slabs[::-1]), r"u\[0\]: found shape \(3, 5, 33\), wanted \(4, 5, 33\)"),
                (lambda: solver.gradient(slabs, slabs), r"out\[0\]: found shape \(4, 5, 33\), wanted \(3, 4, 5, 33\)"),
                (lambda: solver.gradient(f, f), r"out: found another array .*\(3, 7, 5, 33\), which gradients have"),
                (lambda: OnThreads(SHAPE, devices=[0, 1], way="copy", **PROBLEM), "way: found .copy."),
                (lambda: OnThreads(SHAPE, devices=[0, 1], chunks=-1, **PROBLEM), "chunks: found -1, wanted a whole number"),
                (lambda: OnThreads(SHAPE, devices=[0, 1], chunks="two", **PROBLEM), "chunks: found 'two'")):
            with self.refused(sentence):
                call()
        with self.refused("found the way staged of members that are not on devices", poisson3d.Error):
            OnThreads(SHAPE, devices=[0, 1], way="staged", **PROBLEM)
        for name in ("adjoint", "freeness", "as_linear_operator", "workspace_bytes", "passes", "engine",
                     "memory"):
            with self.refused(f"{name}: a solver of several GPUs has none", poisson3d.Error):
                found = getattr(solver, name)
                found(*[f] * (name in ("adjoint", "freeness")))
        for option in (dict(mixed=True), dict(engine="cufft"), dict(memory="low"), dict(middle="transform"),
                       dict(device=1)):
            with self.refused("with devices, wanted", poisson3d.Error):
                OnThreads(SHAPE, devices=[0, 1], **option, **PROBLEM)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'plane'"):
            OnThreads(SHAPE, devices=[0, 1], plane=3, **PROBLEM)
        with self.refused("no result", poisson3d.UsageError):
            OnThreads(SHAPE, devices=[0, 1], **PROBLEM).result
        with self.assertRaisesRegex(TypeError, "pickled"):
            pickle.dumps(solver)

    def test_devices_make_another_class(self):
        if not poisson3d.engine_unavailable("fused"):
            self.assertIsInstance(poisson3d.Solver(SHAPE, devices=[0], **PROBLEM), poisson3d.SolverOnDevices)
            return
        with self.refused("members cannot be on devices", poisson3d.Error):
            poisson3d.Solver(SHAPE, devices=[0, 1], **PROBLEM)


class Sharded(PythonTest):
    """JAX has three devices of the host here."""

    def test_arrays_of_jax(self):
        try:
            import jax
        except ImportError:
            self.skipTest("no JAX")
        jax.config.update("jax_enable_x64", True)
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        if len(jax.devices()) != 3:
            self.skipTest("JAX was given other devices")
        shape, mesh = (6, 5, 33), Mesh(np.array(jax.devices()), ("x",))
        solver, one = OnThreads(shape, devices=[0, 1, 2], batch=2, **PROBLEM), Solver(shape, batch=2, **PROBLEM)
        for batch in ((), (2,)):
            f = noise(*batch, *shape)
            spec = PartitionSpec(*[None] * len(batch), "x")
            given = jax.device_put(f, NamedSharding(mesh, spec))
            u = solver.solve(given)
            self.assertEqual((u.shape, u.dtype, u.sharding), (given.shape, given.dtype, given.sharding))
            self.assert_close(np.asarray(u), one.solve(f), 1e-12)
            self.assert_close(np.asarray(jax.jit(lambda v: v + v)(u)), 2 * one.solve(f), 1e-12)
            slopes = solver.gradient(given)
            self.assertEqual(slopes.sharding, NamedSharding(mesh, PartitionSpec(*[None] * len(batch), None, "x", None, None)))
            self.assert_close(np.asarray(slopes), one.gradient(f), 1e-12)
        slabs = [shard.data for shard in given.addressable_shards]
        found = solver.solve(slabs)
        self.assertIs(type(found[0]), type(slabs[0]))
        self.assert_close(np.concatenate([np.asarray(one) for one in found], axis=1), one.solve(f), 1e-12)
        for sharded in (PartitionSpec(None, "y"), PartitionSpec()):
            wrong = jax.device_put(noise(6, 6, 33), NamedSharding(Mesh(np.array(jax.devices()), ("y",)), sharded))
            with self.refused("sharded along the first axis alone"):
                solver.solve(wrong)
        with self.refused("out: found an array of JAX"):
            solver.solve(given, given)
        with self.refused("JAX is tracing"):
            jax.jit(solver.solve)(given)


if __name__ == "__main__":
    main()
