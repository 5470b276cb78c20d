#include "line_batches.hpp"

#include <algorithm>

namespace poisson3d::fused {

template <class T>
LineBatches<T>::LineBatches(const FftPlan<T>& plan, int count, Index blocks, const BatchRoom& room)
    : block_(static_cast<Index>(count) * plan.pitch), ffts_(static_cast<Index>(count) * plan.count) {
    const Index fit = std::max<Index>(1, static_cast<Index>(room.lines / (2 * sizeof(T))) / block_);
    const Index ranges = (blocks + fit - 1) / fit;
    blocks_ = (blocks + ranges - 1) / ranges;
    fft_.emplace(plan.length, plan.length, blocks_ * ffts_, room.fft);
}

template <class T>
void LineBatches<T>::bind(std::byte* fft) {
    fft_->set_work(fft);
}

template <class T>
void LineBatches<T>::run(const Phases& phases, const PassTask<T>& task, int threads, const BlockRange& range,
                         Complex<T>* lines, Stream stream) const {
    const Index end = range.first + range.count;
    for (Index first = range.first; first < end;) {
        const Index at = first % blocks_;  // its place, the same whatever range is asked for
        const BlockRange part{first, std::min(blocks_ - at, end - first)};
        Complex<T>* const part_lines = lines + at * block_;
        const auto transform = [&] { fft_->execute(lines, at * ffts_, part.count * ffts_, stream); };
        launch_phase(Phase::load, phases.load, task, threads, part, part_lines, stream);
        transform();
        if (phases.modes) {
            launch_phase(Phase::modes, Role::middle, task, threads, part, part_lines, stream);
            transform();
        }
        launch_phase(Phase::store, phases.store, task, threads, part, part_lines, stream);
        first += part.count;
    }
}

template class LineBatches<float>;
template class LineBatches<double>;

}  // namespace poisson3d::fused
