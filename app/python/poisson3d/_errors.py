"""The exceptions of poisson3d."""


class Error(RuntimeError):
    """What went wrong, in one sentence: what was found, what is wanted.

    code: the number of its kind, the same as in C and C++ and never changed.
    name: the word for it: "usage", "unsupported", "data", "resonant", "out_of_memory", "device", ...
    """

    def __init__(self, message, code=70, name="internal"):
        super().__init__(message)
        self.code = code
        self.name = name

    def __reduce__(self):
        return type(self), (str(self), self.code, self.name)


class UsageError(Error, ValueError):
    """An argument that makes no sense or does not fit (usage, data): also a ValueError."""


class OutOfMemoryError(Error, MemoryError):
    """Host or device memory is too small (out_of_memory): also a MemoryError."""


_KINDS = {"usage": UsageError, "data": UsageError, "out_of_memory": OutOfMemoryError}


def make(code, name, message):
    """The exception for an error of the library; called by the module _core."""
    return _KINDS.get(name, Error)(message, code, name)


def usage(message):
    """A UsageError of our own."""
    return UsageError(message, 20, "usage")
