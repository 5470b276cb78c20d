"""Arrays of other libraries: who owns one, on which stream its owner works, how to hand it over and make another.

No array is copied, but those of NumPy that the library cannot use where they lie (_host_arrays). Every library here
answers the same questions:

    stream(array, plan)      the stream to work on, as a number, and whether the owner works on it too: then what was
                             done to the array comes before and what will be done comes after, memory included
    export(array, stream, ordered)  what _core reads: an object with a buffer, a DLPack capsule, or the dictionary of
                             the CUDA array interface; if not `ordered`, the array is made ready before `stream`
    empty(array, shape)      a new array of this shape, elements and memory as those of `array`
    like(array, numbers)     an array of NumPy as one of the elements, the library and the place of `array`
    finish(out, plan)        the array that the caller gets for `out`
    device(array)            the GPU it lies on, None on the host
"""

import functools

import numpy as np

from ._errors import usage

_CUDA = 2  # DLDeviceType
_CUDA_MANAGED = 13


class NumPy:
    """Arrays in host memory with the buffer protocol."""

    changes = True  # can be written to

    @staticmethod
    def stream(array, plan):
        return 0, True

    @staticmethod
    def export(array, stream, ordered):
        return array

    @staticmethod
    def empty(array, shape):
        return np.empty(shape, array.dtype)

    @staticmethod
    def like(array, numbers):
        return numbers.astype(array.dtype)

    @staticmethod
    def finish(out, plan):
        return out

    @staticmethod
    def device(array):
        return None


class DLPack(NumPy):
    """Any library that hands out DLPack capsules. Its stream is not known: the default one."""

    @staticmethod
    def stream(array, plan):
        return 0, DLPack.device(array) is None

    @staticmethod
    def export(array, stream, ordered):
        if DLPack.device(array) is None:
            return array.__dlpack__()
        return array.__dlpack__(stream=stream or 1)  # DLPack's number for the default stream

    @staticmethod
    def empty(array, shape):
        raise usage(f"out: found None, wanted an array: how to make one of type {type(array).__name__} is not known")

    @staticmethod
    def like(array, numbers):
        raise usage(f"found an array of type {type(array).__name__}: how to make one from numbers is not known")

    @staticmethod
    def device(array):
        kind, number = array.__dlpack_device__()
        return number if kind in (_CUDA, _CUDA_MANAGED) else None


class PyTorch(DLPack):
    @staticmethod
    def stream(array, plan):
        import torch

        return (torch.cuda.current_stream(array.device).cuda_stream if array.is_cuda else 0), True

    @staticmethod
    def export(array, stream, ordered):
        if not array.is_cuda:
            return array.__dlpack__()
        import torch

        stream = -1 if ordered else stream or 1  # -1: nothing to wait for
        if array.device.index == torch.cuda.current_device():
            return array.__dlpack__(stream=stream)
        with torch.cuda.device(array.device):  # elsewhere it is refused
            return array.__dlpack__(stream=stream)

    @staticmethod
    def empty(array, shape):
        import torch

        return torch.empty(shape, dtype=array.dtype, device=array.device)

    @staticmethod
    def like(array, numbers):
        import torch

        return torch.as_tensor(numbers, dtype=array.dtype, device=array.device)

    @staticmethod
    def device(array):
        return array.device.index if array.is_cuda else None


class CuPy(DLPack):
    @staticmethod
    def stream(array, plan):
        import cupy

        return cupy.cuda.get_current_stream(array.device.id).ptr, True

    @staticmethod
    def export(array, stream, ordered):
        import cupy

        stream = -1 if ordered else stream or 1
        if array.device.id == cupy.cuda.runtime.getDevice():
            return array.__dlpack__(stream=stream)
        with array.device:  # whose stream is the one that is waited for
            return array.__dlpack__(stream=stream)

    @staticmethod
    def empty(array, shape):
        import cupy

        with array.device:
            return cupy.empty(shape, array.dtype)

    @staticmethod
    def like(array, numbers):
        import cupy

        with array.device:
            return cupy.asarray(numbers, array.dtype)

    @staticmethod
    def device(array):
        return array.device.id


class Jax(DLPack):
    """Its arrays never change, and it has no stream to show: the plan works on one of its own, which waits for the
    array, and what comes out is an array whose users wait for that stream."""

    changes = False

    @staticmethod
    def stream(array, plan):
        return (0, True) if Jax.device(array) is None else (plan.own_stream(), False)

    @staticmethod
    def export(array, stream, ordered):
        if isinstance(array, np.ndarray):
            return array
        return DLPack.export(array, stream, ordered)

    @staticmethod
    def empty(array, shape):
        if Jax.device(array) is None:
            return np.empty(shape, array.dtype)
        return _maker_of_jax(shape, array.dtype, array.sharding)()

    @staticmethod
    def like(array, numbers):
        import jax

        return jax.device_put(numbers.astype(array.dtype), array.sharding)

    @staticmethod
    def finish(out, plan):
        import jax

        if isinstance(out, np.ndarray):
            return jax.numpy.asarray(out)
        return jax.dlpack.from_dlpack(_Solved(out, plan))

    @staticmethod
    def device(array):
        device = array.device
        if not hasattr(device, "local_hardware_id"):
            raise usage("f: found a JAX array on several devices, wanted one on a single device")
        return device.local_hardware_id if device.platform == "gpu" else None


@functools.lru_cache(maxsize=32)
def _maker_of_jax(shape, dtype, sharding):
    """Compiled once: a dispatch of jnp.empty takes longer than a small solve."""
    import jax

    return jax.jit(lambda: jax.numpy.empty(shape, dtype), out_shardings=sharding)


class _Solved:
    """The memory of a JAX array that a plan has written to, as an array to be taken over."""

    def __init__(self, array, plan):
        self._array = array
        self._plan = plan

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()

    def __dlpack__(self, *, stream=None, **_):
        self._plan.make_wait(0 if stream in (None, 1) else stream)
        return self._array.__dlpack__(stream=stream)


class CudaInterface(NumPy):
    """The CUDA array interface, for libraries without DLPack."""

    @staticmethod
    def stream(array, plan):
        return array.__cuda_array_interface__.get("stream") or 0, True

    @staticmethod
    def export(array, stream, ordered):
        return array.__cuda_array_interface__

    @staticmethod
    def empty(array, shape):
        return DLPack.empty(array, shape)

    @staticmethod
    def like(array, numbers):
        return DLPack.like(array, numbers)

    @staticmethod
    def device(array):
        return 0  # not told


_BY_PACKAGE = {"numpy": NumPy, "torch": PyTorch, "cupy": CuPy, "jaxlib": Jax}
_found: dict = {}


def library_of(array):
    """The library of an array. TypeError for what is none."""
    kind = type(array)
    library = _found.get(kind)
    if library is None:
        library = _found[kind] = _find(array, kind)
    return library


def refuse_mask(value):
    """A mask says that some values are none, which no solve can heed."""
    if isinstance(value, np.ma.MaskedArray):
        raise usage("found a masked array, wanted one without a mask: give array.filled(value), or array.data")


def _find(array, kind):
    refuse_mask(array)
    for base in kind.__mro__:
        package = base.__module__.partition(".")[0]
        if package in _BY_PACKAGE:
            return _BY_PACKAGE[package]
        if package == "jax":
            raise usage("f: found an array that JAX is tracing, wanted one with memory: call outside of jax.jit")
    if hasattr(array, "__dlpack__"):
        return DLPack
    if hasattr(array, "__cuda_array_interface__"):
        return CudaInterface
    if not hasattr(array, "shape"):
        raise TypeError(f"found {kind.__name__}, wanted an array")
    return NumPy


def stream_handle(stream):
    """A CUDA stream as a number, from a number or an object with __cuda_stream__(), .cuda_stream (PyTorch) or .ptr
    (CuPy)."""
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return getattr(stream, name)
    raise usage(f"stream: found {stream!r}, wanted a number or an object with __cuda_stream__, cuda_stream or ptr")
