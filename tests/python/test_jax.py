"""Solves inside jax.jit: the bits of a Solver, derivatives against transposes and differences, maps against loops."""

import gc
import itertools
import os
import sys

from python_test import PythonTest, main, SKIPPED, Solver, WALLS, noise, np, poisson3d

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
try:
    import jax
    import jax.numpy as jnp
    import poisson3d.jax
    from jax.test_util import check_grads
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)
if poisson3d._core.xla_handler(False) is None:
    print("skipped: built without the headers of XLA")
    sys.exit(SKIPPED)

jax.config.update("jax_enable_x64", True)
SPACING = (0.3, 0.7, 0.4)
SHAPE = (3, 4, 3)


class Solves(PythonTest):
    def test_bits_of_a_solver(self):
        for dtype, batch in itertools.product(("f8", "f4"), ((), (5,), (2, 2))):
            f = noise(*batch, 5, 7, 6, dtype=dtype)
            problem = dict(spacing=SPACING, boundary=("neumann", "dirichlet", "periodic"), centering="node")
            wall = noise(5, 6, dtype=dtype, seed=2)
            solver = Solver((5, 7, 6), dtype, **problem)
            wanted = np.stack([solver.solve(one, scale=1.5, boundary_values={"y_upper": wall})
                               for one in f.reshape(-1, 5, 7, 6)]).reshape(f.shape)
            traced = poisson3d.jax.Solver((5, 7, 6), batch=2, **problem)

            def solve(f):
                return traced(f, boundary_values={"y_upper": wall}, scale=1.5)

            for one in (solve, jax.jit(solve)):
                found = one(f)
                self.assertEqual(found.dtype, f.dtype)
                if jax.default_backend() == "cpu":
                    self.assertTrue((np.asarray(found) == wanted).all(), (dtype, batch))
                self.assert_close(found, wanted, 1e-14 if dtype == "f8" else 5e-6)

    def test_calls_that_come_again(self):
        """With the same memory and other numbers in it, of problems that are told apart, alone and five in a program."""
        shape, kinds = (5, 7, 6), (dict(boundary="neumann"), dict(boundary=("dirichlet", "neumann", "periodic")))
        solvers = [poisson3d.jax.Solver(shape, spacing=SPACING, **kind) for kind in kinds]
        plain = [Solver(shape, spacing=SPACING, **kind) for kind in kinds]
        once = [jax.jit(lambda f, solver=solver: solver(f, scale=1.5)) for solver in solvers]
        walled = jax.jit(lambda f, wall: solvers[1](f, boundary_values={"x_upper": wall}))

        @jax.jit
        def five(f):
            for _ in range(5):
                f = solvers[1](f)
            return f

        for seed in range(12):
            f, wall = noise(*shape, seed=seed), noise(7, 6, seed=seed + 50)
            for compiled, host in zip(once, plain):
                self.assert_close(compiled(jnp.asarray(f)), host.solve(f, scale=1.5), 1e-13)
            wanted = plain[1].solve(f, boundary_values={"x_upper": wall})
            self.assert_close(walled(jnp.asarray(f), jnp.asarray(wall)), wanted, 1e-13)
            wanted = f
            for _ in range(5):
                wanted = plain[1].solve(wanted)
            self.assert_close(five(jnp.asarray(f)), wanted, 1e-12)

    def test_solvers_give_their_plans_back(self):
        f = jnp.asarray(noise(*SHAPE))
        gc.collect()
        before = poisson3d._core.xla_plans()
        for number, boundary in enumerate(WALLS):
            solver = poisson3d.jax.Solver(SHAPE, spacing=SPACING, boundary=boundary)
            wanted = solver(f)
            for helmholtz in range(6):
                solver(f, helmholtz=0.5 + helmholtz)
            self.assertEqual(poisson3d._core.xla_plans(), before + number + 5, "its own, and of λ the last four")
            compiled = jax.jit(lambda f, solver=solver: solver(f)).lower(f).compile()
            del solver
            jax.clear_caches()
            gc.collect()
            self.assertEqual(poisson3d._core.xla_plans(), before + number, "its solver is gone")
            self.assert_close(compiled(f), np.asarray(wanted), 1e-15)
            self.assertEqual(poisson3d._core.xla_plans(), before + number + 1, "the program plans again")

    def test_refusals(self):
        solver = poisson3d.jax.Solver(SHAPE, spacing=1.0, boundary=("dirichlet", "periodic", "periodic"))
        with self.refused(r"f: found \(3, 4, 4\), wanted \(…, 3, 4, 3\)"):
            solver(jnp.zeros((3, 4, 4)))
        with self.refused("f: found int64, wanted float32 or float64"):
            solver(jnp.zeros(SHAPE, int))
        with self.refused("faces: found 'y_lower', wanted a face that takes boundary values"):
            solver(jnp.zeros(SHAPE), boundary_values={"y_lower": 1.0})

    def test_errors_within_a_call(self):
        resonant = poisson3d.jax.Solver((4, 4, 4), spacing=1.0, boundary="periodic", helmholtz=-2.0)
        with self.assertRaisesRegex(Exception, "the Helmholtz constant -2 meets the eigenvalue"):
            jax.jit(resonant)(jnp.zeros((4, 4, 4))).block_until_ready()


class Derivatives(PythonTest):
    def test_all_orders_of_a_sample_of_the_mixes(self):
        mixes = list(itertools.product(WALLS, ("cell", "node"), repeat=3))
        for mix in mixes[::173]:
            solver = poisson3d.jax.Solver(SHAPE, spacing=SPACING, boundary=mix[0::2], centering=mix[1::2],
                                          helmholtz=0.3)
            check_grads(lambda f: jnp.sin(solver(f)), (noise(*SHAPE),), order=2)

    def test_boundary_values_and_scale(self):
        for centering in ("cell", "node"):
            solver = poisson3d.jax.Solver(SHAPE, spacing=SPACING, boundary=("dirichlet", "neumann", "periodic"),
                                          centering=centering)

            def solve(f, wall, flux, scale):
                return jnp.sin(solver(f, boundary_values={"x_upper": wall, "y_lower": flux}, scale=scale))

            check_grads(solve, (noise(2, *SHAPE), noise(4, 3, seed=2), noise(3, 3, seed=3), 1.5), order=2)

    def test_helmholtz(self):
        """λ as an operand: both modes, second order, with boundary values; the solve is that of a solver of this λ."""
        for centering in ("cell", "node"):
            problem = dict(spacing=SPACING, boundary=("dirichlet", "neumann", "periodic"), centering=centering)
            solver = poisson3d.jax.Solver(SHAPE, **problem)

            def solve(f, wall, helmholtz):
                return jnp.sin(solver(f, boundary_values={"x_upper": wall}, scale=2.0, helmholtz=helmholtz))

            arguments = (noise(*SHAPE), noise(4, 3, seed=2), 0.7)
            check_grads(solve, arguments, order=2)
            own = poisson3d.jax.Solver(SHAPE, helmholtz=0.7, **problem)
            wanted = own(arguments[0], boundary_values={"x_upper": arguments[1]}, scale=2.0)
            for helmholtz in (0.7, jnp.asarray(0.7), jnp.full(1, 0.7)):
                self.assert_close(jax.jit(solver)(arguments[0], boundary_values={"x_upper": arguments[1]}, scale=2.0,
                                                  helmholtz=helmholtz), np.asarray(wanted), 1e-14)

    def test_many_values_of_helmholtz(self):
        """More than there are plans kept, mapped, and the derivative of each."""
        solver = poisson3d.jax.Solver(SHAPE, spacing=SPACING, boundary="neumann", gauge=(1, 2, 0))
        f, many = noise(*SHAPE), np.array([0.5, 1.0, 2.0, 0.25, 8.0, 0.5, 4.0])

        def energy(helmholtz, f):
            return (solver(f, helmholtz=helmholtz) ** 2).sum() / 2

        found, by_helmholtz = jax.vmap(jax.value_and_grad(energy), in_axes=(0, None))(many, f)
        for one, helmholtz in enumerate(many):
            u = poisson3d.jax.Solver(SHAPE, spacing=SPACING, boundary="neumann", helmholtz=helmholtz)(f)
            self.assertAlmostEqual(float(found[one]), float((u**2).sum() / 2), 12)
            step = 1e-4 * helmholtz
            differences = (energy(helmholtz + step, f) - energy(helmholtz - step, f)) / (2 * step)
            self.assertLess(abs(by_helmholtz[one] - differences), 1e-6 * abs(differences))
        for one, f in zip(jax.vmap(energy)(many, noise(7, *SHAPE)), zip(many, noise(7, *SHAPE))):
            self.assertAlmostEqual(float(one), float(energy(*f)), 12)
        with self.refused(r"helmholtz: found an array of shape \(7,\), wanted one number"):
            solver(noise(*SHAPE), helmholtz=many)

    def test_pinned(self):
        solver = poisson3d.jax.Solver(SHAPE, spacing=SPACING, boundary="neumann", centering="node", gauge=(1, 0, 2))
        check_grads(lambda f, g: jnp.sin(solver(f, boundary_values={"z_upper": g}, scale=2.0)),
                    (noise(*SHAPE), noise(3, 4, seed=2)), order=2)

    def test_vmap_of_grad(self):
        solver = poisson3d.jax.Solver(SHAPE, spacing=SPACING, boundary="neumann", centering="node", helmholtz=0.5)

        def energy(f, g):
            return (solver(f, boundary_values={"y_lower": g}) ** 2).sum() / 2

        many, face = noise(4, *SHAPE), noise(3, 3, seed=2)
        found = jax.jit(jax.vmap(jax.grad(energy), in_axes=(0, None)))(many, face)
        for one, f in zip(found, many):
            self.assert_close(one, np.asarray(jax.grad(energy)(f, face)), 1e-13)
        batched = noise(4, 2, *SHAPE)
        self.assert_close(jax.vmap(solver, in_axes=1, out_axes=1)(batched), np.asarray(solver(batched)), 1e-15)


if __name__ == "__main__":
    main()
