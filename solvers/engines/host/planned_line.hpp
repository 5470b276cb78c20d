// A line plan ready to run on the host: its steps and its planned FFTs.
#pragma once

#include <vector>

#include "line_view.hpp"
#include "row_fft.hpp"

namespace poisson3d::host {

/// A LinePlan with its FFTs planned; the view is what the kernels read.
template <class T>
class PlannedLine {
public:
    /// In blocks of `lines`.
    PlannedLine(Transform transform, Index points, int lines, PlanEffort effort)
        : plan_(make_line_plan<T>(transform, points)) {
        for (const FftStep& step : plan_.ffts) {
            ffts_.emplace_back(step.length(), lines / 2, Index{lines} * step.sets, effort);
            calls_.push_back(ffts_.back().call());
        }
        view_ = {points,
                 plan_.load.data(),
                 plan_.store.data(),
                 plan_.folds.data(),
                 static_cast<Index>(plan_.folds.size()),
                 plan_.extensions.data(),
                 static_cast<Index>(plan_.extensions.size()),
                 plan_.ffts.data(),
                 static_cast<Index>(plan_.ffts.size()),
                 plan_.tables.data(),
                 calls_.data()};
    }
    PlannedLine(PlannedLine&&) = delete;

    [[nodiscard]] const LineView<T>* view() const noexcept { return &view_; }

private:
    LinePlan<T> plan_;
    std::vector<RowFft<T>> ffts_;
    std::vector<RowFftCall<T>> calls_;
    LineView<T> view_;
};

}  // namespace poisson3d::host
