"""The transpose of a solve: ⟨v, S f⟩ = ⟨Sᵀ v, f⟩ for noise v and f, and the same for the data of every face."""

import itertools

from python_test import PythonTest, main, Solver, WALLS, eps, noise, np, poisson3d

FACES = [f"{axis}_{side}" for axis in "xyz" for side in ("lower", "upper")]
SPACING = (0.3, 0.7, 0.4)


def faces_with_data(boundary):
    for axis, word in zip("xyz", boundary):
        for side, wall in zip(("lower", "upper"), (word.split(":") * 2)[:2] if ":" not in word else word.split(":")):
            if wall not in ("periodic", "free"):
                yield f"{axis}_{side}"


class Adjoint(PythonTest):
    def check(self, shape, dtype="f8", faces=(), batch=1, **problem):
        """Both sides of the equation, relative to what they would be if nothing cancelled."""
        solver = Solver(shape, dtype, batch=batch, **problem)
        where = shape if batch == 1 else (batch, *shape)
        f, v = noise(*where, seed=2, dtype=dtype), noise(*where, seed=3, dtype=dtype)
        u = solver.solve(f, scale=1.5)
        back = solver.adjoint(v, scale=1.5)
        self.assertEqual(back.dtype, u.dtype)
        tolerance = 40 * eps(dtype) * np.log2(2 * max(shape))
        norm = np.linalg.norm
        worst = abs(np.vdot(v, u) - np.vdot(back, f)) / max(norm(v) * norm(u), norm(back) * norm(f))
        self.assertLessEqual(worst, tolerance, (shape, dtype, problem))
        if not faces:
            return
        back, transposed = solver.adjoint(v, faces=faces)
        self.assert_close(back * 1.5, solver.adjoint(v, scale=1.5), tolerance)
        for seed, name in enumerate(faces):
            axis = "xyz".index(name[0])
            g = noise(*(n for a, n in enumerate(shape) if a != axis), seed=seed + 10, dtype=dtype)
            g = self.zero_at_edges(g, axis, shape, problem)
            u = solver.solve(np.zeros_like(f), boundary_values={name: g})
            self.assertEqual(transposed[name].shape, (*where[:-3], *g.shape))
            found, wanted = np.vdot(transposed[name], np.broadcast_to(g, transposed[name].shape)), np.vdot(v, u)
            self.assertLessEqual(abs(found - wanted), tolerance * max(norm(v) * norm(u), norm(transposed[name]) * norm(g)),
                                 (name, shape, problem))

    @staticmethod
    def zero_at_edges(g, axis, shape, problem):
        """Faces of Dirichlet nodes must agree where they meet: with 0 there, any two do."""
        centering = problem.get("centering", "cell")
        others = [a for a in range(3) if a != axis]
        for place, other in enumerate(others):
            where = centering if isinstance(centering, str) else centering[other]
            word = problem["boundary"] if isinstance(problem["boundary"], str) else problem["boundary"][other]
            walls = (word.split(":")[0], word.split(":")[-1])
            line = np.moveaxis(g, place, 0)
            if where == "node":
                for wall, end in zip(walls, (0, -1)):
                    if wall == "dirichlet":
                        line[end] = 0
        return g

    def test_all_walls_of_cells_and_nodes_with_data(self):
        mixes = list(itertools.product(WALLS, repeat=3))
        for number, boundary in enumerate(mixes):
            centering = [("cell", "node")[(number * 5 + number // 7 + a * (number // 3)) % 2] for a in range(3)]
            shape = [(5, 4, 6), (3, 7, 5), (4, 3, 3), (6, 5, 9)][number % 4]
            self.check(shape, ("f8", "f4")[number % 5 == 4], tuple(faces_with_data(boundary)), boundary=boundary,
                       centering=centering, spacing=SPACING, helmholtz=(0.0, 0.7)[number % 3 == 2])

    def test_spectral(self):
        for boundary in (("periodic",) * 3, ("neumann",) * 3, ("dirichlet", "neumann", "dirichlet:neumann")):
            for centering in ("cell", "node"):
                self.check((6, 5, 7), boundary=boundary, centering=centering, spacing=SPACING,
                           discretization="spectral")

    def test_steps_that_differ_and_robin_faces(self):
        stretched = {"x": 0.2, "y": np.cumsum([0.0, 0.1, 0.3, 0.2, 0.5, 0.15]), "z": 0.3}
        for boundary in (("neumann", "dirichlet", "periodic"), ("periodic", "robin:2:0.5", "neumann"),
                         ("neumann", "neumann", "neumann"), ("dirichlet", "dirichlet:robin:1:0.2", "robin:3:1")):
            faces = [f for f in FACES if "periodic" not in boundary["xyz".index(f[0])]]
            for centering, shape in (("cell", (4, 5, 6)), ("node", (4, 6, 6))):
                self.check(shape, faces=faces, boundary=boundary, centering=centering, spacing=stretched)

    def test_gauges(self):
        for centering in ("cell", "node"):
            for gauge in ("mean", (1, 2, 3), (0, 0, 0)):
                self.check((4, 5, 6), faces=FACES, boundary="neumann", centering=centering, spacing=SPACING,
                           gauge=gauge)
                self.check((4, 5, 6), boundary=("periodic", "neumann", "free"), centering=centering, spacing=SPACING,
                           gauge=gauge)

    def test_free_faces(self):
        for boundary in (("free",) * 3, ("free", "periodic", "free"), ("dirichlet:free", "free", "neumann")):
            for discretization in ("second-order", "spectral"):
                self.check((4, 5, 6), boundary=boundary, spacing=SPACING, discretization=discretization)

    def test_batches(self):
        self.check((4, 5, 6), faces=FACES, batch=3, boundary="neumann", centering="node", spacing=SPACING)
        self.check((4, 5, 6), faces=FACES, batch=2, boundary="dirichlet", centering="node", spacing=SPACING)

    def test_mixed_precision(self):
        self.check((8, 5, 6), mixed=True, boundary="dirichlet", spacing=SPACING)

    def test_twice_is_the_solve(self):
        """(Sᵀ)ᵀ = S: through weights that differ and a pin."""
        solver = Solver((4, 5, 6), boundary="neumann", centering="node", spacing=SPACING)
        f, v = noise(4, 5, 6, seed=4), noise(4, 5, 6, seed=5)
        self.assertAlmostEqual(np.vdot(solver.adjoint(v), f), np.vdot(v, solver.solve(f)), delta=1e-12)

    def test_refusals(self):
        solver = Solver((4, 5, 6), boundary=("periodic", "dirichlet", "free"), spacing=SPACING)
        v = noise(4, 5, 6)
        for name in ("x_lower", "z_upper"):
            with self.refused(f"faces: found '{name}', wanted a face that takes boundary values"):
                solver.adjoint(v, faces=[name])
        spectral = Solver((4, 5, 6), boundary="dirichlet", spacing=SPACING, discretization="spectral")
        with self.refused("faces: found 'x_lower', wanted a face that takes boundary values"):
            spectral.adjoint(v, faces=["x_lower"])
        with self.refused("faces: found 'left', wanted x_lower"):
            solver.adjoint(v, faces=["left"])


class LinearOperator(PythonTest):
    def test_preconditioner_of_variable_coefficients(self):
        """∇·(ε∇u) = f between walls by conjugate gradients: about as many iterations whatever the points."""
        from scipy.sparse.linalg import LinearOperator as Operator, cg

        counts = []
        for n in (8, 16):
            solver = Solver((n, n, n), boundary="dirichlet", spacing=1 / n)
            x = (np.arange(n + 1) / n)[:, None, None]
            eps_faces = 2 + np.sin(3 * x)

            def operator(u):
                u = u.reshape(n, n, n)
                du = np.diff(np.concatenate([-u[:1], u, -u[-1:]]), axis=0) * eps_faces
                rest = (eps_faces[1:] + eps_faces[:-1]) / 2
                sum_ = np.diff(du, axis=0)
                for axis in (1, 2):
                    line = np.moveaxis(u, axis, 0)
                    padded = np.concatenate([-line[:1], line, -line[-1:]])
                    sum_ = sum_ + rest * np.moveaxis(padded[2:] - 2 * line + padded[:-2], 0, axis)
                return -(sum_ * n * n).reshape(-1)

            inverse = solver.as_linear_operator()
            steps = []
            u, status = cg(Operator((n**3, n**3), operator), noise(n**3), M=Operator((n**3, n**3), lambda r: -(inverse @ r)),
                           callback=lambda _: steps.append(0))
            self.assertEqual(status, 0)
            counts.append(len(steps))
        self.assertLess(counts[1], counts[0] + 3)
        self.assertLess(counts[1], 12)

    def test_transpose_and_type(self):
        operator = Solver((3, 4, 5), "f4", boundary="neumann", centering="node", spacing=1.0).as_linear_operator()
        self.assertEqual((operator.shape, operator.dtype), ((60, 60), np.float32))
        dense = operator @ np.eye(60, dtype="f4")
        self.assert_close(operator.H @ np.eye(60, dtype="f4"), dense.T, 1e-5)


if __name__ == "__main__":
    main()
