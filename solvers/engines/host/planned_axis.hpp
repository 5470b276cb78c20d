// The lines of an axis ready to run on the host: tables, and FFTs of the library for the lengths that have no radices
// of ours.
#pragma once

#include <optional>

#include "fused/axis_tables.hpp"
#include "kernels.hpp"
#include "row_fft.hpp"

namespace poisson3d::host {

using fused::Way;

/// Whether FFTs are in our own steps.
inline Way way_of(const Axis& axis) {
    return fused::has_tables<Plain>(axis, Way::kernels) ? Way::kernels : Way::batches;
}

template <class T>
class PlannedAxis {
public:
    PlannedAxis(const Axis& axis, Discretization discretization, PlanEffort effort)
        : tables_(fused::make_axis_tables<T, Plain>(axis, discretization, way_of(axis))) {
        fused::for_each_table(tables_, [](const auto& array, auto& pointer) { 
            pointer = array.empty() ? nullptr : array.data();
        });
        const auto& plan = tables_.plan;
        line_.form = tables_.form;
        line_.samples = tables_.kind.unknowns;
        line_.sample_twins = tables_.samples.head;
        line_.mode_twins = tables_.modes.head;
        line_.symmetric = tables_.symmetric.head;
        line_.samples_in = tables_.samples_in.head;
        line_.modes_out = tables_.modes_out.head;
        line_.modes_in = tables_.modes_in.head;
        line_.samples_out = tables_.samples_out.head;
        line_.fft = plan.fft;
        line_.ffts = plan.count;
        line_.length = plan.length;
        line_.pairs = tables_.pairs.data();
        if (way_of(axis) == Way::kernels) return;
        const int lines = kernels<T>().lines;
        fft_.emplace(plan.length, lines / 2, lines, effort);
        line_.rows = fft_->call();
    }
    PlannedAxis(PlannedAxis&&) = delete;

    [[nodiscard]] const LineTables<T>& line() const noexcept { return line_; }
    [[nodiscard]] const AxisKind& kind() const noexcept { return tables_.kind; }
    /// There and back multiplies by this.
    [[nodiscard]] double round_trip() const noexcept {
        return static_cast<double>(tables_.kind.round_trip) * tables_.gain;
    }
    /// By slot: where a mode lies in the field.
    [[nodiscard]] const T* eigenvalues() const noexcept { return tables_.eigenvalues.data(); }

private:
    fused::AxisTables<T, Plain> tables_;
    std::optional<RowFft<T>> fft_;
    LineTables<T> line_;
};

}  // namespace poisson3d::host
