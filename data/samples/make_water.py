#!/usr/bin/env python3
"""Makes water.h5: the charge density of one water molecule in a periodic box.

What      The valence electrons (PBE, GTH pseudopotentials, PySCF) count negative.
          The ionic charges, +6 at O and +1 at each H, count positive. Together they
          are neutral, as a periodic box needs.
Units     Hartree atomic units: lengths in bohr, density in e/bohr^3. The potential
          solves  nabla^2 phi = -4 pi rho  and comes out in hartree/e.
Grid      64 x 64 x 64 cell centres in a box of 12 x 14 x 13 bohr. The edges differ so
          that a mixed-up axis cannot go unnoticed. The lower face lies at -edge/2, and
          the molecule lies in the plane x = 0 with its axis along z.
Images    The molecule is computed alone. Its density is then added up over the images
          of the box, so that the field is periodic and smooth across the faces.
Ions      Each ion is a Gaussian of standard deviation 0.3 bohr. The natural width of a
          GTH ion is its r_loc (O 0.2446, H 0.2000 bohr: a Gaussian charge of that width
          makes the long-range part of the pseudopotential), but the grid does not
          resolve a width of one spacing. Farther than about 1.5 bohr from a nucleus the
          potential does not depend on the width.

Run       python3 -m venv build/water && build/water/bin/pip install pyscf h5py
          build/water/bin/python data/samples/make_water.py
          It takes less than a minute, prints the numbers that README.md quotes, and gives
          the same field every time. --points 128 makes the same field on a finer grid.
"""

import argparse
from itertools import product
from pathlib import Path

import h5py
import numpy as np
import pyscf
from pyscf import dft, gto

BOHR_PER_ANGSTROM = 1 / 0.529177210903
DEBYE = 2.541746473  # one e bohr in debye
BOND, ANGLE = 0.9572 * BOHR_PER_ANGSTROM, np.radians(104.52)  # measured, gas phase
BASIS, PSEUDO, FUNCTIONAL = "gth-tzv2p", "gth-pbe", "pbe"
BOX = np.array([12.0, 14.0, 13.0])  # /64 is exact in binary, so the spacings are too
ION_WIDTH = 0.3
SCALE = -4 * np.pi  # Poisson's equation in these units: nabla^2 phi = -4 pi rho
# Values are rounded to multiples of 2^-40 (9e-13 e/bohr^3, far below the error of the
# density): the file packs better, and round-off of another machine rarely shows.
QUANTUM = 2.0**-40


def water():
    """The molecule, with the centre of its ionic charge at the coordinate origin."""
    y, z = BOND * np.sin(ANGLE / 2), BOND * np.cos(ANGLE / 2)
    o = -2 * z / 8
    atoms = [("O", (0, 0, o)), ("H", (0, y, o + z)), ("H", (0, -y, o + z))]
    return gto.M(atom=atoms, unit="bohr", basis=BASIS, pseudo=PSEUDO, verbose=0)


def ground_state(molecule):
    pyscf.lib.num_threads(1)  # a fixed order of summation gives the same bits
    scf = dft.RKS(molecule, xc=FUNCTIONAL)
    scf.grids.level = 6
    scf.conv_tol = 1e-12
    scf.kernel()
    assert scf.converged, "the self-consistent field did not converge"
    return scf


def centres(points):
    """Coordinates of the cell centres along each axis: origin + (j + 1/2) h."""
    return [-edge / 2 + (np.arange(points) + 0.5) * edge / points for edge in BOX]


def electrons(molecule, density_matrix, points):
    """Number density of the valence electrons, added up over the 27 nearest boxes."""
    x, y, z = centres(points)
    plane = np.stack(np.meshgrid(y, z, indexing="ij"), -1).reshape(-1, 2)
    rho = np.zeros((points, points, points))
    for j in range(points):  # plane by plane keeps the memory small
        at = np.column_stack([np.full(len(plane), x[j]), plane])
        for image in product((-1, 0, 1), repeat=3):
            orbitals = dft.numint.eval_ao(molecule, at + image * BOX)
            density = dft.numint.eval_rho(molecule, orbitals, density_matrix)
            rho[j] += density.reshape(points, points)
    return rho


def gaussian(centre, points):
    """A periodic Gaussian of unit charge: a product of three sums over images."""
    line = [
        sum(np.exp(-((axis - c + n * edge) ** 2) / (2 * ION_WIDTH**2)) for n in (-1, 0, 1))
        for axis, c, edge in zip(centres(points), centre, BOX)
    ]
    return np.einsum("i,j,k", *line) / (2 * np.pi * ION_WIDTH**2) ** 1.5


def with_charge(name, rho, charge, cell):
    """Scales rho so that its sum over the grid is exactly the charge; says by how much."""
    found = rho.sum() * cell
    print(f"{name:10} sum {found:.12f}, scaled to {charge} (off by {found / charge - 1:.1e})")
    return rho * (charge / found)


def modes(points):
    """Wave numbers 2 pi m / edge of each axis, shaped to broadcast over the grid."""
    k = [2 * np.pi * np.fft.fftfreq(points, edge / points) for edge in BOX]
    return np.ix_(*k)


def report(rho, molecule, scf, points):
    """Prints what one should know before trusting the field."""
    cell = BOX.prod() / points**3
    print(f"density    from {rho.min():.4f} to {rho.max():.4f} e/bohr^3")
    print(f"charge     {rho.sum() * cell:.1e} e in all")

    on_grid = [np.sum(rho * axis) * cell * DEBYE for axis in np.ix_(*centres(points))]
    by_pyscf = scf.dip_moment(unit="debye", verbose=0)
    print(f"dipole     {on_grid[2]:.6f} debye on the grid, {by_pyscf[2]:.6f} from PySCF, along z")

    k = modes(points)
    c = np.fft.fftn(rho) / points**3
    fraction = [abs(k[i]) * BOX[i] / (np.pi * points) for i in range(3)]  # 1 is Nyquist
    high = np.maximum(np.maximum(fraction[0], fraction[1]), fraction[2]) > 0.9
    share = np.sum(abs(c[high]) ** 2) / np.sum(abs(c) ** 2)
    largest = abs(c[high]).max() / abs(c).max()
    print(f"high modes {share:.1e} of the power lies above 0.9 of the Nyquist wave number")
    print(f"           {largest:.1e} is the largest mode there over the largest of all")

    # The potential at any point: the Fourier series, summed there.
    k2 = sum(axis**2 for axis in k)
    k2[0, 0, 0] = 1
    c = SCALE * c / -k2
    c[0, 0, 0] = 0  # the mean of a periodic potential is free; here it is zero
    first = [axis[0] for axis in centres(points)]
    for atom, position in enumerate(molecule.atom_coords()):
        waves = [np.exp(1j * k[i].ravel() * (position[i] - first[i])) for i in range(3)]
        value = np.einsum("ijk,i,j,k", c, *waves, optimize=True).real
        print(f"potential  {value:.6f} hartree/e at {molecule.atom_pure_symbol(atom)}")
    phi = np.fft.ifftn(c * points**3).real
    print(f"potential  from {phi.min():.6f} to {phi.max():.6f} hartree/e on the grid")


def write(path, rho, molecule, scf):
    solver_reads = {
        "spacing": BOX / rho.shape,
        "origin": -BOX / 2,
        "boundary": "periodic",
        "centering": "cell",
        "axis_labels": ["x", "y", "z"],
    }
    people_read = {
        "description": "charge density of a water molecule: "
        "valence electrons (negative) and smeared ions (positive)",
        "units": "e/bohr^3",
        "length_units": "bohr",
        "scale": SCALE,
        "scale_description": "nabla^2 phi = scale * rhs gives the potential phi in hartree/e",
        "atoms": [molecule.atom_pure_symbol(atom) for atom in range(molecule.natm)],
        "atom_positions": molecule.atom_coords().round(12) + 0.0,
        "ion_charges": molecule.atom_charges().astype(float),
        "ion_width": ION_WIDTH,
        "functional": FUNCTIONAL,
        "pseudopotential": PSEUDO,
        "basis": BASIS,
        "energy_hartree": round(scf.e_tot, 8),
        "dipole_debye": scf.dip_moment(unit="debye", verbose=0).round(8) + 0.0,
        "pyscf_version": pyscf.__version__,
    }
    with h5py.File(path, "w") as file:
        # One chunk: the field is small, and so it packs best.
        rhs = file.create_dataset("rhs", data=rho, chunks=rho.shape, shuffle=True, compression=9)
        rhs.attrs.update(solver_reads)
        rhs.attrs.update(people_read)


def main():
    parser = argparse.ArgumentParser(description="makes the charge density of a water molecule")
    parser.add_argument("--points", type=int, default=64, help="along each axis (default 64)")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("water.h5"))
    options = parser.parse_args()

    points = options.points
    cell = BOX.prod() / points**3
    molecule = water()
    scf = ground_state(molecule)

    rho = -with_charge("electrons", electrons(molecule, scf.make_rdm1(), points), 8, cell)
    for atom in range(molecule.natm):
        charge = molecule.atom_charge(atom)
        ion = charge * gaussian(molecule.atom_coord(atom), points)
        rho += with_charge(f"ion {molecule.atom_pure_symbol(atom)}", ion, charge, cell)
    rho = np.round(rho / QUANTUM) * QUANTUM + 0.0  # + 0.0 makes -0 a plain 0

    report(rho, molecule, scf, points)
    write(options.output, rho, molecule, scf)


if __name__ == "__main__":
    main()
