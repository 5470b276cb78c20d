"""The libraries with arrays on a GPU that are there, each in the same words. Without a GPU a test ends with 77."""

import importlib
import os
import sys

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

from python_test import SKIPPED, poisson3d

if reason := poisson3d.engine_unavailable("fused"):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def load(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


torch, cupy, jax = load("torch"), load("cupy"), load("jax")
if jax is not None:
    jax.config.update("jax_enable_x64", True)
    jax.devices()  # leaves the last GPU it looked at the current one of this thread, which CuPy takes for its own
if cupy is not None:
    cupy.cuda.Device(0).use()


def count_gpus():
    """How many there are."""
    return cupy.cuda.runtime.getDeviceCount() if cupy is not None else torch.cuda.device_count()


class Torch:
    name = "torch"

    @staticmethod
    def put(array):
        return torch.as_tensor(array, device="cuda")

    @staticmethod
    def get(array):
        return array.cpu().numpy()

    @staticmethod
    def stream():
        return torch.cuda.Stream()

    @staticmethod
    def using(stream):
        return torch.cuda.stream(stream)

    @staticmethod
    def wait(stream):
        stream.synchronize()


class Cupy:
    name = "cupy"

    @staticmethod
    def put(array):
        return cupy.asarray(array)

    @staticmethod
    def get(array):
        return cupy.asnumpy(array)

    @staticmethod
    def stream():
        return cupy.cuda.Stream(non_blocking=True)

    @staticmethod
    def using(stream):
        return stream

    @staticmethod
    def wait(stream):
        stream.synchronize()


def free_bytes():
    if cupy is not None:
        return cupy.cuda.runtime.memGetInfo()[0]
    return torch.cuda.mem_get_info()[0]
