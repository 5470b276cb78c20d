// The solver as the tests use it: fields in host memory, whatever the engine. A device engine gets them in device
// memory, as in the work it is made for, by solves that know nothing of the copies before and after.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "device_fields.hpp"
#include "engine_under_test.hpp"
#include "problems.hpp"

namespace poisson3d::test {

template <class T>
class TestSolver {
public:
    explicit TestSolver(const Problem& problem, const Options& options = test_options())
        : solver_(problem, options) {}
    explicit TestSolver(Solver<T> solver) : solver_(std::move(solver)) {}

    static std::size_t workspace_bytes(const Problem& problem, const Options& options = test_options()) {
        return Solver<T>::workspace_bytes(problem, options);
    }

    void solve(FieldView<const T> f, FieldView<T> u, T scale = T(1)) {
        with_fields(f, u, [&](FieldView<const T> from, FieldView<T> to) { solver_.solve(from, to, scale); });
    }
    void solve(FieldView<const T> f, FieldView<T> u, const BoundaryData<T>& boundary, T scale = T(1)) {
        with_fields(f, u, [&](FieldView<const T> from, FieldView<T> to) {
            if (on_device_under_test) {
                DeviceFaces<T> faces(boundary, u.extents);
                solver_.solve(from, to, faces.data(), scale);
                (void)solver_.result();  // waits: the arrays go
                faces.fetch();
            } else {
                solver_.solve(from, to, boundary, scale);
            }
        });
    }
    void apply(FieldView<const T> f, FieldView<T> u, T scale = T(1)) {
        with_fields(f, u, [&](FieldView<const T> from, FieldView<T> to) { solver_.apply(from, to, scale); });
    }
    Result result() { return solver_.result(); }
    [[nodiscard]] Solver<T>& solver() noexcept { return solver_; }

    [[nodiscard]] Engine engine() const { return solver_.engine(); }
    [[nodiscard]] Memory memory() const { return solver_.memory(); }
    [[nodiscard]] int threads() const { return solver_.threads(); }
    [[nodiscard]] std::size_t workspace() const { return solver_.workspace(); }
    [[nodiscard]] const std::vector<PassReport>& passes() const { return solver_.passes(); }
    [[nodiscard]] std::string description() const { return solver_.description(); }

private:
    template <class Call>
    static void with_fields(FieldView<const T> f, FieldView<T> u, Call call) {
        if (on_device_under_test) {
            DeviceFields<T> fields(f, u);
            try {
                call(fields.f(), fields.u());
            } catch (...) {
                fields.fetch();  // a call that refuses must have left all as it was
                throw;
            }
            fields.fetch();
        } else {
            call(f, u);
        }
    }

    Solver<T> solver_;
};

/// Plans and solves once, into a field that held other values before.
template <class T>
Field<T> solved(const Problem& problem, const Field<T>& f, Result* result = nullptr, T scale = T(1),
                const Options& options = test_options()) {
    Field<T> u = filled_field<T>(problem.grid.points());
    TestSolver<T> solver(problem, options);
    solver.solve(f.view(), u.view(), scale);
    if (result != nullptr) *result = solver.result();
    return u;
}

}  // namespace poisson3d::test
