// L u of a solution, in double precision: all of it, or of what others have the planes that are asked for.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "poisson3d/field.hpp"
#include "solving/plane_window.hpp"

namespace poisson3d::app {

class AppliedOperator {
public:
    /// Fills planes first … of what it is given.
    using Fetch = std::function<void(Index first, FieldView<double> planes)>;

    explicit AppliedOperator(Field<double> all) : all_(std::move(all)), view_(all_.view()) {}
    /// Takes memory for the planes that are asked for together.
    AppliedOperator(const Extents& points, Fetch fetch)
        : window_(std::make_unique<PlaneWindow<double>>(points)), fetch_(std::move(fetch)), view_(window_->view()) {}

    [[nodiscard]] FieldView<const double> view() const noexcept { return view_; }
    /// Planes first … first + count − 1 are there when it returns; others may be gone.
    void bring(Index first, Index count) {
        if (window_) window_->bring(first, count, false, fetch_);
    }

private:
    Field<double> all_;
    std::unique_ptr<PlaneWindow<double>> window_;
    Fetch fetch_;
    FieldView<const double> view_;
};

}  // namespace poisson3d::app
