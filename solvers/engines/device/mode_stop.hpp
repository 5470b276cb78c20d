// A way through the passes that stops in the middle, where one field is in modes of all three axes and nothing has
// been divided, so that free faces need no other field and no pass twice (walled/box_faces.hpp).
#pragma once

#include <array>

#include "engine.hpp"
#include "middle_twice.hpp"
#include "pass_clock.hpp"

namespace poisson3d::device {

/// The modes of a call: element (i, j, k), by slots, is divided by shift + Σ eigenvalues and gets `factor`, which
/// has `restore` in it (Call).
template <class T>
struct ModeField {
    T* data = nullptr;
    Strides strides{};  ///< by axis; 1 along the last
    std::array<const T*, 3> eigenvalues{};
    T shift = 0, factor = 1, restore = 1;
};

template <class T>
class ModeStop {
public:
    virtual ~ModeStop() = default;

    [[nodiscard]] virtual ModeOrder modes_of(int axis) const = 0;
    [[nodiscard]] virtual ModeField<T> modes(const Call<T>& call) const = 0;
    /// The passes forward; what is in modes() when it is as it shall be goes backward. Not of singular problems.
    /// Asynchronous; allocate nothing.
    virtual void run_to_modes(const Call<T>& call, Stream stream, const PassClock& clock) = 0;
    virtual void run_from_modes(const Call<T>& call, Stream stream, const PassClock& clock) = 0;
};

}  // namespace poisson3d::device
