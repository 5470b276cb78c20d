#include "matrix_axes.hpp"

#include <algorithm>

#include "axis_kind.hpp"
#include "chain_modes.hpp"
#include "field_sweeps.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

template <class T>
MatrixAxes<T>::MatrixAxes(const Problem& problem, int eliminated) : labels_(problem.grid.labels) {
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        unknowns_[a] = axis_kind(axis).unknowns;
        if (a != eliminated && !has_fast_transform(axis)) axes_[a] = MatrixAxis{axis, unknowns_[a]};
    }
}

template <class T>
std::string MatrixAxes<T>::description() const {
    std::string text;
    for (int a = 0; a < 3; ++a)
        if (has(a)) text += std::string(", ") + labels_[a] + " as a matrix";
    return text;
}

template <class T>
void MatrixAxes<T>::reserve(device::WorkspaceLayout& layout) {
    Index work = 0;
    for (int a = 0; a < 3; ++a) {
        if (!has(a)) continue;
        const Index n = axes_[a]->unknowns;
        axes_[a]->offset = layout.take(static_cast<std::size_t>(n + 2 * n * n) * sizeof(T));
        work = std::max(work, slices_at_once(a) * slice_size(a));
    }
    if (work == 0) return;
    work_offset_ = layout.take(static_cast<std::size_t>(work) * sizeof(T));
    products_offset_ = layout.take(LineProducts::workspace_bytes);
}

template <class T>
void MatrixAxes<T>::upload(std::byte* workspace) {
    for (std::optional<MatrixAxis>& each : axes_) {
        if (!each) continue;
        const lines::ChainModes modes = lines::make_chain_modes(make_chain(each->axis));
        std::vector<T> numbers;
        for (const double mu : modes.eigenvalues) numbers.push_back(static_cast<T>(-mu));
        numbers.insert(numbers.end(), modes.forward.begin(), modes.forward.end());
        numbers.insert(numbers.end(), modes.backward.begin(), modes.backward.end());
        auto* const there = reinterpret_cast<T*>(workspace + each->offset);
        copy_to_device(there, numbers.data(), numbers.size() * sizeof(T));
        synchronize();
        each->eigenvalues = there;
        each->forward = there + each->unknowns;
        each->backward = each->forward + each->unknowns * each->unknowns;
        if (products_ == nullptr) products_ = std::make_unique<LineProducts>();
    }
    work_ = reinterpret_cast<T*>(workspace + work_offset_);
    if (products_ != nullptr) products_->bind(workspace + products_offset_);
}

/// Where the result takes the place of the lines, slices go by way of the work area, as many as find room there.
template <class T>
void MatrixAxes<T>::run(int axis, bool forward, const Fields& fields, Stream stream) const {
    const T* const matrix = forward ? axes_[axis]->forward : axes_[axis]->backward;
    const int across = slice_axis(axis);
    const bool in_place = fields.in.data == fields.out.data;
    const Index slices = unknowns_[across];
    const Index together = in_place ? slices_at_once(axis) : slices;
    for (Index b = 0; b < fields.count; ++b)
        for (Index first = 0; first < slices; first += together) {
            Extents extents = unknowns_;
            extents[across] = std::min(together, slices - first);
            const auto part = [&](const auto& view, Index next) {
                return std::decay_t<decltype(view)>(view.data + b * next + first * view.strides[across], extents,
                                                    view.strides);
            };
            const FieldView<const T> in = part(fields.in, fields.in_next);
            const FieldView<T> out = part(fields.out, fields.out_next);
            const FieldView<T> work(work_, extents);
            products_->launch(LineProduct<T>{matrix, axis, in, in_place ? work : out}, stream);
            if (!in_place) continue;
            device::RightHandSide<T> copy;
            copy.f = work;
            copy.out = out;
            launch_right_hand_side(copy, 1, stream);
        }
}

template <class T>
Index MatrixAxes<T>::slice_size(int axis) const {
    Index size = 1;
    for (int a = 0; a < 3; ++a)
        if (a != slice_axis(axis)) size *= unknowns_[a];
    return size;
}

/// What stays in the second-level cache, but one at least.
template <class T>
Index MatrixAxes<T>::slices_at_once(int axis) const {
    constexpr Index most = (Index{32} << 20) / static_cast<Index>(sizeof(T));
    return std::clamp<Index>(most / std::max<Index>(slice_size(axis), 1), 1,
                             std::max<Index>(unknowns_[slice_axis(axis)], 1));
}

template class MatrixAxes<float>;
template class MatrixAxes<double>;

}  // namespace poisson3d::fused
