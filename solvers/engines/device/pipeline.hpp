// What a solve on the device is made of, apart from who owns the memory: a way through the five passes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine.hpp"
#include "middle_twice.hpp"
#include "mode_stop.hpp"
#include "pass_clock.hpp"
#include "poisson3d/field.hpp"
#include "typical_value.hpp"
#include "workspace.hpp"

namespace poisson3d::device {

template <class T>
class Pipeline {
public:
    virtual ~Pipeline() = default;
    Pipeline() = default;
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// What does the work, for the report.
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual Schedule schedule() const = 0;
    /// What run() marks the ends of, for the report: five passes, or fewer names where passes are interleaved.
    [[nodiscard]] virtual std::vector<std::string> parts(const std::array<char, 3>& labels) const {
        std::vector<std::string> names;
        int number = 0;
        for (const Pass& pass : schedule()) names.push_back(describe(pass, ++number, labels));
        return names;
    }
    /// Bytes of device memory bind() wants, exactly.
    [[nodiscard]] virtual std::size_t workspace_bytes() const noexcept = 0;
    /// Takes that memory, aligned to `alignment`, and fills in the tables. Synchronises.
    virtual void bind(std::byte* workspace) = 0;

    /// What is taken from the right-hand side of a singular problem.
    struct Removed {
        T mean;             ///< of the right-hand side (scaled, with boundary data) without the shift
        Constant<T> shift;  ///< was taken from f before it was scaled
    };

    /// The most fields of a call.
    [[nodiscard]] virtual Index fields_at_once() const noexcept { return 1; }
    /// The five passes from f to u, both on the device, as is all data of faces, and `removed`, one for each field:
    /// left alone where the problem is not singular, and shifts where there are none. Asynchronous; allocates
    /// nothing.
    virtual void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) = 0;

    /// What run() must find out first, from the same f: reads_twice() tells whether there is something. u is
    /// written.
    [[nodiscard]] virtual bool reads_twice() const noexcept { return false; }
    virtual void prepare(const Call<T>&, Removed*, Stream) {}

    /// This way again, if its middle pass can be done twice.
    [[nodiscard]] virtual MiddleTwice<T>* middle_twice() noexcept { return nullptr; }
    /// Or if it can stop between the two halves of that pass.
    [[nodiscard]] virtual ModeStop<T>* mode_stop() noexcept { return nullptr; }

    /// Fields inside the workspace that may be f and u of run(): where copies of host fields go. Null: no room.
    [[nodiscard]] virtual FieldView<T> staging() const noexcept = 0;
    [[nodiscard]] virtual FieldView<T> result_staging() const noexcept { return staging(); }
    /// Whether these are two fields of their own, so that the first is free when u is in the second.
    [[nodiscard]] virtual bool stages_apart() const noexcept { return false; }
    /// Where copies of their boundary data go: face_points elements. Null where staging() is, or without faces.
    [[nodiscard]] virtual T* face_staging() const noexcept = 0;
    /// On the device: values that the last call found on a free face, over its stored points. Null: none are.
    [[nodiscard]] virtual const T* face_values(Index, int, int) const noexcept { return nullptr; }
    /// Bytes read and written by each of the parts(), of one field.
    [[nodiscard]] virtual std::array<double, 5> traffic() const noexcept = 0;
    /// Whether u is used as scratch and must be dense.
    [[nodiscard]] virtual bool needs_dense_solution() const noexcept = 0;
    /// Whether u is written before all of f is read: they may be the same view, but not overlap otherwise.
    [[nodiscard]] virtual bool works_in_solution() const noexcept = 0;

    static constexpr std::size_t alignment = WorkspaceLayout::alignment;
};

/// Points of all faces that may carry data.
inline Index face_points(const Grid& grid) {
    Index points = 0;
    for (int a = 0; a < 3; ++a)
        if (!grid.axes[a].periodic()) points += 2 * grid.axes[(a + 1) % 3].points * grid.axes[(a + 2) % 3].points;
    return points;
}

/// Work areas of FFTs beside the fields: at most 64 MiB or 2 % of the field.
template <class T>
std::size_t max_work(const Problem& problem) {
    const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
    return std::max<std::size_t>(std::size_t{64} << 20, field / 50);
}

}  // namespace poisson3d::device
