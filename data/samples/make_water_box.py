#!/usr/bin/env python3
"""Makes water_box.h5: electron density and potential in a small box around a water molecule.

What      The valence electrons of the molecule of make_water.py, and those alone: no ions. The
          box is cut out of free space and the density is not small at its faces, so what
          lies outside is known by the values of the potential there. The potential comes
          from PySCF's integrals over pairs of basis functions, in free space and without a
          grid: an independent solution at every point.
Why only  Point charges have no smooth potential, and with a density that the grid cannot resolve
          electrons no order would be seen. The pseudopotential leaves no core and no cusp:
          the density is as smooth as its Gaussians.
Units     Hartree atomic units: lengths in bohr, density in e/bohr^3. The potential
          solves  nabla^2 phi = -4 pi rho  and comes out in hartree/e.
Grid      33 x 49 x 41 nodes, Dirichlet values on all six faces. Nodes, because every second
          one makes a coarser grid of the same box: 17 x 25 x 21 and 9 x 13 x 11. And faces
          go through nodes, so that the two faces at an edge take the same numbers there.
          No two edges or spacings are equal, and the molecule is not in the middle.
Data      /rhs and /exact (float32), /boundary_values/x_lower ... z_upper: the outermost
          planes of /exact.

Run       as make_water.py. --refine 2 makes the same box with half the spacing.
"""

import argparse
from pathlib import Path

import h5py
import numpy as np
import pyscf
from make_water import BASIS, FUNCTIONAL, PSEUDO, SCALE, ground_state, water
from pyscf import dft

INTERVALS = np.array([32, 48, 40])
SPACING = np.array([17, 16, 15]) / 128  # exact in binary
LOWER = np.array([-2.375, -2.5625, -2.125])
# The file packs better if the last bits of float32 are rounded off, to multiples of 1e-6 here.
# The error of the finest grid is four orders of magnitude larger.
QUANTUM = 2.0**-20


def nodes(refine):
    return [low + np.arange(n * refine + 1) * h / refine for low, n, h in zip(LOWER, INTERVALS, SPACING)]


def by_plane(axes, values_at):
    """values_at(points) on the grid, plane by plane: that keeps the memory small."""
    x, y, z = axes
    plane = np.stack(np.meshgrid(y, z, indexing="ij"), -1).reshape(-1, 2)
    return np.stack([
        values_at(np.column_stack([np.full(len(plane), each), plane])).reshape(len(y), len(z)) for each in x
    ])


def charge_density(molecule, density_matrix, axes):
    """rho, negative."""
    def values(at):
        return -dft.numint.eval_rho(molecule, dft.numint.eval_ao(molecule, at), density_matrix)

    return by_plane(axes, values)


def potential(molecule, density_matrix, axes):
    """phi(r) = - sum_ij D_ij (i | 1/|r - r'| | j)."""
    def values(at):
        integrals = (molecule.intor("int1e_grids", grids=some) for some in np.array_split(at, len(at) // 1000 + 1))
        return -np.concatenate([np.einsum("pij,ij->p", each, density_matrix) for each in integrals])

    return by_plane(axes, values)


def rounded(values):
    return (np.round(values / QUANTUM) * QUANTUM + 0.0).astype("f4")


def faces(values):
    """The outermost planes by their names."""
    return {f"{label}_{side}": values.take(at, axis)
            for axis, label in enumerate("xyz") for side, at in (("lower", 0), ("upper", -1))}


def write(path, rho, phi, refine, molecule, scf):
    solver_reads = {
        "spacing": SPACING / refine,
        "origin": LOWER,
        "boundary": "dirichlet",
        "centering": "node",
        "axis_labels": ["x", "y", "z"],
    }
    people_read = {
        "description": "charge density of the valence electrons of a water molecule",
        "units": "e/bohr^3",
        "length_units": "bohr",
        "scale": SCALE,
        "scale_description": "nabla^2 phi = scale * rhs gives the potential phi in hartree/e",
        "atoms": [molecule.atom_pure_symbol(atom) for atom in range(molecule.natm)],
        "atom_positions": molecule.atom_coords().round(12) + 0.0,
        "functional": FUNCTIONAL,
        "pseudopotential": PSEUDO,
        "basis": BASIS,
        "energy_hartree": round(scf.e_tot, 8),
        "pyscf_version": pyscf.__version__,
    }
    def add(file, name, values):
        return file.create_dataset(name, data=values, chunks=values.shape, shuffle=True, compression=9)

    with h5py.File(path, "w") as file:
        add(file, "rhs", rho).attrs.update(solver_reads | people_read)
        add(file, "exact", phi).attrs.update({
            "description": "their potential in free space, by PySCF's integrals (int1e_grids)",
            "units": "hartree/e",
        })
        for name, values in faces(phi).items():
            add(file, f"boundary_values/{name}", values)


def main():
    parser = argparse.ArgumentParser(description="makes density and potential of a water molecule in a small box")
    parser.add_argument("--refine", type=int, default=1, help="divides the spacing (default 1)")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("water_box.h5"))
    options = parser.parse_args()

    molecule = water()
    scf = ground_state(molecule)
    axes = nodes(options.refine)
    rho = rounded(charge_density(molecule, scf.make_rdm1(), axes))
    phi = rounded(potential(molecule, scf.make_rdm1(), axes))

    print(f"points     {' x '.join(map(str, rho.shape))}")
    print(f"density    from {rho.min():.4f} to {rho.max():.4f} e/bohr^3")
    ends = [np.ones(len(axis)) - 0.5 * np.isin(np.arange(len(axis)), (0, len(axis) - 1)) for axis in axes]
    inside = np.einsum("ijk,i,j,k", rho.astype(float), *ends) * (SPACING / options.refine).prod()
    print(f"charge     {inside:.4f} e of {-molecule.nelectron} in the box (trapezoidal rule)")
    walls = np.concatenate([values.ravel() for values in faces(phi).values()])
    print(f"potential  from {phi.min():.6f} to {phi.max():.6f} hartree/e, on the faces from {walls.min():.6f}")
    write(options.output, rho, phi, options.refine, molecule, scf)


if __name__ == "__main__":
    main()
