"""Arrays on a GPU, of every library that is there: against the same problem on the host, on streams, in graphs.

Without a GPU, or with a build without CUDA, ends with 77.
"""

import gc
import time
import unittest

from device_arrays import Cupy, Torch, cupy, free_bytes, jax, torch
from python_test import PythonTest, eps, main, noise, poisson3d, np

SHAPE, WALLS = (30, 32, 35), ("dirichlet", "neumann", "periodic")


def planned(dtype="f8", shape=SHAPE, **options):
    return poisson3d.Solver(shape, dtype, **{"spacing": (0.1, 0.2, 0.3), "boundary": WALLS, **options})


def on_host(f):
    return planned(f.dtype, f.shape, engine="host").solve(f)


class Writable:
    """What libraries whose arrays can be written to have in common."""

    library = None

    def put(self, array):
        return self.library.put(array)

    def get(self, array):
        return self.library.get(array)

    def busy(self):
        """Some tens of milliseconds of work, so that what does not wait for it comes too early."""
        a = self.put(noise(3000, 3000))
        for _ in range(12):
            a = a @ a * 1e-3
        return a

    def test_agrees_with_the_host(self):
        for dtype in ("f8", "f4"):
            f = noise(*SHAPE, dtype=dtype)
            wanted = on_host(f)
            for engine, memory in (("fused", "fast"), ("fused", "low"), ("cufft", "fast"), ("cufft", "standard")):
                solver = planned(dtype, engine=engine, memory=memory)
                given = self.put(f)
                u = solver.solve(given)
                self.assertIs(type(u), type(given))
                self.assert_close(self.get(u), wanted, 100 * eps(dtype), (engine, memory))
                np.testing.assert_array_equal(self.get(given), f)
                out = self.put(np.full(SHAPE, np.nan, dtype))
                self.assertIs(solver.solve(given, out), out)
                np.testing.assert_array_equal(self.get(out), self.get(u))
                solver.solve(given, given)
                np.testing.assert_array_equal(self.get(given), self.get(u))
            self.assert_close(self.get(poisson3d.solve(self.put(f), spacing=(0.1, 0.2, 0.3), boundary=WALLS)),
                              wanted, 100 * eps(dtype))

    def test_views_with_ghost_layers_and_batches(self):
        whole = noise(3, *(n + 4 for n in SHAPE))
        inner = (slice(None), slice(1, 1 + SHAPE[0]), slice(2, 2 + SHAPE[1]), slice(3, 3 + SHAPE[2]))
        f = self.put(whole)
        solver = planned(memory="fast", batch=3)
        u = solver.solve(f[inner])
        for b in range(3):
            np.testing.assert_array_equal(self.get(u[b]), self.get(solver.solve(f[inner][b])))
        solver.solve(f[inner], f[inner])
        found = self.get(f)
        np.testing.assert_array_equal(found[inner], self.get(u))
        found[inner] = whole[inner]
        np.testing.assert_array_equal(found, whole)

    def test_boundary_values_gradient_apply_mixed(self):
        f, face = noise(*SHAPE), noise(32, 35, seed=2)
        values = {"x_lower": face, "x_upper": 0.5}
        device_values = {"x_lower": self.put(face), "x_upper": 0.5}
        solver, host = planned(), planned(engine="host")
        u = solver.solve(self.put(f), boundary_values=device_values)
        wanted = host.solve(f, boundary_values=values)
        self.assert_close(self.get(u), wanted, 100 * eps("f8"))
        gradient = solver.gradient(u, boundary_values=device_values)
        self.assert_close(self.get(gradient), host.gradient(wanted, boundary_values=values), 1000 * eps("f8"))
        self.assert_close(self.get(solver.apply(u)), host.apply(wanted), 1000 * eps("f8"))
        for engine in ("automatic", "cufft"):
            spectral = planned(discretization="spectral", engine=engine)
            modes = planned(discretization="spectral", engine="host").gradient(f)
            self.assert_close(self.get(spectral.gradient(self.put(f))), modes, 1000 * eps("f8"))
            np.testing.assert_array_equal(spectral.gradient(f), modes)
        mixed = planned(mixed=True)
        self.assert_close(self.get(mixed.solve(self.put(f))), on_host(f), 100 * eps("f8"))
        with self.refused("boundary_values.*found in host memory, wanted in the memory of GPU 0"):
            solver.solve(self.put(f), boundary_values=values)

    def test_gradient_beside_free_faces(self):
        """What stands on them is in host memory, and read where the fields are."""
        f = noise(*SHAPE)
        for boundary in (("free", "neumann", "dirichlet"), "free"):
            solver, host = planned(boundary=boundary), planned(boundary=boundary, engine="host")
            u = solver.solve(self.put(f))
            wanted = host.gradient(host.solve(f))
            self.assert_close(self.get(solver.gradient(u)), wanted, 1000 * eps("f8"), boundary)

    def test_the_current_stream_is_respected_and_not_waited_for(self):
        f = noise(*SHAPE)
        wanted, solver = on_host(f), planned()
        source, given = self.put(f), self.put(np.zeros(SHAPE))
        out = solver.solve(given)
        stream = self.library.stream()
        self.busy()
        self.library.wait(stream)
        with self.library.using(stream):
            self.busy()
            given[...] = source
            start = time.perf_counter()
            solver.solve(given, out)
            called = time.perf_counter() - start
            copied = out + 0  # on the same stream: after the solve
        self.library.wait(stream)
        waited = time.perf_counter() - start
        self.assert_close(self.get(copied), wanted, 100 * eps("f8"))
        self.assertLess(called, 0.3 * waited, f"the call took {called} s, the work {waited} s")

    def test_a_solver_moves_between_streams(self):
        f = [noise(*SHAPE, seed=seed) for seed in range(6)]
        solver = planned()
        given = [self.put(field) for field in f]
        out = [self.put(np.zeros(SHAPE)) for _ in f]
        streams = [self.library.stream() for _ in f]
        wanted = [self.get(solver.solve(field)) for field in given]
        for _ in range(5):
            for field, u, stream in zip(given, out, streams):
                with self.library.using(stream):
                    solver.solve(field, u)  # the workspace is still in use on the stream before
        for field, stream in zip(given, streams):
            self.library.wait(stream)
        for u, one in zip(out, wanted):
            np.testing.assert_array_equal(self.get(u), one)

    def test_a_stream_that_is_given_keeps_what_it_needs(self):
        solver, stream = planned(), self.library.stream()
        f = noise(*SHAPE)
        wanted = self.get(solver.solve(self.put(f)))
        solved = []
        for _ in range(20):
            solved.append(solver.solve(self.put(f), stream=stream))  # f is garbage before it is read
            self.put(np.full(SHAPE, np.nan))
        handle = stream.cuda_stream if hasattr(stream, "cuda_stream") else stream.ptr
        solved.append(solver.solve(self.put(f), stream=handle))
        self.library.wait(stream)
        for u in solved:
            np.testing.assert_array_equal(self.get(u), wanted)

    def test_device_memory_stays_as_it_is(self):
        solver, f = planned(), self.put(noise(*SHAPE))
        out = solver.solve(f)
        stream = self.library.stream()

        def loop(count):
            for _ in range(count):
                solver.solve(f, out)
                solver.solve(f, out, stream=stream)
                solver.solve(f)
            solver.result

        loop(20)
        changes = []
        for _ in range(5):  # other processes may use the GPU: a leak is in every loop
            before = free_bytes()
            loop(3000)
            changes.append(free_bytes() - before)
            if changes[-1] == 0:
                return
        self.fail(f"3000 calls changed the free memory of the GPU by {changes} bytes")

    def test_what_is_refused(self):
        f = self.put(noise(*SHAPE))
        for call, sentence in (
                (lambda: planned(engine="host").solve(f), "f: found in the memory of GPU 0, wanted in host memory"),
                (lambda: planned().solve(f, noise(*SHAPE)), "out: found in host memory, wanted in the memory of GPU 0"),
                (lambda: planned().solve(noise(*SHAPE), f), "out: found in the memory of GPU 0, wanted in host memory"),
                (lambda: planned("f4").solve(f), "f: found float64, wanted float32"),
                (lambda: planned().solve(f[1:]), r"f: found shape \(29, 32, 35\)"),
                (lambda: planned().solve(f, stream="fast"), "stream: found 'fast'")):
            with self.refused(sentence):
                call()


@unittest.skipIf(torch is None or not torch.cuda.is_available(), "no PyTorch for this GPU")
class PyTorch(Writable, PythonTest):
    library = Torch

    def test_in_a_graph(self):
        solver, f = planned(), torch.zeros(SHAPE, dtype=torch.float64, device="cuda")
        out = solver.solve(f)
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph):
            solver.solve(f, out)
        for seed in (1, 2):
            data = noise(*SHAPE, seed=seed)
            f.copy_(torch.as_tensor(data))
            graph.replay()
            self.assert_close(out.cpu().numpy(), on_host(data), 100 * eps("f8"))
        self.assert_close(solver.solve(f).cpu().numpy(), on_host(data), 100 * eps("f8"))  # and after it

    def test_tensors_on_the_host_and_with_gradients(self):
        f = noise(*SHAPE)
        u = planned(engine="host").solve(torch.as_tensor(f))
        np.testing.assert_array_equal(u.numpy(), on_host(f))
        with self.assertRaisesRegex(Exception, "grad"):
            planned().solve(torch.as_tensor(f, device="cuda").requires_grad_())

    def test_with_arrays_of_another_library(self):
        if cupy is None:
            self.skipTest("no CuPy")
        f = noise(*SHAPE)
        out = cupy.empty(SHAPE)
        planned().solve(torch.as_tensor(f, device="cuda"), out)
        torch.cuda.synchronize()
        self.assert_close(cupy.asnumpy(out), on_host(f), 100 * eps("f8"))


@unittest.skipIf(cupy is None, "no CuPy")
class CuPy(Writable, PythonTest):
    library = Cupy

    def test_the_cuda_array_interface_alone(self):
        class Interface:
            def __init__(self, array, stream=None):
                self.array, self.shape, self.dtype = array, array.shape, array.dtype
                self.__cuda_array_interface__ = dict(array.__cuda_array_interface__, stream=stream)

        f = noise(*SHAPE)
        whole, out = cupy.asarray(noise(36, 36, 36)), cupy.zeros(SHAPE)
        view = whole[2:32, 2:34, 1:36]
        view[...] = cupy.asarray(f)
        cupy.cuda.Device().synchronize()
        self.assertIsInstance(planned().solve(Interface(view), Interface(out)), Interface)
        cupy.cuda.Device().synchronize()
        self.assert_close(cupy.asnumpy(out), on_host(f), 100 * eps("f8"))
        with self.refused("how to make one"):
            planned().solve(Interface(view))


@unittest.skipIf(jax is None or jax.default_backend() != "gpu", "no JAX for this GPU")
class Jax(PythonTest):
    def test_agrees_with_the_host(self):
        for dtype in ("f8", "f4"):
            f = noise(*SHAPE, dtype=dtype)
            given = jax.numpy.asarray(f)
            u = planned(dtype).solve(given)
            self.assertIs(type(u), type(given))
            self.assertEqual((u.shape, u.dtype, u.device), (given.shape, given.dtype, given.device))
            self.assert_close(np.asarray(u), on_host(f), 100 * eps(dtype))
            np.testing.assert_array_equal(np.asarray(given), f)

    def test_temporaries_and_what_comes_after(self):
        """Every array is garbage while the device still works on it; JAX gives the memory away at once."""
        f = jax.numpy.asarray(noise(*SHAPE))
        solver = planned()
        double = np.asarray(solver.solve(2 * f))
        for _ in range(100):
            u = solver.solve(f + f)
            v = solver.solve(u * 0 + 2 * f)
            solver.solve(f * jax.numpy.nan)  # nobody keeps this one
            total = u + v
            jax.numpy.full(SHAPE, 7.0) * f
            np.testing.assert_array_equal(np.asarray(total), 2 * double)

    def test_gradient_batch_boundary_values(self):
        f, face = noise(2, *SHAPE), noise(32, 35, seed=2)
        solver, host = planned(batch=2), planned(batch=2, engine="host")
        u = solver.solve(jax.numpy.asarray(f), boundary_values={"x_lower": jax.numpy.asarray(face)})
        wanted = host.solve(f, boundary_values={"x_lower": face})
        self.assert_close(np.asarray(u), wanted, 100 * eps("f8"))
        self.assert_close(np.asarray(solver.gradient(u)), host.gradient(wanted), 1000 * eps("f8"))
        self.assertEqual(len(solver.results), 2)

    def test_what_is_refused(self):
        f = jax.numpy.asarray(noise(*SHAPE))
        with self.refused("out: found an array of JAX, which never changes"):
            planned().solve(f, f)
        with self.refused("JAX is tracing"):
            jax.jit(lambda g: planned().solve(g))(f)

    def test_device_memory_stays_as_it_is(self):
        solver, f = planned(), jax.numpy.asarray(noise(*SHAPE))

        def loop(count):
            for _ in range(count):
                u = solver.solve(f)
            u.block_until_ready()
            solver.result

        loop(100)
        gc.collect()
        before = jax.devices()[0].memory_stats()["bytes_in_use"]
        loop(2000)
        self.assertLess(jax.devices()[0].memory_stats()["bytes_in_use"] - before, 50 * f.nbytes)


class NumPyOnTheGpu(PythonTest):
    def test_fields_in_host_memory_are_copied_there_and_back(self):
        f = noise(*SHAPE)
        for engine in ("fused", "cufft"):
            self.assert_close(planned(engine=engine, memory="fast").solve(f), on_host(f), 100 * eps("f8"))


if __name__ == "__main__":
    main()
