#include "long_axis.hpp"

#include <algorithm>

namespace poisson3d::fused {

template <class T>
bool LongAxis<T>::possible(const Axis& axis) {
    return has_tables<Plain>(axis, LineMethod::whole_ffts) && LongFft<T>::has(line_ffts<Plain>(axis).length);
}

template <class T>
LongAxis<T>::LongAxis(const Problem& problem, int axis, std::array<Index, 2> across, std::size_t spare,
                      std::size_t room)
    : axis_(problem.grid.axes[axis], problem.discretization, LineMethod::whole_ffts, &phase_shape<T>),
      fft_(axis_.plan().length) {
    const Index count = axis_.shape(across[1]).count;
    block_ = count * axis_.plan().pitch;
    const Index all = across[0] * ((across[1] + 2 * count - 1) / (2 * count));
    in_spare_ = spare >= room;
    const std::size_t area =
        (in_spare_ ? spare : room) / 2 / WorkspaceLayout::alignment * WorkspaceLayout::alignment;
    const Index fit = static_cast<Index>(area / (2 * sizeof(T))) / block_;
    in_spare_ = in_spare_ && fit > 0;
    const Index ranges = fit > 0 ? std::max<Index>(1, (all + fit - 1) / fit) : all;
    blocks_ = std::max<Index>(1, (all + ranges - 1) / ranges);
}

template <class T>
void LongAxis<T>::reserve(WorkspaceLayout& layout) {
    axis_.reserve(layout);
    fft_.reserve(layout);
    WorkspaceLayout spare;
    for (std::size_t& offset : offsets_) offset = (in_spare_ ? spare : layout).take(area_bytes());
}

template <class T>
void LongAxis<T>::upload(std::byte* workspace, std::byte* spare) {
    axis_.upload(workspace);
    fft_.upload(workspace);
    for (std::size_t i = 0; i < areas_.size(); ++i)
        areas_[i] = reinterpret_cast<Complex<T>*>((in_spare_ ? spare : workspace) + offsets_[i]);
}

template <class T>
PhaseTask<T> LongAxis<T>::task(const BoxPasses<T, Compact>& passes, const Pass& pass, const Call<T>& call,
                               typename Pipeline<T>::Removed* removed) const {
    const PassTask<T, Compact> modes = passes.task(pass, call, removed);
    PhaseTask<T> task = axis_.task(pass.direction, modes.slow, modes.lines);
    task.lambda_slow = modes.lambda_slow;
    task.lambda_lanes = modes.lambda_lanes;
    task.shift_by = modes.shift_by;
    task.factor = static_cast<T>(static_cast<double>(modes.factor) / axis_.round_trip());
    task.multiply = modes.multiply;
    task.removed = modes.removed;
    task.removed_field = modes.removed_field;
    return task;
}

template <class T>
void LongAxis<T>::run(const PhaseTask<T>& task, Stream stream) const {
    const Index all = chunks(task) * task.slow;
    const Index ffts = task.count * axis_.plan().count;
    for (Index first = 0; first < all; first += blocks_) {
        const BlockRange range{first, std::min(blocks_, all - first)};
        launch_phase(Phase::load, Role::middle, task, range, areas_[0], stream);
        fft_.run(range.count * ffts, areas_[0], areas_[1], stream);
        launch_phase(Phase::modes, Role::middle, task, range, areas_[1], stream);
        fft_.run(range.count * ffts, areas_[1], areas_[0], stream);
        launch_phase(Phase::store, Role::middle, task, range, areas_[0], stream);
    }
}

template class LongAxis<float>;
template class LongAxis<double>;

}  // namespace poisson3d::fused
