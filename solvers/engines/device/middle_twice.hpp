// A way through the passes whose middle pass goes from one field inside the workspace to another, so that it can be
// done again when the first has been changed: what free faces need (walled/walled_pipeline.cpp).
#pragma once

#include <array>

#include "engine.hpp"
#include "middle_terms.hpp"
#include "mode_order.hpp"
#include "pass_clock.hpp"

namespace poisson3d::device {

/// The unknowns before and after the middle pass, strides by axis.
template <class T>
struct MiddleFields {
    T* before = nullptr;
    Strides before_strides{};
    T* after = nullptr;
    Strides after_strides{};
};

template <class T>
class MiddleTwice {
public:
    virtual ~MiddleTwice() = default;

    /// The axis of the middle pass, contiguous before it; then the axes that are in modes, the second of which is
    /// contiguous after it.
    [[nodiscard]] virtual std::array<int, 3> axes_in_middle() const = 0;
    [[nodiscard]] virtual ModeOrder modes_of(int axis) const = 0;
    [[nodiscard]] virtual MiddleFields<T> middle_fields() const = 0;
    /// Elements of the second field, which is dense memory of the workspace.
    [[nodiscard]] virtual Index middle_room() const = 0;

    /// Passes 1 and 2, the middle one, the last two. Not of singular problems. Asynchronous; allocate nothing.
    virtual void run_before_middle(const Call<T>& call, Stream stream, const PassClock& clock) = 0;
    virtual void run_middle(const Call<T>& call, Stream stream, const PassClock& clock) = 0;
    virtual void run_after_middle(const Call<T>& call, Stream stream, const PassClock& clock) = 0;
    /// The middle pass of what it reads and `terms`, whose slow axis and whose lines are axes_in_middle(); false,
    /// and nothing is done, where no kernel adds.
    virtual bool run_middle_with(const MiddleTerms<T>& terms, const Call<T>& call, Stream stream,
                                 const PassClock& clock) = 0;
};

}  // namespace poisson3d::device
