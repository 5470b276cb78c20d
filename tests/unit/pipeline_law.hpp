// What every pipeline of a device engine must do, executed on the host: solve, with random data on every face.
#pragma once

#include <algorithm>

#include "pipeline_on_host.hpp"

namespace poisson3d::test {

/// Random numbers for every face that takes any, arrays on lower faces and one number on upper ones.
template <class T>
struct RandomFaces {
    explicit RandomFaces(const Grid& grid) : values(random_field<T>({6, 40 + longest(grid), 40}, 9)) {
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2 && !grid.axes[a].periodic(); ++side) {
                FaceValues<T>& face = data.faces[a][side];
                face.constant = T(a + 1);
                if (side == 0) face.data = &values.view()(a, 0, 0), face.stride = 40;
            }
    }
    static Index longest(const Grid& grid) {
        return std::max({grid.axes[0].points, grid.axes[1].points, grid.axes[2].points});
    }
    Field<T> values;
    BoundaryData<T> data;
};

/// The same numbers in double.
template <class T>
struct WideFaces {
    explicit WideFaces(const RandomFaces<T>& faces) : values(faces.values.extents()) {
        std::copy_n(faces.values.data(), values.size(), values.data());
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                const FaceValues<T>& from = faces.data.faces[a][side];
                FaceValues<double>& to = data.faces[a][side];
                to.constant = from.constant;
                if (from.data != nullptr) to.data = &values.view()(a, 0, 0), to.stride = from.stride;
            }
    }
    Field<double> values;
    BoundaryData<double> data;
};

/// `make` gives the pipeline. The law is the residual of the difference operator.
template <class T, class Make>
void check_pipeline(const Problem& problem, const Make& make, bool in_place = false, bool with_data = false,
                    double loss = 1.0) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 5);
    const RandomFaces<T> faces(problem.grid);
    const WideFaces<T> wide(faces);
    PipelineOnHost<T> pipeline(problem, make(problem));
    Field<T> u = in_place ? random_field<T>(points, 5) : filled_field<T>(points);
    pipeline.solve(in_place ? read(u) : read(f), u.view(), with_data ? faces.data : BoundaryData<T>{});
    pipeline.expect_solution(read(f), read(u), with_data ? wide.data : BoundaryData<double>{}, loss);
}

/// Most of f is near one number, and the gauge point is in no first block of lines, and most of f is near one
/// number.
template <class Make>
void check_gauge(const Extents& points, const Make& make) {
    Problem problem = make_problem({cell_nn, cell_p, cell_nn}, points);
    problem.gauge.point = {3, points[1] - 3, 5};
    SCOPED_TRACE(describe(problem));
    Field<double> f = random_field<double>(points, 5);
    for (Index i = 0; i < f.size(); ++i) f.data()[i] += 1000;
    Field<double> u = filled_field<double>(points);
    PipelineOnHost<double> pipeline(problem, make(problem));
    pipeline.solve(read(f), u.view());
    pipeline.expect_solution(read(f), read(u));
}

/// f and u inside the workspace, where fields in host memory are copied to.
inline void check_staged(const Problem& problem, std::unique_ptr<device::Pipeline<double>> made) {
    SCOPED_TRACE(describe(problem));
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points, 5);
    Field<double> u = filled_field<double>(points);
    PipelineOnHost<double> pipeline(problem, std::move(made));
    pipeline.solve_staged(read(f), u.view());
    pipeline.expect_solution(read(f), read(u));
}

}  // namespace poisson3d::test
