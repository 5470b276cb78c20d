// An axis of the fused engine: the orbit tables of the cufft engine, with positions as they lie in shared memory,
// and the FFTs of its lines.
#pragma once

#include <algorithm>
#include <vector>

#include "device_axis.hpp"
#include "fft_plan.hpp"
#include "launch.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

/// `middle`: the axis of pass 3, whose transform back starts where the transform there ended.
template <class T>
class FusedAxis {
public:
    FusedAxis(const Axis& axis, Discretization discretization, bool middle)
        : FusedAxis(cufft::make_axis_tables<T>(axis, discretization, cufft::Listing::by_sample), middle) {}

    /// Whether all FFTs of the axis have radices and two of its lines fit a block.
    [[nodiscard]] static bool supports(const Axis& axis) {
        const cufft::AxisTables<T> tables =
            cufft::make_axis_tables<T>(axis, Discretization::second_order, cufft::Listing::by_sample);
        const auto bytes = static_cast<std::size_t>(2 * (tables.rows + tables.rows / 7 + 2)) * 2 * sizeof(T);
        return bytes <= most_shared && std::all_of(tables.ffts.begin(), tables.ffts.end(),
                                                   [](const auto& block) { return has_radices(block.length); });
    }

    void reserve(cufft::Carver& carver) {
        device.reserve(carver);
        twiddles_offset_ = carver.take(plan_.twiddles.size() * sizeof(Complex<T>));
        reversed_offset_ = carver.take(plan_.reversed.size() * sizeof(std::int32_t));
    }
    void upload(std::byte* workspace) {
        device.upload(workspace);
        copy_to_device(workspace + twiddles_offset_, plan_.twiddles.data(),
                       plan_.twiddles.size() * sizeof(Complex<T>));
        copy_to_device(workspace + reversed_offset_, plan_.reversed.data(),
                       plan_.reversed.size() * sizeof(std::int32_t));
        plan_.fft.twiddles = reinterpret_cast<const Complex<T>*>(workspace + twiddles_offset_);
        reversed_ = reinterpret_cast<const std::int32_t*>(workspace + reversed_offset_);
    }

    [[nodiscard]] const AxisKind& kind() const { return device.tables.kind; }
    [[nodiscard]] Index unknowns() const { return kind().unknowns; }
    [[nodiscard]] BlockShape shape(Index lines) const {
        return block_shape<T>(plan_.pitch, device.tables.rows, lines);
    }

    /// What every pass along this axis has, with blocks for `lines` lines.
    [[nodiscard]] PassTask<T> task(Index slow, Index lines) const {
        PassTask<T> task;
        task.slow = slow;
        task.lines = lines;
        task.count = shape(lines).count;
        task.pitch = plan_.pitch;
        task.fft = plan_.fft;
        return task;
    }
    [[nodiscard]] PassTask<T> forward(Index slow, Index lines) const {
        PassTask<T> result = task(slow, lines);
        result.pre = device.forward_pre;
        result.post = device.forward_post;
        result.mirror = device.tables.mirror;
        result.along_load = along(result.pre);
        return result;
    }
    [[nodiscard]] PassTask<T> backward(Index slow, Index lines) const {
        PassTask<T> result = task(slow, lines);
        result.pre = device.backward_pre;
        result.post = device.backward_post;
        result.mirror = device.tables.mirror;
        result.along_load = along(result.pre);
        result.along_store = along(result.post);
        return result;
    }
    [[nodiscard]] PassTask<T> both(Index slow, Index lines) const {
        PassTask<T> result = forward(slow, lines);
        result.mode_post = device.forward_post;
        result.mode_pre = device.backward_pre;
        result.mode_mirror = device.tables.mirror;
        result.reversed = reversed_;
        result.post = device.backward_post;
        return result;
    }

    cufft::DeviceAxis<T> device;

private:
    FusedAxis(const cufft::AxisTables<T>& tables, bool middle)
        : FusedAxis(tables, make_fft_plan<T>(tables.ffts, tables.rows), middle) {}
    FusedAxis(const cufft::AxisTables<T>& tables, FftPlan<T> plan, bool middle)
        : device(found(tables, plan, middle)), plan_(std::move(plan)) {}

    /// Tables that say where modes and results are found after the FFTs.
    static cufft::AxisTables<T> found(cufft::AxisTables<T> tables, const FftPlan<T>& plan, bool middle) {
        const auto move = [](cufft::OrbitTable<T>& table, const std::vector<std::int32_t>& places) {
            for (std::int32_t& position : table.in)
                if (position >= 0) position = places[position];
        };
        move(tables.forward_post, plan.reversed);
        move(tables.backward_post, middle ? plan.natural : plan.reversed);
        return tables;
    }

    static int along(const cufft::Orbits<T>& orbits) { return (orbits.count + 31) / 32 * 32; }

    FftPlan<T> plan_;
    const std::int32_t* reversed_ = nullptr;
    std::size_t twiddles_offset_ = 0, reversed_offset_ = 0;
};

}  // namespace poisson3d::fused
