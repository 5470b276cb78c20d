// One projection step of an incompressible flow in a channel and in a duct whose cells are finer at the walls, on
// the host. Ends with 0 if the flows are free of divergence to rounding, 1 if not.
//
//     ∇²p = ∇·v / Δt,     v := v − Δt ∇p,     then ∇·v = 0
//
// Velocities stand on the faces of the cells and the pressure at their centres (Harlow & Welch 1965), so divergence
// and gradient are differences of neighbours and their product is the 7-point stencil that the solver inverts:
//
//            v(j)      p(j)     v(j+1)                 (∇·v)(j) = Σ (v(j+1) − v(j)) / w(j)          in every
//            direction
//             |─────────·─────────|                    (∇p)(j)  = (p(j) − p(j−1)) / (x(j) − x(j−1))  on face j
//
// w are the widths of the cells and x their centres. The channel is periodic along x and z and has walls below and
// above in y, the duct also on both sides in z. Nothing flows through walls, so ∂p/∂n = 0 there.
#include <poisson3d/error.hpp>
#include <poisson3d/solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

using namespace poisson3d;

namespace {

using Velocity = std::array<Field<double>, 3>;  // one field of faces for each direction

// Calls body(i, j, k) for all points of a box.
template <class Body>
void for_each_point(const Extents& box, Body body) {
    for (Index i = 0; i < box[0]; ++i)
        for (Index j = 0; j < box[1]; ++j)
            for (Index k = 0; k < box[2]; ++k) body(i, j, k);
}

// The neighbour of point (i, j, k) along an axis, by steps of ±1. A periodic axis closes; a closed one has one face
// more than it has cells, so that its last cell has an upper face.
std::array<Index, 3> neighbour(const Grid& grid, std::array<Index, 3> point, int axis, Index step) {
    const Index n = grid.axes[axis].points;
    point[axis] += step;
    if (grid.axes[axis].periodic()) point[axis] = (point[axis] + n) % n;
    return point;
}

// A face in a wall: nothing flows through it, before or after.
bool in_wall(const Grid& grid, const std::array<Index, 3>& face, int axis) {
    return !grid.axes[axis].periodic() && (face[axis] == 0 || face[axis] == grid.axes[axis].points);
}

double at(FieldView<const double> field, const std::array<Index, 3>& point) {
    return field(point[0], point[1], point[2]);
}

void divergence(const Grid& grid, const Velocity& v, FieldView<double> result) {
    const std::array widths{steps_of(grid.axes[0]), steps_of(grid.axes[1]), steps_of(grid.axes[2])};
    for_each_point(grid.points(), [&](Index i, Index j, Index k) {
        const std::array<Index, 3> cell{i, j, k};
        double sum = 0.0;
        for (int a = 0; a < 3; ++a)
            sum += (at(v[a].view(), neighbour(grid, cell, a, 1)) - at(v[a].view(), cell)) / widths[a][cell[a]];
        result(i, j, k) = sum;
    });
}

void subtract_gradient(const Grid& grid, FieldView<const double> p, double dt, Velocity& v) {
    for (int a = 0; a < 3; ++a) {
        const std::vector<double> widths = steps_of(grid.axes[a]);
        for_each_point(v[a].extents(), [&](Index i, Index j, Index k) {
            const std::array<Index, 3> face{i, j, k};
            if (in_wall(grid, face, a)) return;
            const std::array<Index, 3> below = neighbour(grid, face, a, -1);
            const double distance = 0.5 * (widths[below[a]] + widths[face[a]]);
            v[a].view()(i, j, k) -= dt * (at(p, face) - at(p, below)) / distance;
        });
    }
}

double largest(FieldView<const double> field) {
    return std::accumulate(field.data, field.data + field.size(), 0.0,
                           [](double most, double value) { return std::max(most, std::abs(value)); });
}

// Between walls at −½ and ½, the cells at the walls a tenth as wide as those in the middle.
Axis between_walls(Index cells) {
    Axis axis{.points = cells, .lower = Boundary::neumann, .upper = Boundary::neumann};
    for (Index face = 0; face <= cells; ++face)
        axis.positions.push_back(0.5 * std::tanh(1.8 * (2.0 * face / cells - 1.0)) / std::tanh(1.8));
    return axis;
}

// The flow's largest divergence after the step, in units of that before.
double project(const char* name, const Grid& grid) {
    constexpr double dt = 0.01;
    Problem problem;
    problem.grid = grid;
    Solver<double> solver(problem);

    // Any flow: noise, except that nothing goes through the walls.
    Velocity v;
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> noise(-1.0, 1.0);
    for (int a = 0; a < 3; ++a) {
        Extents faces = grid.points();
        if (!grid.axes[a].periodic()) ++faces[a];
        v[a] = Field<double>(faces);
        for_each_point(faces, [&](Index i, Index j, Index k) {
            v[a].view()(i, j, k) = in_wall(grid, {i, j, k}, a) ? 0.0 : noise(generator);
        });
    }

    Field<double> div(grid.points()), p(grid.points());
    divergence(grid, v, div.view());
    const double before = largest(div.view());
    solver.solve(div.view(), p.view(), 1.0 / dt);  // the factor costs nothing
    subtract_gradient(grid, p.view(), dt, v);
    divergence(grid, v, div.view());
    const double after = largest(div.view());

    std::printf("%s: %s\nlargest divergence before %.3g, after %.3g; pressure up to %.3g\n", name,
                solver.description().c_str(), before, after, largest(p.view()));
    return after / before;
}

}  // namespace

int main() {
    Grid channel;
    channel.axes = {Axis{48, 0.02}, between_walls(33), Axis{50, 0.025}};
    if (!(project("channel", channel) < 1e-14)) return 1;
    Grid duct;
    duct.axes = {Axis{48, 0.02}, between_walls(33), between_walls(40)};
    return project("duct", duct) < 4e-14 ? 0 : 1;
}
