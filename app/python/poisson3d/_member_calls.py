"""One call of several members: a Call for each."""

import numpy as np

from ._call import Call
from ._errors import usage


class Member:
    """A member as the libraries of arrays see it: a plan with a stream of its own."""

    def __init__(self, plan, number):
        self._plan, self._number = plan, number

    def own_stream(self):
        return self._plan.own_stream(self._number)

    def make_wait(self, stream):
        self._plan.make_wait(self._number, stream)


class CallOfMembers:
    """One Call for each member."""

    def __init__(self, solver, f, out, boundary_values, stream, components=False, source=None):
        members = solver._members
        outs = [None] * len(members) if out is None else f if out is f else as_list("out", out)
        streams = [None] * len(members) if stream is None else as_list("stream", stream)
        read = "u" if components else "f"
        sources = [] if source is None else as_list("f", source)
        named = [(read, f), ("out", outs), ("stream", streams)] + ([] if source is None else [("f", sources)])
        for name, given in named:
            if len(given) != len(members):
                raise usage(f"{name}: found {len(given)} of them, wanted one for each of {len(members)} GPUs")
        self._scratch = []  # (target, what is written in its place)
        self.calls = [Call(member, *self._copied(one, u), chosen, components, name=f"{read}[{m}]")
                      for m, (member, one, u, chosen) in enumerate(zip(members, f, outs, streams))]
        self.faces = self._faces(solver, boundary_values)
        self.source = [call.also(np.ascontiguousarray(one) if isinstance(one, np.ndarray) else one, f"f[{m}]")
                       for m, (call, one) in enumerate(zip(self.calls, sources))]
        self.read = [call.read for call in self.calls]
        self.written = [call.written for call in self.calls]
        self.streams = [call.stream for call in self.calls]
        self.keep = any(call.keep for call in self.calls)

    def _copied(self, f, out):
        """Arrays of NumPy go to a GPU in one piece each: those with gaps are copied before, and to."""
        if not isinstance(f, np.ndarray):
            return f, out
        dense = np.ascontiguousarray(f)
        if out is f:
            target = dense
        elif isinstance(out, np.ndarray) and not out.flags.c_contiguous:
            target = np.empty(out.shape, out.dtype)
        else:
            return dense, out
        if target is not out:
            self._scratch.append((out, target))
        return dense, target

    def _faces(self, solver, values):
        if values is None:
            return []
        if not isinstance(values, dict):
            raise usage(f"boundary_values: found {type(values).__name__}, wanted a dictionary from names of faces")
        parts = [{} for _ in self.calls]
        for name, value in values.items():
            if isinstance(value, (list, tuple)):
                if name[:1] == "x":
                    raise usage(f"boundary_values['{name}']: found a list, wanted one array: one GPU has that face")
                if len(value) != len(parts):
                    raise usage(f"boundary_values['{name}']: found {len(value)} arrays, wanted one for each of "
                                f"{len(parts)} GPUs")
                for part, one in zip(parts, value):
                    part[name] = one
            elif len(getattr(value, "shape", ())) > 0:
                if name[:1] != "x":
                    raise usage(f"boundary_values['{name}']: found one array, wanted a list of the parts that GPUs have")
                parts[solver._ends[name[1:] == "_upper"]][name] = value
            else:
                for part in parts:
                    part[name] = value
        return [call.faces(part) for call, part in zip(self.calls, parts)]

    def finish(self):
        found = [call.finish() for call in self.calls]
        for target, written in self._scratch:
            target[...] = written
            found = [target if one is written else one for one in found]
        return found


def as_list(name, value):
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
        raise usage(f"{name}: found {value!r}, wanted a list")
    return list(value)
