#include "line_batches.hpp"

#include <algorithm>

namespace poisson3d::cufft {

template <class T>
LineBatches<T>::LineBatches(const DeviceAxis<T, Plain>& axis, std::array<Index, 2> across, const BatchRoom& room) {
    const FftPlan<T, Plain>& plan = axis.plan();
    const Index count = axis.shape(across[0]).count;
    block_ = count * plan.pitch;
    ffts_ = count * plan.count;
    const auto all = [&](Index slow, Index lines) { return slow * ((lines + 2 * count - 1) / (2 * count)); };
    const Index blocks = std::max(all(across[0], across[1]), all(across[1], across[0]));
    const Index fit = std::max<Index>(1, static_cast<Index>(room.lines / (2 * sizeof(T))) / block_);
    const Index ranges = (blocks + fit - 1) / fit;
    blocks_ = (blocks + ranges - 1) / ranges;
    fft_.emplace(plan.length, plan.length, blocks_ * ffts_, room.fft);
}

template <class T>
void LineBatches<T>::bind(std::byte* lines, std::byte* fft) {
    lines_ = reinterpret_cast<Complex<T>*>(lines);
    fft_->set_work(fft);
}

template <class T>
void LineBatches<T>::run(Role role, const Task<T>& task, Stream stream) const {
    run(role, task, {0, chunks(task) * task.slow}, stream);
}

template <class T>
void LineBatches<T>::run_block(Role role, const Task<T>& task, Index slow, Index line, Stream stream) const {
    run(role, task, {slow * chunks(task) + line / (2 * task.count), 1}, stream);
}

template <class T>
void LineBatches<T>::run(Role role, const Task<T>& task, const BlockRange& range, Stream stream) const {
    const Index end = range.first + range.count;
    for (Index first = range.first; first < end;) {
        const Index at = first % blocks_;  // where its lines are, the same whatever range is asked for
        const BlockRange part{first, std::min(blocks_ - at, end - first)};
        Complex<T>* const lines = lines_ + at * block_;
        const auto transform = [&] { fft_->execute(lines_, at * ffts_, part.count * ffts_, stream); };
        launch_phase(Phase::load, role, Layout::rows, task, part, lines, stream);
        transform();
        if (role == Role::middle) {
            launch_phase(Phase::modes, role, Layout::rows, task, part, lines, stream);
            transform();
        }
        launch_phase(Phase::store, role, Layout::rows, task, part, lines, stream);
        first += part.count;
    }
}

template class LineBatches<float>;
template class LineBatches<double>;

}  // namespace poisson3d::cufft
