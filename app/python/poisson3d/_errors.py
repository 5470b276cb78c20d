"""The exceptions of poisson3d."""

from __future__ import annotations

from typing import Tuple, Type


class Error(RuntimeError):
    """What went wrong, in one sentence: what was found, what is wanted.

    code: the number of its kind, the same as in C and C++ and never changed.
    name: the word for it: "usage", "unsupported", "data", "resonant", "out of memory", "device", ...
    """

    def __init__(self, message: str, code: int = 70, name: str = "internal"):
        super().__init__(message)
        self.code: int = code
        self.name: str = name

    def __reduce__(self) -> Tuple[Type[Error], Tuple[str, int, str]]:
        return type(self), (str(self), self.code, self.name)


class UsageError(Error, ValueError):
    """An argument that makes no sense or does not fit (usage, data): also a ValueError."""


class OutOfMemoryError(Error, MemoryError):
    """Host or device memory is too small (out of memory): also a MemoryError."""


_USAGE, _DATA, _OUT_OF_MEMORY = 20, 31, 50
_KINDS = {_USAGE: UsageError, _DATA: UsageError, _OUT_OF_MEMORY: OutOfMemoryError}


def make(code, name, message):
    """The exception for an error of the library; called by the module _core."""
    return _KINDS.get(code, Error)(message, code, name)


def usage(message):
    """A UsageError of our own."""
    return UsageError(message, _USAGE, "usage")
