"""One call of a plan: what it reads and writes, on which stream, what is kept alive."""

import numbers

from ._arrays import library_of, stream_handle
from ._errors import usage
from ._host_arrays import readable, scratch_for


class Call:
    """out None: a new array of the library that owns f, of the shape of f, or with a first axis of three components.
    stream None: the one that library works on. name: what f is called in messages."""

    __slots__ = ("read", "written", "stream", "keep", "_plan", "_out", "_finish", "_target")

    def __init__(self, plan, f, out, stream, components=False, name="f"):
        library = library_of(f)
        self._target = None
        if out is not None:
            library_of(out)  # refuses masks
            scratch = scratch_for(out, "out")
            if scratch is not None:
                self._target = out
                if out is f:
                    scratch[...] = f
                    f = scratch
                out = scratch
        f = readable(f, name)
        self.stream, ordered = library.stream(f, plan)
        if stream is not None:
            chosen = stream_handle(stream)
            ordered = ordered and chosen == self.stream
            self.stream = chosen
        self.read = library.export(f, self.stream, ordered)
        self._plan = plan
        self._finish = None
        owner, together = library, ordered
        if out is None:
            out = library.empty(f, (*f.shape[:-3], 3, *f.shape[-3:]) if components else f.shape)
            self._finish = library.finish
        elif out is not f:
            owner = library_of(out)
            together = owner.stream(out, plan) == (self.stream, True)
        if not owner.changes and self._finish is None:
            raise usage("out: found an array of JAX, which never changes, wanted None")
        self.keep = not (ordered and together)
        self.written = self.read if out is f else owner.export(out, self.stream, together)
        self._out = out

    def faces(self, values):
        """Boundary values, handed over like fields."""
        if not isinstance(values, dict):
            raise usage(f"boundary_values: found {type(values).__name__}, wanted a dictionary from names of faces")
        return {name: self._face(name, value) for name, value in values.items()}

    def _face(self, name, value):
        if isinstance(value, numbers.Real):
            return float(value)
        return self.also(value, f"boundary_values['{name}']", axes=2)

    def also(self, value, name="f", axes=3):
        """A further array that is read."""
        library = library_of(value)
        value = readable(value, name, axes)
        ordered = library.stream(value, self._plan) == (self.stream, True)
        self.keep = self.keep or not ordered
        return library.export(value, self.stream, ordered)

    def finish(self):
        """The array that the caller gets."""
        if self._target is not None:
            self._target[...] = self._out
            return self._target
        return self._out if self._finish is None else self._finish(self._out, self._plan)
