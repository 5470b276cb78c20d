#include "matrix_axes.hpp"

#include <algorithm>

#include "axis_kind.hpp"
#include "field_sweeps.hpp"
#include "line_modes.hpp"
#include "poisson3d/device_memory.hpp"
#include "wave_matrix.hpp"

namespace poisson3d::fused {

namespace {

bool same_modes(const Axis& one, Axis other) {
    other.origin = one.origin;
    return one == other;
}

}  // namespace

template <class T>
MatrixAxes<T>::MatrixAxes(const Problem& problem, const std::array<lines::LineMethod, 3>& methods)
    : labels_(problem.grid.labels) {
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        unknowns_[a] = axis_kind(axis).unknowns;
        if (methods[a] != lines::LineMethod::matrix) continue;
        MatrixAxis& mine = axes_[a].emplace();
        mine.axis = axis;
        mine.forward = line_matrix(axis, true);
        mine.backward = line_matrix(axis, false);
        for (int b = a - 1; b >= 0; --b)
            if (has(b) && same_modes(axis, axes_[b]->axis)) mine.like = b;
        if (!mine.like && has_fast_transform(axis)) mine.waves = lines::make_wave_tables(axis);
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
        if (!axes_[a]->like) {
            axes_[a]->eigenvalues_offset = layout.take(static_cast<std::size_t>(unknowns_[a]) * sizeof(T));
            axes_[a]->offset = layout.take(
                static_cast<std::size_t>(axes_[a]->forward.size() + axes_[a]->backward.size()) * sizeof(double));
            if (const auto& waves = axes_[a]->waves) {
                axes_[a]->values_offset = layout.take(waves->values.size() * sizeof(double));
                axes_[a]->weights_offset = layout.take(waves->weights.size() * sizeof(double));
                axes_[a]->modes_offset = layout.take(waves->modes.size() * sizeof(lines::ModeWave));
            }
        }
        work = std::max(work, slices_at_once(a) * slice_size(a));
    }
    if (work > 0) work_offset_ = layout.take(static_cast<std::size_t>(work) * sizeof(T));
}

template <class T>
void MatrixAxes<T>::upload(std::byte* workspace) {
    const auto copy = [&](const auto& numbers, std::size_t offset) {
        using Number = typename std::decay_t<decltype(numbers)>::value_type;
        copy_to_device(workspace + offset, numbers.data(), numbers.size() * sizeof(Number));
        synchronize();
        return reinterpret_cast<const Number*>(workspace + offset);
    };
    for (std::optional<MatrixAxis>& each : axes_) {
        if (!each) continue;
        if (each->like) {
            const MatrixAxis& other = *axes_[*each->like];
            each->eigenvalues = other.eigenvalues;
            each->forward.data = other.forward.data;
            each->backward.data = other.backward.data;
            continue;
        }
        auto* const elements = reinterpret_cast<double*>(workspace + each->offset);
        each->forward.data = elements;
        each->backward.data = elements + each->forward.size();
        const std::size_t back_offset =
            each->offset + static_cast<std::size_t>(each->forward.size()) * sizeof(double);
        const auto copy_eigenvalues = [&](const std::vector<double>& values) {
            each->eigenvalues = copy(std::vector<T>(values.begin(), values.end()), each->eigenvalues_offset);
        };
        if (each->waves) {
            const lines::WaveTables& tables = *each->waves;
            const lines::WaveMatrix waves{copy(tables.values, each->values_offset),
                                          copy(tables.weights, each->weights_offset),
                                          copy(tables.modes, each->modes_offset), tables.period};
            launch_wave_matrix(each->forward, waves, true, elements, {});
            launch_wave_matrix(each->backward, waves, false, elements + each->forward.size(), {});
            copy_eigenvalues(tables.eigenvalues);
            continue;
        }
        ThreadTeam team(std::min<int>(available_threads(), static_cast<int>(each->forward.unknowns / 32) + 1));
        const lines::LineModes modes = lines::make_line_modes(each->axis, &team);
        copy_eigenvalues(modes.eigenvalues);
        copy(tiled(each->forward, modes.forward, &team), each->offset);
        copy(tiled(each->backward, modes.backward, &team), back_offset);
    }
    work_ = reinterpret_cast<T*>(workspace + work_offset_);
}

/// Where the result takes the place of the lines, slices go by way of the work area, as many as find room there.
template <class T>
void MatrixAxes<T>::run(int axis, bool forward, const Fields& fields, Stream stream) const {
    LineProduct<T> product;
    product.matrix = forward ? axes_[axis]->forward : axes_[axis]->backward;
    product.axis = axis;
    product.scale = fields.scale;
    const int across = slice_axis(axis);
    if (fields.in.data != fields.out.data) {
        product.in = fields.in;
        product.out = fields.out;
        product.fields = fields.count;
        product.in_next = fields.in_next;
        product.out_next = fields.out_next;
        return launch_line_product(product, stream);
    }
    const Index slices = unknowns_[across];
    const Index together = slices_at_once(axis);
    for (Index b = 0; b < fields.count; ++b)
        for (Index first = 0; first < slices; first += together) {
            Extents extents = unknowns_;
            extents[across] = std::min(together, slices - first);
            const Index offset = b * fields.out_next + first * fields.out.strides[across];
            const FieldView<T> lines_there(fields.out.data + offset, extents, fields.out.strides);
            const FieldView<T> work(work_, extents);
            product.in = lines_there;
            product.out = work;
            launch_line_product(product, stream);
            device::RightHandSide<T> copy;
            copy.f = work;
            copy.out = lines_there;
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
