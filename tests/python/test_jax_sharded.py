"""Solves of a box that the devices of a mesh share, inside jax.jit: of GPUs where there are several, else of devices of
the host, which both solve apart and meet as GPUs do."""

import itertools
import os
import sys

from python_test import PythonTest, main, SKIPPED, Solver, noise, np, poisson3d

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"
try:
    import jax
    import jax.numpy as jnp
    import poisson3d.jax
    from jax.sharding import AxisType, NamedSharding, PartitionSpec
    from jax.test_util import check_grads
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)
if poisson3d._core.xla_members_handler(False) is None:
    print("skipped: built without the headers of XLA")
    sys.exit(SKIPPED)
ON_HOST = jax.default_backend() == "cpu"
if len(jax.devices()) < 2:
    print("skipped: one GPU")
    sys.exit(SKIPPED)

print(*jax.devices())
jax.config.update("jax_enable_x64", True)
SHAPE, SPACING = (8, 7, 6), (0.3, 0.7, 0.4)
KINDS = (("neumann", "dirichlet", "periodic"), ("periodic", "neumann", "dirichlet"), "dirichlet")
MEETS = (False, True) if ON_HOST else (True,)


def mesh_of(members, kind=AxisType.Auto):
    return jax.make_mesh((members,), ("x",), axis_types=(kind,), devices=jax.devices()[:members])


def numbers_of_members():
    return [n for n in (2, 4, 8) if n <= len(jax.devices())]


def divided(f, mesh):
    return jax.device_put(f, NamedSharding(mesh, PartitionSpec(*[None] * (f.ndim - 3), "x")))


class Sharded(PythonTest):
    def each(self, kinds=KINDS):
        """Meshes, methods, kinds of boundary; on the host by both ways."""
        for meets, members, method, boundary in itertools.product(MEETS, numbers_of_members(),
                                                                  ("eliminate", "transpose"), kinds):
            poisson3d.jax._meet_on_host = meets
            axes = AxisType.Explicit if members == 2 and method == "eliminate" else AxisType.Auto
            yield mesh_of(members, axes), dict(method=method), dict(boundary=boundary, spacing=SPACING,
                                                                    centering=("node", "cell", "node"))
        poisson3d.jax._meet_on_host = False

    def test_a_solver_of_the_whole_box(self):
        for mesh, method, problem in self.each():
            for dtype in ("f8", "f4") if method["method"] == "eliminate" else ("f8",):
                f = noise(*SHAPE, dtype=dtype)
                wanted = Solver(SHAPE, dtype, **problem).solve(f, scale=1.5)
                solver = poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="x", **method, **problem)
                for call in (solver, jax.jit(solver, static_argnames="scale")):
                    u = call(divided(f, mesh), scale=1.5)
                    self.assertEqual((u.dtype, u.sharding.spec[0]), (f.dtype, "x"))
                    self.assert_close(u, wanted, 1e-13 if dtype == "f8" else 5e-6)

    def test_batches_and_maps(self):
        for mesh, method, problem in self.each(KINDS[1:2]):
            f = noise(5, *SHAPE)
            plain = Solver(SHAPE, **problem)
            wanted = np.stack([plain.solve(one) for one in f])
            solver = poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="x", batch=2, **method, **problem)
            self.assert_close(jax.jit(solver)(divided(f, mesh)), wanted, 1e-13)
            self.assert_close(jax.vmap(solver)(divided(f, mesh)), wanted, 1e-13)

    def test_many_in_a_program(self):
        """One after the other; and, but where calls of the host meet, some that do not depend on each other."""
        for mesh, method, problem in self.each(KINDS[:1]):
            solvers = [poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="x", **method, **problem) for _ in "ab"]
            plain = Solver(SHAPE, **problem)
            inner = jax.jit(solvers[0])
            alone = ON_HOST and poisson3d.jax._meet_on_host

            @jax.jit
            def program(f, g):
                apart = [f] if alone else [inner(f), solvers[1](g), inner(g)]
                for solver in solvers * 2:
                    f = solver(f) + 0.5 * f
                return [f, *apart]

            for seed in range(6):
                f, g = noise(*SHAPE, seed=seed), noise(*SHAPE, seed=seed + 10)
                found = program(divided(f, mesh), divided(g, mesh))
                if not alone:
                    for one, wanted in zip(found[1:], (plain.solve(f), plain.solve(g), plain.solve(g))):
                        self.assert_close(one, wanted, 1e-12)
                for _ in range(4):
                    f = plain.solve(f) + 0.5 * f
                self.assert_close(found[0], f, 1e-12)

    def test_values_on_faces_and_derivatives(self):
        for mesh, method, problem in self.each(KINDS[:1]):
            values = {"y_upper": noise(8, 6, seed=2), "x_lower": noise(7, 6, seed=3)}
            f = noise(*SHAPE)
            wanted = Solver(SHAPE, **problem).solve(f, boundary_values=values)
            solver = poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="x", **method, **problem)

            def solve(f, y, x):
                return solver(f, boundary_values={"y_upper": y, "x_lower": x})

            self.assert_close(jax.jit(solve)(divided(f, mesh), *values.values()), wanted, 1e-13)
            check_grads(solve, (divided(f, mesh), *map(jnp.asarray, values.values())), order=2, modes=("fwd", "rev"),
                        rtol=1e-6, atol=1e-6)

    def test_the_gradient_of_the_whole_box(self):
        for mesh, method, problem in self.each(KINDS[:2]):
            f, v = noise(*SHAPE), noise(*SHAPE, seed=9)
            gauge = "mean" if problem["boundary"] != "dirichlet" else None
            whole = poisson3d.jax.Solver(SHAPE, gauge=gauge, **problem)
            parts = poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="x", gauge=gauge, **method, **problem)
            wanted = jax.grad(lambda f: (v * whole(f) ** 2).sum())(jnp.asarray(f))
            found = jax.jit(jax.grad(lambda f: (v * parts(f) ** 2).sum()))(divided(f, mesh))
            self.assertEqual(found.sharding.spec[0], "x")
            self.assert_close(found, wanted, 1e-13)

    def test_refusals(self):
        mesh, problem = mesh_of(2), dict(spacing=1.0, boundary="dirichlet")
        with self.refused("axis: found 'y', wanted one of the mesh, which has x"):
            poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="y", **problem)
        with self.refused("shape: found 7 planes on 2 devices, wanted a multiple"):
            poisson3d.jax.ShardedSolver((7, 7, 6), mesh=mesh, axis="x", **problem)
        with self.refused(r"f: found \(8, 7, 7\), wanted \(…, 8, 7, 6\)"):
            poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="x", **problem)(jnp.zeros((8, 7, 7)))
        with self.refused("method"):
            poisson3d.jax.ShardedSolver(SHAPE, mesh=mesh, axis="x", method="other", **problem)
        if len(jax.devices()) >= 4:
            both = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
            with self.refused("mesh: found 4 devices, 2 of them along 'x', wanted all along it"):
                poisson3d.jax.ShardedSolver(SHAPE, mesh=both, axis="x", **problem)


if __name__ == "__main__":
    main()
