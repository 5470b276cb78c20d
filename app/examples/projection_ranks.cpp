// The projection step of projection_step.cpp by the ranks of MPI: a channel between walls in y, whose cells are
// finer at the walls, split into slabs along x. Each rank has its planes of every field and one more plane on
// either side, which its neighbours fill. Ends with 0 if the flow is free of divergence to rounding, 1 if not.
//
//     mpirun -n 4 projection_ranks
#include <mpi.h>
#include <poisson3d/mpi.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace poisson3d;

namespace {

constexpr Extents cells{50, 33, 40};
constexpr double dt = 0.01, hx = 0.02, hz = 0.025;

// Faces of y cells between −½ and ½.
double face_y(Index j) {
    return 0.5 * std::tanh(1.8 * (2.0 * static_cast<double>(j) / cells[1] - 1.0)) / std::tanh(1.8);
}
double width_y(Index j) {
    return face_y(j + 1) - face_y(j);
}

// A rank's planes, and the neighbours' ones beside them: planes −1 and `planes` of the view. Of fields on the faces
// of y the last row is the upper wall's.
class Slab {
public:
    Slab(Index planes, Index rows) : planes_(planes), rows_(rows), memory_({planes + 2, rows, cells[2]}) {
        std::fill_n(memory_.data(), memory_.size(), 0.0);
    }
    [[nodiscard]] double& operator()(Index i, Index j, Index k) { return memory_.view()(i + 1, j, k); }
    // What the solver gets: without the ghost planes, where they lie.
    [[nodiscard]] FieldView<double> inner() { return memory_.view().slab(1, planes_); }

    // Periodic along x. Ranks without planes have none to give: here every rank has some.
    void fill_ghosts(MPI_Comm ranks) {
        int rank = 0, size = 0;
        MPI_Comm_rank(ranks, &rank);
        MPI_Comm_size(ranks, &size);
        const int below = (rank + size - 1) % size, above = (rank + 1) % size;
        const int plane = static_cast<int>(rows_ * cells[2]);
        MPI_Sendrecv(&(*this)(planes_ - 1, 0, 0), plane, MPI_DOUBLE, above, 1, &(*this)(-1, 0, 0), plane,
                     MPI_DOUBLE, below, 1, ranks, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&(*this)(0, 0, 0), plane, MPI_DOUBLE, below, 2, &(*this)(planes_, 0, 0), plane, MPI_DOUBLE,
                     above, 2, ranks, MPI_STATUS_IGNORE);
    }

private:
    Index planes_, rows_;
    Field<double> memory_;
};

// Noise that does not depend on who computes it.
double noise(Index i, Index j, Index k, int axis) {
    std::uint64_t z = ((static_cast<std::uint64_t>(i) * 512 + j) * 512 + k) * 4 + axis + 1;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>(z >> 11) / 4503599627370496.0 - 1.0;
}

template <class Body>
void for_each_cell(Index planes, Body body) {
    for (Index i = 0; i < planes; ++i)
        for (Index j = 0; j < cells[1]; ++j)
            for (Index k = 0; k < cells[2]; ++k) body(i, j, k);
}

// Velocities stand on the lower faces of cells; the planes of vx need the next rank's first.
double divergence(Index planes, std::array<Slab, 3>& v, Slab& result, MPI_Comm ranks) {
    v[0].fill_ghosts(ranks);
    double most = 0.0;
    for_each_cell(planes, [&](Index i, Index j, Index k) {
        const Index next = (k + 1) % cells[2];
        result(i, j, k) = (v[0](i + 1, j, k) - v[0](i, j, k)) / hx +
                          (v[1](i, j + 1, k) - v[1](i, j, k)) / width_y(j) +
                          (v[2](i, j, next) - v[2](i, j, k)) / hz;
        most = std::max(most, std::abs(result(i, j, k)));
    });
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, ranks);
    return most;
}

void subtract_gradient(Index planes, Slab& p, std::array<Slab, 3>& v, MPI_Comm ranks) {
    p.fill_ghosts(ranks);
    for_each_cell(planes, [&](Index i, Index j, Index k) {
        const Index before = (k + cells[2] - 1) % cells[2];
        v[0](i, j, k) -= dt * (p(i, j, k) - p(i - 1, j, k)) / hx;
        if (j > 0) v[1](i, j, k) -= dt * (p(i, j, k) - p(i, j - 1, k)) / (0.5 * (width_y(j - 1) + width_y(j)));
        v[2](i, j, k) -= dt * (p(i, j, k) - p(i, j, before)) / hz;
    });
}

bool project(MPI_Comm ranks) {
    Problem problem;
    problem.grid.axes = {Axis{cells[0], hx},
                         Axis{.points = cells[1], .lower = Boundary::neumann, .upper = Boundary::neumann},
                         Axis{cells[2], hz}};
    for (Index j = 0; j <= cells[1]; ++j) problem.grid.axes[1].positions.push_back(face_y(j));

    const Communicator members = mpi(ranks);
    const int me = members.mine().front();
    const Decomposition parts = Decomposition::slabs(cells, members.size());
    DistributedSolver<double> solver(problem, parts, members);

    const Index planes = parts.planes(me);
    std::array<Slab, 3> v{Slab(planes, cells[1]), Slab(planes, cells[1] + 1), Slab(planes, cells[1])};
    Slab div(planes, cells[1]), p(planes, cells[1]);
    for_each_cell(planes, [&](Index i, Index j, Index k) {
        for (int a = 0; a < 3; ++a)
            if (a != 1 || j > 0)
                v[a](i, j, k) = noise(parts.first(me) + i, j, k, a);  // nothing flows through walls
    });

    const double before = divergence(planes, v, div, ranks);
    const std::vector<FieldView<const double>> from{div.inner()};
    const std::vector<FieldView<double>> to{p.inner()};
    solver.solve(std::span(from), std::span(to), 1.0 / dt);  // the factor costs nothing
    subtract_gradient(planes, p, v, ranks);
    const double after = divergence(planes, v, div, ranks);
    if (me == 0)
        std::printf("%s\nlargest divergence before %.3g, after %.3g\n", solver.description().c_str(), before,
                    after);
    return after / before < 2e-14;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const bool free_of_divergence = project(MPI_COMM_WORLD);
    MPI_Finalize();
    return free_of_divergence ? 0 : 1;
}
