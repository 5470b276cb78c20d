"""The solution by dense linear algebra: matrices of the 3-point stencil, written down from the ghost rules."""

import numpy as np

KINDS = ("periodic", "dirichlet", "neumann", "dirichlet:neumann", "neumann:dirichlet")


def stencil(points, spacing, centering, boundary):
    """The matrix of d2/dx2 on the unknowns of one axis, and which of its points are unknowns."""
    matrix = -2 * np.eye(points) + np.eye(points, k=1) + np.eye(points, k=-1)
    lower, upper = (boundary.split(":") * 2)[:2]
    unknown = np.ones(points, bool)
    for here, neighbour, across, kind in ((0, 1, -1, lower), (-1, -2, 0, upper)):
        if kind == "periodic":
            matrix[here, across] += 1
        elif centering == "cell":
            matrix[here, here] += -1 if kind == "dirichlet" else 1
        elif kind == "dirichlet":
            unknown[here] = False
        else:
            matrix[here, neighbour] += 1
    return matrix[np.ix_(unknown, unknown)] / spacing**2, unknown


def weights(points, centering, boundary):
    """Half a point at each Neumann node, none at Dirichlet nodes."""
    lower, upper = (boundary.split(":") * 2)[:2]
    weight = np.ones(points)
    if centering == "node":
        for here, kind in ((0, lower), (-1, upper)):
            weight[here] = {"periodic": 1, "neumann": 0.5, "dirichlet": 0}[kind]
    return weight


def with_faces(f, spacing, centering, boundary, faces):
    """f plus what the values of faces {(axis, side): number or array} move to its side: where the stencil meets a
    ghost value, that of the face without the part that the homogeneous operator holds already."""
    values = f.astype(float)
    for (axis, side), face in faces.items():
        kind = (boundary[axis].split(":") * 2)[:2][side]
        h, cell = spacing[axis], centering[axis] == "cell"
        plane = [slice(None)] * 3
        if kind == "dirichlet":
            plane[axis] = (0, -1)[side] if cell else (1, -2)[side]
            values[tuple(plane)] -= np.asarray(face) * (2 if cell else 1) / h**2
        else:
            plane[axis] = (0, -1)[side]
            values[tuple(plane)] -= np.asarray(face) * (1 if cell else 2) / h
    return values


def solve(f, spacing, centering, boundary, helmholtz=0.0, faces=()):
    """u with (L - helmholtz) u = f; singular problems: the weighted means of f and of u are removed. Returns u
    and the mean of f, which is that after the values of the faces were added (see with_faces)."""
    faces = dict(faces)
    f = with_faces(f, spacing, centering, boundary, faces)
    axes = [stencil(*axis) for axis in zip(f.shape, spacing, centering, boundary)]
    (a, b, c), masks = [axis[0] for axis in axes], [axis[1] for axis in axes]
    eye = [np.eye(len(matrix)) for matrix in (a, b, c)]
    matrix = np.kron(np.kron(a, eye[1]), eye[2]) + np.kron(np.kron(eye[0], b), eye[2])
    matrix += np.kron(np.kron(eye[0], eye[1]), c) - helmholtz * np.eye(len(a) * len(b) * len(c))
    inside = np.ix_(*masks)
    values = f[inside].astype(float)
    mean = 0.0
    if helmholtz == 0 and not any("dirichlet" in kind for kind in boundary):
        w = np.einsum("i,j,k->ijk", *(weights(*axis) for axis in zip(f.shape, centering, boundary)))
        w /= w.sum()
        mean = (w * f).sum()
        # One more row fixes the constant that the matrix leaves open.
        matrix = np.vstack([matrix, w.ravel()])
        values = np.append(values.ravel() - mean, 0.0)
        u = np.linalg.lstsq(matrix, values, rcond=None)[0]
    else:
        u = np.linalg.solve(matrix, values.ravel())
    whole = np.zeros(f.shape)
    for (axis, side), face in faces.items():
        if centering[axis] == "node" and (boundary[axis].split(":") * 2)[:2][side] == "dirichlet":
            np.moveaxis(whole, axis, 0)[(0, -1)[side]] = face
    whole[inside] = u.reshape([len(matrix) for matrix in (a, b, c)])
    return whole, mean
