"""Solver(…, devices=…) on arrays of every library that is there, each slab in the memory of its GPU: devices 0 and 0, and
where there are two GPUs 0 and 1, 1 and 0. Against the same problem on the host.

Without a GPU, or with a build without CUDA, ends with 77.
"""

import contextlib
import time
import unittest

from device_arrays import count_gpus, cupy, jax, torch
from python_test import PythonTest, eps, main, noise, poisson3d, np

SHAPE, WALLS = (31, 20, 35), ("dirichlet", "neumann", "dirichlet")
LISTS = [[0, 0], [0, 1], [1, 0, 1]] if count_gpus() > 1 else [[0, 0], [0, 0, 0]]


def planned(dtype="f8", **options):
    return poisson3d.Solver(SHAPE, dtype, **{"spacing": (0.1, 0.2, 0.3), "boundary": WALLS, **options})


def on_host(f, **call):
    return planned(f.dtype, batch=f.shape[0] if f.ndim == 4 else 1, engine="host").solve(f, **call)


def faces(dtype):
    return {"x_lower": noise(20, 35, seed=5, dtype=dtype), "x_upper": noise(20, 35, seed=6, dtype=dtype), "y_lower": 0.5,
            "z_upper": noise(31, 20, seed=7, dtype=dtype)}


class OfCupy:
    @staticmethod
    def put(array, device):
        with cupy.cuda.Device(device):
            return cupy.asarray(array)

    @staticmethod
    def get(array):
        return cupy.asnumpy(array)

    @staticmethod
    def device(array):
        return array.device.id

    @staticmethod
    def stream(device):
        with cupy.cuda.Device(device):
            return cupy.cuda.Stream(non_blocking=True)

    @staticmethod
    @contextlib.contextmanager
    def using(streams, devices):
        with contextlib.ExitStack() as stack:
            for stream, device in zip(streams, devices):
                stack.enter_context(cupy.cuda.Device(device))
                stack.enter_context(stream)
            yield

    @staticmethod
    def wait(stream):
        stream.synchronize()

    @staticmethod
    def current():
        return cupy.cuda.runtime.getDevice()


class OfTorch:
    @staticmethod
    def put(array, device):
        return torch.as_tensor(array, device=f"cuda:{device}")

    @staticmethod
    def get(array):
        return array.cpu().numpy()

    @staticmethod
    def device(array):
        return array.device.index

    @staticmethod
    def stream(device):
        return torch.cuda.Stream(device)

    @staticmethod
    @contextlib.contextmanager
    def using(streams, devices):
        with contextlib.ExitStack() as stack:
            for stream in streams:
                stack.enter_context(torch.cuda.stream(stream))
            yield

    @staticmethod
    def wait(stream):
        stream.synchronize()

    @staticmethod
    def current():
        return torch.cuda.current_device()


class Lists:
    """What libraries whose arrays can be written to have in common."""

    library = None

    def put(self, array, solver, axis=0):
        """Slabs of an array, each on its GPU; `axis`: the one of x."""
        return [self.library.put(np.ascontiguousarray(array[(slice(None),) * axis + (planes,)]), device)
                for planes, device in zip(solver.slices, solver.devices)]

    def get(self, slabs, axis=0):
        return np.concatenate([self.library.get(slab) for slab in slabs], axis=axis)

    def on_gpus(self, values, solver):
        ends = solver.devices[0], solver.devices[-1]
        return {name: one if np.ndim(one) == 0 else self.library.put(one, ends[name == "x_upper"]) if name[0] == "x"
                else self.put(one, solver) for name, one in values.items()}

    def test_agrees_with_the_host(self):
        for devices in LISTS:
            for dtype in ("f8", "f4"):
                f, values = noise(*SHAPE, dtype=dtype), faces(dtype)
                wanted = on_host(f, boundary_values=values, scale=-2)
                for method in ("eliminate", "transpose"):
                    solver = planned(dtype, devices=devices, method=method, batch=2)
                    self.assertEqual(solver.method, method)
                    before = self.library.current()
                    given = self.put(f, solver)
                    walls = self.on_gpus(values, solver)
                    u = solver.solve(given, boundary_values=walls, scale=-2)
                    self.assertEqual([type(one) for one in u], [type(one) for one in given])
                    self.assertEqual([self.library.device(one) for one in u], devices)
                    self.assert_close(self.get(u), wanted, 100 * eps(dtype), (devices, method))
                    np.testing.assert_array_equal(self.get(given), f)
                    out = self.put(np.full(SHAPE, np.nan, dtype), solver)
                    self.assertIs(solver.solve(given, out, boundary_values=walls, scale=-2)[0], out[0])
                    np.testing.assert_array_equal(self.get(out), self.get(u))
                    solver.solve(given, given, boundary_values=walls, scale=-2)
                    np.testing.assert_array_equal(self.get(given), self.get(u))
                    many = noise(2, *SHAPE, dtype=dtype)
                    found = self.get(solver.solve(self.put(many, solver, axis=1)), axis=1)
                    self.assert_close(found, on_host(many), 100 * eps(dtype))
                    back = solver.apply(solver.solve(self.put(f, solver)))
                    self.assert_close(self.get(back), f, 3000 * eps(dtype))
                    self.assertEqual(len(solver.results), 1)
                    self.assertEqual(self.library.current(), before)

    def test_gradients_and_ways(self):
        for devices in LISTS:
            for way in ("copies", "staged"):
                u, values = noise(*SHAPE), faces("f8")
                wanted = planned(engine="host").gradient(u, boundary_values=values)
                solver = planned(devices=devices, way=way, method="transpose", chunks=2)
                self.assertIn(way, solver.description)
                given, walls = self.put(u, solver), self.on_gpus(values, solver)
                found = solver.gradient(given, boundary_values=walls)
                self.assertEqual([self.library.device(one) for one in found], devices)
                self.assert_close(self.get(found, axis=1), wanted, 100 * eps("f8"), (devices, way))
                out = self.put(np.full((3, *SHAPE), np.nan), solver, axis=1)
                self.assertIs(solver.gradient(given, out, boundary_values=walls)[0], out[0])
                np.testing.assert_array_equal(self.get(out, axis=1), self.get(found, axis=1))
                np.testing.assert_array_equal(self.get(given), u)

    def test_gradients_beside_free_faces(self):
        f, free = noise(*SHAPE), {"boundary": ("free", "neumann", "dirichlet")}
        one = planned(engine="host", **free)
        wanted = one.gradient(one.solve(f))
        for devices in LISTS:
            solver = planned(devices=devices, **free)
            u = solver.solve(self.put(f, solver))
            self.assert_close(self.get(solver.gradient(u), axis=1), wanted, 1000 * eps("f8"), devices)

    def test_views_with_ghost_layers(self):
        for devices in LISTS:
            solver, f = planned(devices=devices), noise(*SHAPE)
            whole = [self.library.put(np.full((n.stop - n.start + 2, 22, 39), -7.5), device)
                     for n, device in zip(solver.slices, devices)]
            inner = [array[1:-1, 1:21, 2:37] for array in whole]
            solver.solve(self.put(f, solver), inner)
            self.assert_close(self.get(inner), on_host(f), 100 * eps("f8"))
            for array, view in zip(whole, inner):
                found = self.library.get(array)
                self.assertEqual((found == -7.5).sum(), found.size - self.library.get(view).size)

    def test_the_current_stream_of_each_gpu(self):
        """What is done in it before comes before, what is done after comes after; the call waits for nothing."""
        f = noise(*SHAPE)
        wanted = on_host(f)
        for devices in LISTS:
            solver = planned(devices=devices)
            source, given = self.put(f, solver), self.put(np.zeros(SHAPE), solver)
            busy = {device: self.library.put(noise(3000, 3000), device) for device in devices}
            out = solver.solve(given)
            solver.result
            for _ in range(2):  # other streams than before
                streams = {device: self.library.stream(device) for device in devices}
                for device, stream in streams.items():
                    with self.library.using([stream], [device]):
                        a = busy[device]
                        for _ in range(12):
                            a = a @ a * 1e-3
                        for to, what in zip(given, source):
                            if self.library.device(to) == device:
                                to[...] = what
                start = time.perf_counter()
                with self.library.using(streams.values(), streams):
                    solver.solve(given, out)
                called = time.perf_counter() - start
                copied = []
                for u in out:
                    device = self.library.device(u)
                    with self.library.using([streams[device]], [device]):
                        copied.append(u + 0)
                for stream in streams.values():
                    self.library.wait(stream)
                waited = time.perf_counter() - start
                self.assert_close(self.get(copied), wanted, 100 * eps("f8"), devices)
                self.assertLess(called, 0.5 * waited, f"the call took {called} s, the work {waited} s")
                for device, stream in streams.items():
                    with self.library.using([stream], [device]):
                        for to in given:
                            if self.library.device(to) == device:
                                to[...] = 0
                    self.library.wait(stream)

    def test_streams_that_are_given_keep_what_they_need(self):
        f = noise(*SHAPE)
        for devices in LISTS:
            solver = planned(devices=devices)
            streams = [self.library.stream(device) for device in devices]
            wanted = self.get(solver.solve(self.put(f, solver)))
            solved = []
            for _ in range(10):
                solved.append(solver.solve(self.put(f, solver), stream=streams))  # f is garbage before it is read
                self.put(np.full(SHAPE, np.nan), solver)
            for stream in streams:
                self.library.wait(stream)
            for u in solved:
                np.testing.assert_array_equal(self.get(u), wanted)

    def test_what_is_refused(self):
        solver, f = planned(devices=LISTS[0]), noise(*SHAPE)
        given = self.put(f, solver)
        for call, sentence in (
                (lambda: solver.solve([given[0], f[16:]]), r"f\[1\]: found in host memory, wanted in the memory of GPU 0"),
                (lambda: solver.solve(given[:1]), "f: found 1 of them"),
                (lambda: solver.solve(given, boundary_values={"x_lower": noise(20, 35)}),
                 "boundary_values.*found in host memory, wanted in the memory of GPU 0"),
                (lambda: solver.solve(given[0]), "wanted a list of arrays")):
            with self.refused(sentence):
                call()
        if count_gpus() > 1:
            with self.refused(r"f\[1\]: found in the memory of GPU 0, wanted in the memory of GPU 1"):
                planned(devices=[0, 1]).solve(given)
        with self.refused("there is no device 77"):
            planned(devices=[0, 77])


@unittest.skipIf(cupy is None, "no CuPy")
class CuPy(Lists, PythonTest):
    library = OfCupy


@unittest.skipIf(torch is None or not torch.cuda.is_available(), "no PyTorch for this GPU")
class PyTorch(Lists, PythonTest):
    library = OfTorch

    def test_in_a_graph(self):
        """Captured in the first stream, which the others follow and which waits for them."""
        solver = planned(devices=[0, 0])
        f = self.put(np.zeros(SHAPE), solver)
        out = solver.solve(f)
        solver.result
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph):
            solver.solve(f, out)
        data = noise(*SHAPE)
        for slab, one in zip(f, self.put(data, solver)):
            slab.copy_(one)
        graph.replay()
        self.assert_close(self.get(out), on_host(data), 100 * eps("f8"))


@unittest.skipIf(jax is None or jax.default_backend() != "gpu", "no JAX for this GPU")
class Jax(PythonTest):
    def test_lists_and_sharded_arrays(self):
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        f, gpus = noise(*SHAPE), jax.devices("gpu")
        for devices in LISTS:
            solver = planned(devices=devices)
            slabs = [jax.device_put(f[planes], gpus[device]) for planes, device in zip(solver.slices, devices)]
            found = solver.solve(slabs)
            self.assertEqual([one.device for one in found], [one.device for one in slabs])
            self.assert_close(np.concatenate([np.asarray(one) for one in found]), on_host(f), 100 * eps("f8"))
        for devices in [[0], [0, 1], [1, 0]] if len(gpus) > 1 else [[0]]:
            even = 2 * noise(30, *SHAPE[1:])
            mesh = Mesh(np.array([gpus[device] for device in devices]), ("x",))
            given = jax.device_put(even, NamedSharding(mesh, PartitionSpec("x")))
            solver = poisson3d.Solver(even.shape, spacing=0.1, boundary=WALLS, devices=devices)
            wanted = poisson3d.Solver(even.shape, spacing=0.1, boundary=WALLS, engine="host").solve(even)
            for _ in range(20):  # what goes in and comes out is garbage while GPUs still work on it
                u = solver.solve(given * 2)
                solver.solve(u * jax.numpy.nan)
                total = u + solver.solve(given)
            self.assertEqual((u.shape, u.dtype, u.sharding), (given.shape, given.dtype, given.sharding))
            self.assert_close(np.asarray(u), 2 * wanted, 100 * eps("f8"), devices)
            self.assert_close(np.asarray(total), 3 * wanted, 100 * eps("f8"), devices)


@unittest.skipIf(cupy is None or count_gpus() < 2, "no CuPy, or one GPU")
class CurrentDevice(PythonTest):
    def test_it_stays_as_it_is(self):
        """The one that CUDA takes for this thread: whatever is called, on this GPU or on the other one, and refused."""
        for current in (0, 1):
            for device in (0, 1):
                f = OfCupy.put(noise(*SHAPE), device)
                kept = []

                def both():
                    slabs = [OfCupy.put(noise(*SHAPE)[planes], d) for d, planes in zip((1, 0), kept[-1].slices)]
                    kept[-1].solve(slabs)

                def refused():
                    with self.refused("wanted in the memory of GPU"):
                        planned(device=device).solve(OfCupy.put(noise(*SHAPE), 1 - device))

                for step in (lambda: poisson3d.engine_unavailable("fused"), lambda: kept.append(planned(device=device)),
                             lambda: kept[0].solve(f), lambda: kept[0].result, lambda: kept[0].passes,
                             lambda: kept[0].apply(f), lambda: kept[0].gradient(f), lambda: kept[0].solve(noise(*SHAPE)),
                             lambda: planned(device=device, engine="cufft").solve(f),
                             lambda: planned(device=device, mixed=True).solve(f),
                             lambda: poisson3d.solve(f, spacing=0.1, boundary=WALLS), poisson3d.clear_plan_cache, refused,
                             lambda: kept.append(planned(devices=[1, 0])), both, lambda: kept[-1].result, kept.clear):
                    with cupy.cuda.Device(current):
                        step()
                        self.assertEqual(cupy.cuda.runtime.getDevice(), current, (current, device))


class NumPyOnGpus(PythonTest):
    def test_fields_in_host_memory_are_copied_there_and_back(self):
        f, values = noise(2, *SHAPE), faces("f8")
        wanted = on_host(f, boundary_values=values)
        for devices in LISTS:
            solver = planned(devices=devices, batch=2)
            given = f.copy()
            self.assert_close(solver.solve(given, boundary_values=values), wanted, 100 * eps("f8"))
            np.testing.assert_array_equal(given, f)
            self.assertIs(solver.solve(given, given, boundary_values=values), given)
            self.assert_close(given, wanted, 100 * eps("f8"))
            self.assert_close(solver.gradient(f, boundary_values=values),
                              planned(engine="host", batch=2).gradient(f, boundary_values=values), 100 * eps("f8"))
            slabs = [np.pad(f[0, planes], 1, constant_values=-7.5) for planes in solver.slices]
            inner = [slab[1:-1, 1:-1, 1:-1] for slab in slabs]
            walls = {name: [one[planes] for planes in solver.slices] if name == "z_upper" else one
                     for name, one in values.items()}
            for u, out in zip(solver.solve(inner, inner, boundary_values=walls), inner):
                self.assertIs(u, out)
            self.assert_close(np.concatenate(inner), wanted[0], 100 * eps("f8"))
            for slab, view in zip(slabs, inner):
                self.assertEqual((slab == -7.5).sum(), slab.size - view.size)
            self.assert_close(np.concatenate(solver.apply([f[0, planes] for planes in solver.slices])),
                              planned(engine="host").apply(f[0]), 1000 * eps("f8"))


if __name__ == "__main__":
    main()
