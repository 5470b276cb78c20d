"""Small valid field files of every layout, made by h5py: what the fuzzer of files begins with."""

import pathlib

import h5py
import numpy as np

SHAPE = (4, 3, 5)
TEXT = h5py.string_dtype("ascii")
FACES = {"x": (SHAPE[1], SHAPE[2]), "y": (SHAPE[0], SHAPE[2]), "z": (SHAPE[0], SHAPE[1])}


def values(seed, shape=SHAPE, dtype="f8"):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


def describe(dataset, **more):
    """The attributes of a problem that is not singular."""
    attributes = {"spacing": (0.1, 0.2, 0.3), "boundary": "dirichlet", **more}
    for name, value in attributes.items():
        dataset.attrs[name] = value


def rhs(file, describing=None, dtype="f8", **storage):
    made = file.create_dataset("rhs", data=values(1, dtype=dtype), **storage)
    describe(made, **(describing or {}))
    return made


def low_level(file, dtype, plist, data):
    """Layouts that the comfortable interface does not reach."""
    space = h5py.h5s.create_simple(SHAPE)
    made = h5py.Dataset(h5py.h5d.create(file.id, b"rhs", dtype, space, dcpl=plist))
    made[...] = data
    describe(made)
    return made


def creation():
    return h5py.h5p.create(h5py.h5p.DATASET_CREATE)


def compact(file):
    plist = creation()
    plist.set_layout(h5py.h5d.COMPACT)
    low_level(file, h5py.h5t.IEEE_F64LE, plist, values(2))


def nbit(file):
    plist = creation()
    plist.set_chunk((2, 3, 5))
    plist.set_filter(h5py.h5z.FILTER_NBIT, h5py.h5z.FLAG_OPTIONAL, ())
    low_level(file, h5py.h5t.IEEE_F32LE, plist, values(3))


def early(file):
    plist = creation()
    plist.set_chunk((2, 2, 5))
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    low_level(file, h5py.h5t.IEEE_F64LE, plist, values(4))


def external_raw(file):
    plist = creation()
    plist.set_external(b"raw.bin", 16, SHAPE[0] * SHAPE[1] * SHAPE[2] * 8)
    low_level(file, h5py.h5t.IEEE_F64LE, plist, values(5))


def external_link(file):
    file["rhs"] = h5py.ExternalLink("linked.h5", "/rhs")
    file["boundary_values/x_lower"] = h5py.ExternalLink("linked.h5", "/face")


def soft_links(file):
    rhs(file)
    file.move("rhs", "deep/inside/rhs")
    file["rhs"] = h5py.SoftLink("/deep/inside/rhs")
    file["boundary_values/z_upper"] = h5py.SoftLink("/deep/inside/face")
    file["deep/inside/face"] = 0.25


def faces_of_numbers(file):
    rhs(file)
    for face in ("x_lower", "x_upper", "y_lower", "z_upper"):
        file[f"boundary_values/{face}"] = 0.5


def faces_of_arrays(file):
    rhs(file)
    for seed, axis in enumerate("xyz"):
        for side in ("lower", "upper"):
            file[f"boundary_values/{axis}_{side}"] = values(seed + 10, FACES[axis], ">f4" if side == "upper" else "f8")
    file["exact"] = values(20)


def packed_faces(file):
    rhs(file, chunks=(2, 3, 5), compression="gzip", shuffle=True, fletcher32=True)
    file.create_dataset("boundary_values/x_lower", data=values(11, FACES["x"]), chunks=(2, 3), compression="gzip")
    file.create_dataset("exact", data=values(20), chunks=(1, 3, 5), shuffle=True)


def fixed_texts(file):
    words = np.array([b"periodic", b"dirichlet:neumann", b"neumann"])
    rhs(file, {"boundary": words, "centering": np.array([b"cell", b"node", b"cell"]), "helmholtz": 0.5,
               "origin": (1.0, 2.0, 3.0), "axis_labels": np.array([b"a", b"b", b"c"])})


def variable_texts(file):
    made = rhs(file, {"helmholtz": np.float32(1.5), "spacing": np.array([1, 2, 3], "i2")})
    made.attrs.create("boundary", ["dirichlet", "neumann", "periodic", "periodic", "neumann", "neumann"], dtype=TEXT)
    made.attrs.create("centering", "node", dtype=TEXT)
    made.attrs["note"] = "x" * 300


def dense(file):
    """Many links and attributes, kept in heaps and trees by the newer format."""
    made = rhs(file)
    for n in range(20):
        file[f"other{n}"] = n
        made.attrs[f"other{n}"] = n
        file[f"boundary_values_of_old/{n}"] = 1.0
    file["boundary_values/y_lower"] = values(12, FACES["y"])


def extendible(file):
    rhs(file, chunks=(2, 2, 3), maxshape=(None, 3, 5))


def extendible_twice(file):
    rhs(file, chunks=(2, 2, 3), maxshape=(None, None, 5), compression="gzip")


def fixed_array(file):
    rhs(file, chunks=(1, 2, 3), maxshape=(8, 6, 10), fletcher32=True)


def named_type(file):
    file["number"] = np.dtype(">f8")
    made = file.create_dataset("rhs", SHAPE, dtype=file["number"])
    made[...] = values(6)
    describe(made)


def tracked(file):
    made = file.create_dataset("rhs", data=values(7), track_times=True, track_order=True)
    describe(made)
    group = file.create_group("boundary_values", track_order=True)
    group["x_lower"] = 0.5


def openpmd(file):
    """The attributes that a mesh of openPMD has in the place of ours; boundaries are always ours."""
    made = file.create_dataset("rhs", data=values(8))
    made.attrs.update({"boundary": "dirichlet", "gridSpacing": [0.5, 0.25, 0.75], "gridUnitSI": 0.5,
                       "gridGlobalOffset": [1.0, 2.0, 3.0], "position": [0.5, 0.0, 0.5], "unitSI": 4.0,
                       "axisLabels": ["u", "v", "w"], "dataOrder": "F", "geometry": "cartesian"})


def axis_coefficients(file):
    """A periodic axis, whose first and last conductance are one, and an axis of nodes; chunked and packed."""
    rhs(file, {"boundary": ["dirichlet", "periodic", "neumann"], "centering": ["cell", "cell", "node"]})
    for letter, conductances, weights in (("y", SHAPE[1] + 1, SHAPE[1]), ("z", SHAPE[2] - 1, SHAPE[2])):
        g = 1.0 + 0.5 * values(13, (conductances,))
        if letter == "y":
            g[-1] = g[0]
        file.create_dataset(f"conductances/{letter}", data=g, chunks=(2,), compression="gzip")
        file[f"weights/{letter}"] = (1.0 + 0.5 * values(14, (weights,))).astype(">f4")


def varying(file):
    rhs(file)
    file.create_dataset("coefficient", data=2.0 + values(15), chunks=(2, 3, 5), compression="gzip", fletcher32=True)
    file["lambda"] = (1.0 + values(16)).astype(">f4")


def varying_on_faces(file):
    rhs(file, {"boundary": ["dirichlet", "neumann", "neumann"]})
    for axis, letter in enumerate("xyz"):
        shape = tuple(n + (a == axis) for a, n in enumerate(SHAPE))
        file[f"coefficient/{letter}"] = 2.0 + values(17 + axis, shape)


LAYOUTS = {
    "contiguous": lambda file: rhs(file),
    "big_endian": lambda file: rhs(file, dtype=">f8"),
    "single": lambda file: rhs(file, dtype="f4"),
    "single_big": lambda file: rhs(file, dtype=">f4", chunks=(4, 1, 5)),
    "chunked": lambda file: rhs(file, chunks=(2, 3, 5)),
    "one_chunk": lambda file: rhs(file, chunks=SHAPE, compression="gzip"),
    "deflate": lambda file: rhs(file, chunks=(3, 2, 5), compression="gzip"),
    "szip": lambda file: rhs(file, chunks=(2, 3, 4), compression="szip", compression_opts=("nn", 8)),
    "scale_offset": lambda file: rhs(file, chunks=(2, 3, 5), scaleoffset=6),
    "compact": compact,
    "nbit": nbit,
    "early": early,
    "external_raw": external_raw,
    "external_link": external_link,
    "soft_links": soft_links,
    "faces_of_numbers": faces_of_numbers,
    "faces_of_arrays": faces_of_arrays,
    "packed_faces": packed_faces,
    "fixed_texts": fixed_texts,
    "variable_texts": variable_texts,
    "dense": dense,
    "extendible": extendible,
    "extendible_twice": extendible_twice,
    "fixed_array": fixed_array,
    "named_type": named_type,
    "tracked": tracked,
    "openpmd": openpmd,
    "axis_coefficients": axis_coefficients,
    "varying": varying,
    "varying_on_faces": varying_on_faces,
}
# More ways to write a file, on top of the two formats.
SPECIAL = {
    "user_block": (lambda file: rhs(file), {"userblock_size": 512}),
    "paged": (lambda file: faces_of_numbers(file), {"fs_strategy": "page", "fs_page_size": 512, "libver": "latest"}),
    "tracked_space": (lambda file: rhs(file), {"fs_strategy": "fsm", "fs_persist": True}),
}


def make():
    """Writes all files to the working directory, since that is where HDF5 looks for raw.bin; returns the names of those
    that are to be damaged. raw.bin and linked.h5 go with them."""
    directory = pathlib.Path()
    (directory / "raw.bin").write_bytes(bytes(16))
    with h5py.File(directory / "linked.h5", "w") as file:
        rhs(file)
        file["face"] = 0.5
    names = []

    def write(name, fill, **options):
        with h5py.File(directory / name, "w", **options) as file:
            fill(file)
        names.append(name)

    for name, fill in LAYOUTS.items():
        if name == "szip" and not h5py.h5z.filter_avail(h5py.h5z.FILTER_SZIP):
            continue
        write(f"{name}.h5", fill, libver="earliest")
        write(f"{name}_new.h5", fill, libver="latest")
    for name, (fill, options) in SPECIAL.items():
        write(f"{name}.h5", fill, **options)
    return names
