// One free axis closed by walls, on a host: in modes of the two other axes what is next to the faces is multiplied
// with what the ends of each line have in empty space (lines/closed_ends.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "closed_ends.hpp"
#include "field_passes.hpp"
#include "free_faces.hpp"
#include "summed_faces.hpp"

namespace poisson3d::host {

template <class T>
class ClosedLineEnds final : public SummedFaces<T> {
public:
    ClosedLineEnds(const Problem& problem, Index fields, int threads, bool eliminates)
        : SummedFaces<T>(problem, fields, eliminates),
          passes_(lines::close_faces(problem), Options{.threads = threads, .workspace = {}}, -1,
                  whole_box(problem)) {
        for (int a = 0; a < 3; ++a)
            if (problem.grid.axes[a].unbounded()) axis_ = a;
        ends_.emplace(problem.grid.axes[axis_], this->layout().closed[axis_], !takes_constant(problem));
        this->use(passes_.team(), {&passes_.axis(0), &passes_.axis(1), &passes_.axis(2)});
    }

    [[nodiscard]] std::size_t bytes() const override { return SummedFaces<T>::bytes() + passes_.layout().bytes; }

protected:
    void run(FacesByPart<T>& left, FacesByPart<T>& values, const FaceShare& share) override {
        const auto [d, e] = across(axis_);
        const T* const rows = passes_.eigenvalues_along(d);
        const T* const columns = passes_.eigenvalues_along(e);
        const double lambda = passes_.problem().helmholtz;
        for (int part = 0; part < this->layout().closed[axis_].faces; ++part) {
            const FaceArray<T>& from = left[axis_][part];
            const FaceArray<T>& to = values[axis_][part];
            for (Index i = 0; i < this->layout().unknowns(d); ++i)
                for (Index j = 0; j < this->layout().unknowns(e); ++j) {
                    const Index at = i * from.stride(d) + j * from.stride(e);
                    const double square = lambda - static_cast<double>(rows[i]) - static_cast<double>(columns[j]);
                    const double factor = ends_->factor(std::sqrt(std::max(square, 0.0)), part);
                    to.data[at] = share.number > 0 ? T(0)  // few numbers: all are in the first share
                                                   : static_cast<T>(factor) * from.data[at];
                }
        }
    }

private:
    FieldPasses<T> passes_;
    int axis_ = 0;
    std::optional<lines::ClosedEnds> ends_;
};

}  // namespace poisson3d::host
