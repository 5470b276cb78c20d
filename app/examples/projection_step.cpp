// One projection step of an incompressible flow, on the host. Ends with 0 if the flow is free of divergence to
// rounding, 1 if not.
//
//     ∇²p = ∇·v / Δt,     v := v − Δt ∇p,     then ∇·v = 0
//
// Velocities stand on the faces of the cells and the pressure at their centres (Harlow & Welch 1965), so divergence
// and gradient are differences of neighbours and their product is the 7-point stencil that the solver inverts:
//
//            v(j)      p(j)     v(j+1)                 (∇·v)(j) = Σ (v(j+1) − v(j)) / h        in every direction
//             |─────────·─────────|                    (∇p)(j)  = (p(j) − p(j−1)) / h         on face j
//
// A channel: periodic along x and z; walls below and above in y, through which nothing flows, so ∂p/∂n = 0 there.
#include <poisson3d/solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

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
    for_each_point(grid.points(), [&](Index i, Index j, Index k) {
        double sum = 0.0;
        for (int a = 0; a < 3; ++a)
            sum += (at(v[a].view(), neighbour(grid, {i, j, k}, a, 1)) - at(v[a].view(), {i, j, k})) /
                   grid.axes[a].spacing;
        result(i, j, k) = sum;
    });
}

void subtract_gradient(const Grid& grid, FieldView<const double> p, double dt, Velocity& v) {
    for (int a = 0; a < 3; ++a)
        for_each_point(v[a].extents(), [&](Index i, Index j, Index k) {
            const std::array<Index, 3> face{i, j, k};
            if (in_wall(grid, face, a)) return;
            v[a].view()(i, j, k) -= dt * (at(p, face) - at(p, neighbour(grid, face, a, -1))) / grid.axes[a].spacing;
        });
}

double largest(FieldView<const double> field) {
    return std::accumulate(field.data, field.data + field.size(), 0.0,
                           [](double most, double value) { return std::max(most, std::abs(value)); });
}

}  // namespace

int main() {
    constexpr double dt = 0.01;
    Problem problem;
    Grid& grid = problem.grid;
    grid.axes = {Axis{48, 0.02}, Axis{33, 0.015}, Axis{50, 0.025}};
    grid.axes[1].lower = grid.axes[1].upper = Boundary::neumann;
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

    std::printf("%s\nlargest divergence before %.3g, after %.3g; pressure up to %.3g\n",
                solver.description().c_str(), before, after, largest(p.view()));
    return after < 1e-14 * before ? 0 : 1;
}
