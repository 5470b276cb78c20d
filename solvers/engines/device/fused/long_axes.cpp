#include "long_axes.hpp"

#include <algorithm>
#include <utility>

namespace poisson3d::fused {

template <class T>
bool LongAxes<T>::possible(const Axis& axis) {
    return has_tables<Plain>(axis, LineMethod::whole_ffts) && LongFft<T>::has(line_ffts<Plain>(axis).length);
}

template <class T>
LongAxes<T>::LongAxis::LongAxis(const Axis& of, Discretization discretization)
    : axis(of, discretization, LineMethod::whole_ffts, &phase_shape<T>), fft(axis.plan().length) {}

template <class T>
Index LongAxes<T>::LongAxis::line_elements(Index number) const {
    constexpr Index aligned = WorkspaceLayout::alignment / (2 * sizeof(T));
    return (number * count * axis.plan().pitch + aligned - 1) / aligned * aligned;
}

template <class T>
Index LongAxes<T>::LongAxis::elements(Index number) const {
    return line_elements(number) + number * count * axis.plan().count * fft.work();
}

template <class T>
void LongAxes<T>::LongAxis::fill(Index most) {
    while (count > 1 && elements(1) > most) count /= 2;
    const Index all = slow * ((lines + 2 * count - 1) / (2 * count));
    const Index fit = std::max<Index>(1, most / elements(1));
    const Index ranges = std::max<Index>(1, (all + fit - 1) / fit);
    blocks = std::max<Index>(1, (all + ranges - 1) / ranges);
}

template <class T>
LongAxes<T>::LongAxes(const Problem& problem, const std::array<bool, 3>& long_ones) : labels_(problem.grid.labels) {
    const auto unknowns = [&](int a) { return axis_kind(problem.grid.axes[a]).unknowns; };
    for (int a = 0; a < 3; ++a) {
        if (!long_ones[a]) continue;
        LongAxis& axis = axes_[a].emplace(problem.grid.axes[a], problem.discretization);
        const Permutation order = order_in_place(a);
        axis.slow = unknowns(order[0]);
        axis.lines = unknowns(order[1]);
        constexpr int run = 128 / static_cast<int>(2 * sizeof(T));  // of columns, in complex lines
        while (layout(a) == Layout::columns && axis.count < run && 2 * axis.count < axis.lines) axis.count *= 2;
    }
}

template <class T>
std::size_t LongAxes<T>::fill(std::size_t bytes) {
    Index elements = 0;
    for (auto& axis : axes_) {
        if (!axis) continue;
        axis->fill(static_cast<Index>(bytes / (2 * sizeof(T))));
        elements = std::max(elements, axis->elements(axis->blocks));
    }
    return static_cast<std::size_t>(elements) * 2 * sizeof(T);
}

template <class T>
void LongAxes<T>::set_room(std::size_t spare, std::size_t room) {
    in_spare_ = spare >= room;
    bytes_ = fill(std::max(spare, room));
    if (!in_spare_ || bytes_ <= spare) return;
    in_spare_ = false;
    bytes_ = fill(room);
}

template <class T>
std::string LongAxes<T>::description() const {
    std::string text;
    for (int a = 0; a < 3; ++a)
        if (has(a)) text += std::string(", ") + labels_[a] + " in two steps";
    return text;
}

template <class T>
double LongAxes<T>::round_trip() const {
    double product = 1;
    for (const auto& axis : axes_)
        if (axis) product *= axis->axis.round_trip();
    return product;
}

template <class T>
void LongAxes<T>::reserve(WorkspaceLayout& layout) {
    for (auto& axis : axes_) {
        if (!axis) continue;
        axis->axis.reserve(layout);
        axis->fft.reserve(layout);
    }
    offset_ = in_spare_ ? 0 : layout.take(bytes_);
}

template <class T>
void LongAxes<T>::upload(std::byte* workspace, std::byte* spare) {
    for (auto& axis : axes_) {
        if (!axis) continue;
        axis->axis.upload(workspace);
        axis->fft.upload(workspace);
    }
    area_ = reinterpret_cast<Complex<T>*>((in_spare_ ? spare : workspace) + offset_);
}

template <class T>
PhaseTask<T> LongAxes<T>::task(int axis, Direction direction, const PassTask<T, Compact>& pass) const {
    const LongAxis& lines = *axes_[axis];
    PhaseTask<T> task = lines.axis.task(direction, pass.slow, pass.lines);
    const Complex<T>* const eigenvalues = task.lambda_line;
    static_cast<PassFields<T>&>(task) = pass;
    task.lambda_line = eigenvalues;
    task.count = lines.count;
    task.shift = 0;
    while (1 << task.shift < task.count) ++task.shift;
    task.multiply = pass.multiply;
    task.below = pass.below;
    task.above = pass.above;
    task.samples = pass.samples;
    return task;
}

template <class T>
void LongAxes<T>::run(int axis, Role role, const PhaseTask<T>& task, Stream stream) const {
    const LongAxis& of = *axes_[axis];
    const Layout how = layout(axis);
    const Index all = chunks(task) * task.slow;
    for (Index first = 0; first < all; first += of.blocks) {
        const BlockRange range{first, std::min(of.blocks, all - first)};
        const Index ffts = range.count * task.count * of.axis.plan().count;
        Complex<T>*lines = area_, *work = area_ + of.line_elements(of.blocks);
        const auto transform = [&] {
            if (Complex<T>* const result = of.fft.run(ffts, lines, work, stream); result == work)
                std::swap(lines, work);
        };
        launch_phase(Phase::load, role, how, task, range, lines, stream);
        transform();
        if (role == Role::middle) {
            launch_phase(Phase::modes, role, how, task, range, lines, stream);
            transform();
        }
        launch_phase(Phase::store, role, how, task, range, lines, stream);
    }
}

template class LongAxes<float>;
template class LongAxes<double>;

}  // namespace poisson3d::fused
