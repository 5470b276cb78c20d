"""Derivatives of solves in PyTorch against differences of solves, maps against loops, compiled against not."""

import itertools
import os
import sys
import unittest

from python_test import PythonTest, main, SKIPPED, WALLS, noise, np, poisson3d

try:
    import torch
    import poisson3d.torch
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
SPACING = (0.3, 0.7, 0.4)
SHAPE = (3, 4, 3)


def tensor(*shape, seed=1, needs=True, dtype="f8"):
    return torch.from_numpy(noise(*shape, seed=seed, dtype=dtype)).to(DEVICE).requires_grad_(needs)


class Derivatives(PythonTest):
    def test_first_and_second_of_all_walls(self):
        """A sample of the 1000 mixes (all: POISSON3D_MIXES=1); gradgradcheck differentiates the backward pass."""
        mixes = list(itertools.product(WALLS, ("cell", "node"), repeat=3))
        for mix in mixes[::int(os.environ.get("POISSON3D_MIXES", "37"))]:
            boundary, centering = mix[0::2], mix[1::2]
            solver = poisson3d.torch.Solver(SHAPE, spacing=SPACING, boundary=boundary, centering=centering,
                                            helmholtz=0.3)
            f = tensor(*SHAPE)
            self.assertTrue(torch.autograd.gradcheck(solver, f))
            self.assertTrue(torch.autograd.gradgradcheck(solver, f))

    def test_of_other_axes(self):
        """Steps that differ, Robin and free faces, spectral: what is no mix of WALLS."""
        stretched = {"x": 0.2, "y": np.cumsum([0.0, 0.1, 0.3, 0.2, 0.5]), "z": 0.3}
        kinds = [(dict(spacing=stretched, boundary=("periodic", "robin:2:0.5", "neumann"), centering=centering),
                  (3, 4 + (centering == "node"), 3)) for centering in ("cell", "node")]
        kinds += [(dict(spacing=SPACING, boundary=("free",) * 3), SHAPE),
                  (dict(spacing=SPACING, boundary=("free", "periodic", "neumann"), centering="node"), SHAPE),
                  (dict(spacing=SPACING, boundary="neumann", centering="node", discretization="spectral"), SHAPE)]
        for problem, shape in kinds:
            solver, f = poisson3d.torch.Solver(shape, **problem), tensor(*shape)
            self.assertTrue(torch.autograd.gradcheck(solver, f))
        self.assertTrue(torch.autograd.gradgradcheck(solver, f))

    def test_boundary_values_scale_and_helmholtz(self):
        for centering in ("cell", "node"):
            solver = poisson3d.torch.Solver(SHAPE, spacing=SPACING, boundary=("dirichlet", "neumann", "periodic"),
                                            centering=centering)

            def solve(f, wall, flux, scale, helmholtz):
                return solver(f, boundary_values={"x_upper": wall, "y_lower": flux}, scale=scale, helmholtz=helmholtz)

            arguments = (tensor(*SHAPE), tensor(4, 3, seed=2), tensor(3, 3, seed=3), tensor(1, seed=4),
                         torch.tensor(0.7, dtype=torch.float64, requires_grad=True))
            self.assertTrue(torch.autograd.gradcheck(solve, arguments))
            self.assertTrue(torch.autograd.gradgradcheck(solve, arguments))

    def test_singular_pinned_and_batched(self):
        solver = poisson3d.torch.Solver(SHAPE, spacing=SPACING, boundary="neumann", centering="node", gauge=(1, 0, 2))
        self.assertTrue(torch.autograd.gradcheck(lambda f, g: solver(f, boundary_values={"z_upper": g}),
                                                 (tensor(2, 2, *SHAPE), tensor(3, 4, seed=2))))

    def test_one_call(self):
        f = tensor(*SHAPE)
        u = poisson3d.torch.solve(f, spacing=SPACING, boundary="dirichlet", scale=2.0)
        self.assertTrue((u == poisson3d.solve(f.detach(), spacing=SPACING, boundary="dirichlet", scale=2.0)).all())
        u.sum().backward()
        ones = poisson3d.solve(np.ones(SHAPE), spacing=SPACING, boundary="dirichlet", scale=2.0, engine="host")
        self.assert_close(f.grad.cpu().numpy(), ones, 1e-14)

    def test_strided_views(self):
        wide = tensor(5, 6, 7, needs=False)
        solver = poisson3d.torch.Solver(SHAPE, spacing=SPACING, boundary="dirichlet")
        for view in (wide[1:4, 1:5, 2:5], wide.permute(2, 1, 0)[1:4, 1:5, 1:4], wide[:1, :1, :3].expand(3, 4, 3)):
            self.assertTrue((solver(view) == solver(view.contiguous())).all())

    def test_a_solver_that_is_gone(self):
        f = tensor(*SHAPE)
        u = poisson3d.torch.Solver(SHAPE, spacing=SPACING, boundary="dirichlet")(f)
        u.sum().backward()
        self.assertTrue(torch.isfinite(f.grad).all())


class Transforms(PythonTest):
    def setUp(self):
        self.solver = poisson3d.torch.Solver(SHAPE, spacing=SPACING, boundary=("neumann", "dirichlet", "periodic"),
                                             centering="node", helmholtz=0.5)

    def test_vmap(self):
        many, faces = tensor(5, *SHAPE, needs=False), tensor(5, 3, 3, seed=2, needs=False)

        def solve(f, g):
            return self.solver(f, boundary_values={"y_lower": g})

        wanted = torch.stack([solve(f, g) for f, g in zip(many, faces)])
        self.assertTrue((torch.func.vmap(solve)(many, faces) == wanted).all())
        self.assertTrue((torch.func.vmap(solve, in_dims=(1, None))(many.movedim(0, 1), faces[0]) ==
                         torch.stack([solve(f, faces[0]) for f in many])).all())
        batched = tensor(5, 2, *SHAPE, needs=False)
        self.assertTrue((torch.func.vmap(self.solver)(batched) == self.solver(batched)).all())

    def test_grad_and_vmap_of_grad(self):
        def energy(f):
            return (self.solver(f) ** 2).sum() / 2

        many = tensor(3, *SHAPE, needs=False)
        found = torch.func.vmap(torch.func.grad(energy))(many)
        for f, one in zip(many, found):
            f = f.clone().requires_grad_()
            energy(f).backward()
            self.assert_close(one.cpu().numpy(), f.grad.cpu().numpy(), 1e-13)

    def test_forward_mode(self):
        """jvp against differences, and products of it with gradients: gradcheck's own in all mixes of the two modes."""
        for centering in ("cell", "node"):
            solver = poisson3d.torch.Solver(SHAPE, spacing=SPACING, boundary=("dirichlet", "neumann", "periodic"),
                                            centering=centering)

            def solve(f, wall, scale, helmholtz):
                return solver(f, boundary_values={"x_upper": wall}, scale=scale, helmholtz=helmholtz)

            arguments = (tensor(*SHAPE), tensor(4, 3, seed=2), tensor(1, seed=4),
                         torch.tensor(0.7, dtype=torch.float64, requires_grad=True))
            self.assertTrue(torch.autograd.gradcheck(solve, arguments, check_forward_ad=True, check_backward_ad=False,
                                                     check_batched_forward_grad=False))
            self.assertTrue(torch.autograd.gradgradcheck(solve, arguments, check_fwd_over_rev=True,
                                                         check_rev_over_rev=False, check_undefined_grad=False))

    def test_jvp_of_each_argument_alone(self):
        f, wall, helmholtz = tensor(*SHAPE, needs=False), tensor(3, 3, seed=2, needs=False), torch.tensor(0.9).double()
        df, dwall = tensor(*SHAPE, seed=5, needs=False), tensor(3, 3, seed=6, needs=False)

        def solve(f, wall, helmholtz):
            return self.solver(f, boundary_values={"y_lower": wall}, scale=2.0, helmholtz=helmholtz)

        by_f = torch.func.jvp(lambda f: solve(f, wall, helmholtz), (f,), (df,))[1]
        self.assert_close(by_f.cpu().numpy(), solve(df, 0 * wall, helmholtz).cpu().numpy(), 1e-14)
        by_wall = torch.func.jvp(lambda wall: solve(f, wall, helmholtz), (wall,), (dwall,))[1]
        self.assert_close(by_wall.cpu().numpy(), solve(0 * f, dwall, helmholtz).cpu().numpy(), 1e-14)
        by_helmholtz = torch.func.jvp(lambda h: solve(f, wall, h), (helmholtz,), (torch.ones_like(helmholtz),))[1]
        step = 1e-5
        differences = (solve(f, wall, helmholtz + step) - solve(f, wall, helmholtz - step)) / (2 * step)
        self.assert_close(by_helmholtz.cpu().numpy(), differences.cpu().numpy(), 1e-8)
        many = tensor(4, *SHAPE, seed=7, needs=False)
        mapped = torch.func.vmap(lambda df: torch.func.jvp(lambda f: solve(f, wall, helmholtz), (f,), (df,))[1])(many)
        wanted = torch.stack([solve(df, 0 * wall, helmholtz) for df in many])
        self.assert_close(mapped.cpu().numpy(), wanted.cpu().numpy(), 1e-14)

    def test_hessian_of_both_modes(self):
        def energy(f):
            return (self.solver(f) ** 3).sum()

        f = tensor(*SHAPE, needs=False)
        wanted = torch.func.jacrev(torch.func.jacrev(energy))(f)
        for inner, outer in ((torch.func.jacrev, torch.func.jacfwd), (torch.func.jacfwd, torch.func.jacfwd)):
            self.assert_close(outer(inner(energy))(f).cpu().numpy(), wanted.cpu().numpy(), 1e-12)

    def test_operator_check(self):
        """PyTorch's own: schema, fake kernel, graphs with sizes that are not fixed."""
        v = tensor(*SHAPE, needs=False)
        which = (self.solver._number, "", 1.5)
        for operator, arguments in ((torch.ops.poisson3d.solve, (v, [], None, *which)),
                                    (torch.ops.poisson3d.adjoint, (v, None, *which))):
            torch.library.opcheck(operator, arguments)

    def test_compile(self):
        def loss(f, g):
            return (self.solver(f, boundary_values={"y_lower": g}, scale=2.0) ** 2).sum()

        compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
        for seed in (1, 2):
            f, g = tensor(*SHAPE, seed=seed), tensor(3, 3, seed=seed + 5)
            wanted = torch.autograd.grad(loss(f, g), (f, g))
            found = torch.autograd.grad(compiled(f, g), (f, g))
            for one, other in zip(found, wanted):
                self.assert_close(one.cpu().numpy(), other.cpu().numpy(), 1e-13)

    def test_compile_without_derivatives(self):
        many = tensor(2, *SHAPE, needs=False)
        for call in (self.solver, torch.func.vmap(self.solver)):
            compiled = torch.compile(call, backend="aot_eager", fullgraph=True)
            self.assertTrue((compiled(many) == self.solver(many)).all())

    def loss(self, f):
        return (self.solver(f) ** 2).sum()

    @unittest.skipUnless(DEVICE.type == "cuda", "no GPU")
    def test_in_a_graph(self):
        """Solve and gradient as a CUDA graph."""
        f = tensor(*SHAPE)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):  # plans, and whatever PyTorch makes once
            for _ in range(3):
                torch.autograd.grad(self.loss(f), f)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            (found,) = torch.autograd.grad(self.loss(f), f)
        for seed in (3, 4):
            values = tensor(*SHAPE, seed=seed)
            (wanted,) = torch.autograd.grad(self.loss(values), values)
            with torch.no_grad():
                f.copy_(values)
            graph.replay()
            self.assert_close(found.cpu().numpy(), wanted.cpu().numpy(), 1e-13)

    @unittest.skipUnless(DEVICE.type == "cuda", "no GPU")
    def test_compiled_to_a_graph(self):
        """By torch.compile, forward and backward."""
        compiled = torch.compile(self.loss, backend="cudagraphs", fullgraph=True)
        for seed in (3, 4, 5, 6):  # the first ones come before anything is recorded
            values = tensor(*SHAPE, seed=seed)
            (wanted,) = torch.autograd.grad(self.loss(values), values)
            (found,) = torch.autograd.grad(compiled(values), values)
            self.assert_close(found.cpu().numpy(), wanted.cpu().numpy(), 1e-13)

    def test_refusals(self):
        with self.refused(r"f: found \(3, 4, 4\), wanted \(…, 3, 4, 3\)"):
            self.solver(tensor(3, 4, 4))
        with self.refused("batch: found 2, wanted nothing: f decides"):
            poisson3d.torch.Solver(SHAPE, spacing=1.0, boundary="dirichlet", batch=2)
        f = tensor(*SHAPE, needs=False)
        with self.refused("helmholtz: found one value for each mapped solve"):
            torch.func.vmap(lambda h: self.solver(f, helmholtz=h))(torch.ones(3))


if __name__ == "__main__":
    main()
