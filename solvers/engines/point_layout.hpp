// Where the arrays of PointSweeps (point_sweeps.hpp) lie in its one piece of memory, in bytes.
#pragma once

#include <cstddef>
#include <type_traits>

#include "column_steps.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d {

template <class T, class N>
struct PointLayout {
    static constexpr bool copies = !std::is_same_v<T, N>;
    static constexpr std::size_t alignment = 256;
    static constexpr int directions = points::Advance<T, N>::most;
    static constexpr int of_iteration = 3 + directions;  ///< r, q, z, p; then c and a, if they are copies
    std::size_t operator_fields[5] = {}, iteration_fields[of_iteration + 4] = {}, axes = 0, walls[3][2] = {},
                fluxes[3][2] = {}, end = 0;

    explicit PointLayout(const Grid& grid) {
        const auto take = [this](std::size_t bytes) {
            const std::size_t here = end;
            end += (bytes + alignment - 1) / alignment * alignment;
            return here;
        };
        const Extents points = grid.points();
        const auto count = static_cast<std::size_t>(grid.size());
        for (auto& field : operator_fields) field = take(count * sizeof(T));
        for (int n = 0; n < of_iteration + (copies ? 4 : 0); ++n) iteration_fields[n] = take(count * sizeof(N));
        static_assert(sizeof(Index) == sizeof(double));
        axes = take(8 * static_cast<std::size_t>(points[0] + points[1] + points[2]) * sizeof(double));
        for (int a = 0; a < 3; ++a) {
            const auto [rows, columns] = extents_of_face(points, a);
            for (int side = 0; side < 2; ++side) {
                walls[a][side] = take(static_cast<std::size_t>(rows * columns) * sizeof(double));
                fluxes[a][side] = take(static_cast<std::size_t>(rows * columns) * sizeof(double));
            }
        }
    }

    /// Sets pointers to the arrays in `memory`: of the iteration, of its directions `p`, of fluxes through walls.
    void place(std::byte* memory, points::Iteration<T, N>& it, N* (&p)[directions], double* (&flux)[3][2]) const {
        const auto field = [&]<class M>(std::size_t offset, M*& to) { to = reinterpret_cast<M*>(memory + offset); };
        ScaledPoints<T>& op = it.op;
        T** const of_operator[] = {&op.c, &op.s, &op.a[0], &op.a[1], &op.a[2]};
        for (int n = 0; n < 5; ++n) field(operator_fields[n], *of_operator[n]);
        const std::size_t* of_iteration = iteration_fields;
        for (N** const one : {&it.r, &it.q, &it.z}) field(*of_iteration++, *one);
        for (N*& one : p) field(*of_iteration++, one);
        if constexpr (copies) {
            for (N** const one : {&it.c, &it.a[0], &it.a[1], &it.a[2]}) field(*of_iteration++, *one);
        } else {
            it.c = op.c;
            for (int a = 0; a < 3; ++a) it.a[a] = op.a[a];
        }
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                field(walls[a][side], op.wall[a][side]);
                field(fluxes[a][side], flux[a][side]);
            }
    }
};

}  // namespace poisson3d
