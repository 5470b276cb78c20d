// A pipeline of the cufft engine in a test: its workspace, and the law its solutions must obey.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "axis_rules.hpp"
#include "boundary_terms.hpp"
#include "free_faces.hpp"
#include "pipelines.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "range.hpp"
#include "tolerance.hpp"

namespace poisson3d::test {

template <class T>
class PipelineOnHost {
public:
    /// The workspace starts as garbage.
    PipelineOnHost(const Problem& problem, std::unique_ptr<device::Pipeline<T>> pipeline)
        : problem_(problem),
          pipeline_(std::move(pipeline)),
          block_(pipeline_->workspace_bytes() + device::Pipeline<T>::alignment),
          removed_(static_cast<std::size_t>(pipeline_->fields_at_once())) {
        std::memset(block_.data(), 0xff, block_.size());  // not a number
        auto address = reinterpret_cast<std::uintptr_t>(block_.data()) + device::Pipeline<T>::alignment - 1;
        pipeline_->bind(reinterpret_cast<std::byte*>(address - address % device::Pipeline<T>::alignment));
    }

    void solve(FieldView<const T> f, FieldView<T> u, const BoundaryData<T>& data = {}) {
        solve({f, 1, 0}, {u, 1, 0}, data);
    }
    void solve(const FieldBatch<const T>& f, const FieldBatch<T>& u, const BoundaryData<T>& data) {
        const Call<T> call = call_of(f, u, data);
        pipeline_->prepare(call, removed_.data(), {});
        pipeline_->run(call, removed_.data(), {}, device::PassClock());
    }
    /// Whether anything in the workspace is other than it was when a call has been prepared.
    [[nodiscard]] bool prepares_something(FieldView<const T> f, FieldView<T> u) {
        const auto* const memory = static_cast<const std::byte*>(block_.data());
        const std::vector<std::byte> before(memory, memory + block_.size());
        pipeline_->prepare(call_of({f, 1, 0}, {u, 1, 0}, {}), removed_.data(), {});
        return std::memcmp(before.data(), memory, before.size()) != 0;
    }
    /// What the last call found on free faces, of its first field.
    [[nodiscard]] BoundaryData<T> faces() const {
        BoundaryData<T> all;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side)
                if (is_free(problem_.grid.axes[a], side))
                    all.faces[a][side] = {T(0), pipeline_->face_values(0, a, side),
                                          extents_of_face(problem_.grid.points(), a)[1]};
        return all;
    }
    [[nodiscard]] Index fields_at_once() const { return pipeline_->fields_at_once(); }
    [[nodiscard]] std::array<T, 3> removed(Index field) const {
        const auto& removed = removed_[static_cast<std::size_t>(field)];
        return {removed.mean, removed.shift.high, removed.shift.low};
    }

    /// The same with copies of f and u inside the workspace, where fields in host memory go.
    void solve_staged(FieldView<const T> f, FieldView<T> u) {
        terms_ = make_boundary_terms<T>(problem_.grid);
        const FieldView<T> in = pipeline_->staging();
        const FieldView<T> out = pipeline_->result_staging();
        const Call<T> call{ModeOperation::divide, {in.data, in.extents}, out, scale, terms_};
        std::copy_n(f.data, f.size(), in.data);
        pipeline_->prepare(call, removed_.data(), {});
        if (pipeline_->reads_twice()) std::copy_n(f.data, f.size(), in.data);
        pipeline_->run(call, removed_.data(), {}, device::PassClock());
        std::copy_n(out.data, out.size(), u.data);
    }

    /// The backward error of u, allowed to be `loss` times tolerance::backward; walls and gauge are exact. `data`
    /// is what solve() had.
    void expect_solution(FieldView<const T> f, FieldView<const T> u, const BoundaryData<double>& data = {},
                         double loss = 1.0) const {
        expect_values_at_dirichlet_nodes(u);
        if (singular(problem_) && problem_.gauge.point) {
            const auto [i, j, k] = *problem_.gauge.point;
            EXPECT_EQ(u(i, j, k), T(0)) << describe(problem_);
        }
        ResidualMeter<T> meter(problem_, u, scale, mean(), data);
        meter.add(0, f);
        EXPECT_LE(meter.result().backward,
                  loss * tolerance::backward<T>(problem_.grid.points()) + tolerance::eps<T>)
            << describe(problem_) << (sizeof(T) == 4 ? ", single" : ", double");
    }

private:
    static constexpr double scale = -1.5;
    static constexpr int halvings = 7;  ///< of what is read, for modes to make good (range.hpp)

    Call<T> call_of(const FieldBatch<const T>& f, const FieldBatch<T>& u, const BoundaryData<T>& data) {
        terms_ = make_boundary_terms<T>(problem_.grid).with_data(data);
        return {ModeOperation::divide,    f.first, u.first,  std::ldexp(scale, -halvings),
                terms_.halved(halvings),  f.count, f.stride, u.stride,
                std::ldexp(1.0, halvings)};
    }

    [[nodiscard]] double mean() const {
        if (!singular(problem_)) return 0.0;
        return static_cast<double>(removed_[0].mean) +
               scale * (static_cast<double>(removed_[0].shift.high) + static_cast<double>(removed_[0].shift.low));
    }

    /// What the data says for a node on a Dirichlet face: of the first axis that has one there.
    [[nodiscard]] T value_of_node(Index i, Index j, Index k) const {
        const Extents at{i, j, k};
        for (int a = 0; a < 3; ++a)
            for (const int side : {0, 1}) {
                const Axis& axis = problem_.grid.axes[a];
                const bool holds = axis.centering == Centering::node &&
                                   (side == 0 ? axis.lower : axis.upper) == Boundary::dirichlet;
                if (holds && at[a] == (side == 0 ? 0 : axis.points - 1))
                    return value_at(terms_.face[a][side], at[a == 0 ? 1 : 0], at[a == 2 ? 1 : 2]);
            }
        return T(0);
    }

    void expect_values_at_dirichlet_nodes(FieldView<const T> u) const {
        const auto& axes = problem_.grid.axes;
        for (Index i = 0; i < u.extents[0]; ++i)
            for (Index j = 0; j < u.extents[1]; ++j)
                for (Index k = 0; k < u.extents[2]; ++k) {
                    const bool unknown = unknowns(axes[0]).contain(i) && unknowns(axes[1]).contain(j) &&
                                         unknowns(axes[2]).contain(k);
                    ASSERT_TRUE(unknown || u(i, j, k) == value_of_node(i, j, k)) << describe(problem_);
                }
    }

    Problem problem_;
    std::unique_ptr<device::Pipeline<T>> pipeline_;
    HostBuffer block_;
    std::vector<typename device::Pipeline<T>::Removed> removed_;
    BoundaryTerms<T> terms_;
};

}  // namespace poisson3d::test
