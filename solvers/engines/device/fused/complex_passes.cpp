#include "complex_passes.hpp"

#include "padded_axis.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

template <class T>
ComplexPasses<T>::ComplexPasses(const Grid& grid, const Extents& unknowns, const BoxPasses<T, Compact>& passes,
                                bool early, bool planes)
    : grid_(grid), unknowns_(unknowns), passes_(&passes), plane_(plane_axes(grid)), early_(early) {
    const auto [a, b] = plane_;
    if (!grid_.axes[b].unbounded() || !is_complex(b) || !has_dft(a)) return;
    if (is_complex(a) && is_complex(2))
        which_ = ComplexLines::all;
    else if (grid_.axes[a].unbounded())
        which_ = ComplexLines::middle;
    const auto is_square = [&](int axis) {
        return grid_.axes[axis].unbounded() && passes_->unknowns(axis) == square_rows;
    };
    if (!planes || !all() || !is_square(a) || !is_square(b)) return;
    const auto plane = static_cast<std::size_t>(square_rows * unknowns_[b]) * sizeof(Complex<T>);
    const int ring = schedule().ring;
    if (static_cast<std::size_t>(ring) * plane <= cache_bytes()) ring_ = ring;
}

template <class T>
bool ComplexPasses<T>::has_dft(int a) const {
    return lines::padded_axis(grid_.axes[a]).periodic();
}
template <class T>
bool ComplexPasses<T>::is_complex(int a) const {
    return has_dft(a) && has_complex_passes(passes_->axis(a).tables()) && shape(a, 0).bytes <= max_shared();
}

template <class T>
BlockShape ComplexPasses<T>::shape(int a, Index beside) const {
    return complex_shape<T>(static_cast<int>(passes_->unknowns(a)), passes_->axis(a).plan().pitch, beside);
}
template <class T>
BlockShape ComplexPasses<T>::middle_shape(const SummedSymbol<T>& symbol) const {
    const Index beside = summed_symbol_numbers(symbol.rows, symbol.terms, symbol.rank, complex_count<T>);
    return middle_is_square() ? square_shape<square_radix(square_rows), T>(beside) : shape(plane_.b, beside);
}

template <class T>
bool ComplexPasses<T>::middle_is_square() const {
    const int b = plane_.b;
    return which_ != ComplexLines::none && grid_.axes[b].unbounded() && has_dft(b) &&
           passes_->unknowns(b) == square_rows;
}

template <class T>
void ComplexPasses<T>::reserve(WorkspaceLayout& layout, const SummedSymbol<T>& symbol) {
    if (middle_is_square())
        square_offset_ = layout.take((square_rows + square_radix(square_rows)) * sizeof(Complex<T>));
    if (ring_ == 0) return;
    counters_offset_ = layout.take(static_cast<std::size_t>(schedule().counters()) * sizeof(unsigned));
    sums_offset_ =
        layout.take(static_cast<std::size_t>(ring_ * Index{symbol.rows} * line_numbers(symbol)) * sizeof(T));
}
template <class T>
void ComplexPasses<T>::upload(std::byte* workspace) {
    if (!middle_is_square()) return;
    const std::vector<Complex<T>> twiddles = square_twiddles<T>(square_radix(square_rows));
    copy_to_device(workspace + square_offset_, twiddles.data(), twiddles.size() * sizeof(twiddles[0]));
    synchronize();
    square_ = reinterpret_cast<const Complex<T>*>(workspace + square_offset_);
    if (ring_ == 0) return;
    counters_ = reinterpret_cast<unsigned*>(workspace + counters_offset_);
    sums_ = reinterpret_cast<T*>(workspace + sums_offset_);
}

template <class T>
ComplexTask<T> ComplexPasses<T>::task(int axis, Index slow, Index lines) const {
    const AxisTables<T, Compact>& tables = passes_->axis(axis).tables();
    ComplexTask<T> task;
    task.pitch = tables.plan.pitch;
    task.samples = tables.samples.view;
    task.modes = tables.modes.view;
    task.fft = tables.plan.fft;
    task.slow = slow;
    task.lines = lines;
    if (axis == plane_.b) task.square = square_;
    return task;
}

template <class T>
void ComplexPasses<T>::launch(ComplexPass pass, const ComplexTask<T>& task, int axis, Stream stream) const {
    launch_complex_pass(pass, grid_.axes[axis].unbounded(), task, shape(axis, 0), early_, stream);
}

template <class T>
void ComplexPasses<T>::rows_there(const Call<T>& call, Index planes, const Unknowns<T>& modes,
                                  Stream stream) const {
    ComplexTask<T> rows = task(2, planes, unknowns_[1]);
    const Strides& f = call.f.strides;
    rows.in = call.f.data + BoxPasses<T, Compact>::first_unknown(call, f);
    rows.in_slow = f[0], rows.in_line = f[1];
    rows.out = modes.data, rows.out_slow = modes.strides[0], rows.out_line = modes.strides[1];
    rows.out_sample = modes.strides[2];
    rows.scale = static_cast<T>(call.scale);
    launch(ring_ > 0 ? ComplexPass::rows_there_turned : ComplexPass::rows_there, rows, 2, stream);
}
template <class T>
void ComplexPasses<T>::rows_back(const Call<T>& call, Index planes, const Unknowns<T>& modes, Stream stream) const {
    ComplexTask<T> rows = task(2, planes, unknowns_[1]);
    const Strides& u = call.u.strides;
    rows.in = modes.data, rows.in_slow = modes.strides[0], rows.in_line = modes.strides[1];
    rows.out = call.u.data + BoxPasses<T, Compact>::first_unknown(call, u);
    rows.out_slow = u[0], rows.out_line = u[1];
    rows.in_sample = modes.strides[2];
    launch(ring_ > 0 ? ComplexPass::rows_back_turned : ComplexPass::rows_back, rows, 2, stream);
}

template <class T>
ComplexTask<T> ComplexPasses<T>::columns_task(int axis, int across, Index slow, const Slab& slab,
                                              const Unknowns<T>& from, const Unknowns<T>& to) const {
    ComplexTask<T> columns = task(axis, slow, slab.count / 2);
    columns.in = from.data, columns.in_slow = from.strides[across], columns.in_sample = from.strides[axis];
    columns.out = to.data, columns.out_slow = to.strides[across], columns.out_sample = to.strides[axis];
    return columns;
}

template <class T>
void ComplexPasses<T>::columns(bool there, const Slab& slab, const Unknowns<T>& from, const Unknowns<T>& to,
                               Stream stream) const {
    const auto [a, b] = plane_;
    launch(there ? ComplexPass::columns_there : ComplexPass::columns_back,
           columns_task(a, b, unknowns_[b], slab, from, to), a, stream);
}

template <class T>
void ComplexPasses<T>::middle(const Call<T>& call, const SummedSymbol<T>& symbol, int groups, const Slab& slab,
                              const Unknowns<T>& planes, Stream stream) const {
    const auto [a, b] = plane_;
    ComplexTask<T> lines = columns_task(b, a, passes_->unknowns(a), slab, planes, planes);
    SummedSymbol<T> of_slab = symbol;
    if (all()) {
        lines.factor = mode_factor(call);
        of_slab.first_line = slab.first / 2;
    } else {
        lines.factor = static_cast<T>(passes_->mode_factor(call) * passes_->axis(b).round_trip() / length(b));
        lines.lines = slab.count;
        of_slab.first_line = slab.first;
    }
    launch_complex_symbol(!all(), lines, of_slab, groups, middle_shape(symbol), early_, stream);
}

template <class T>
T ComplexPasses<T>::mode_factor(const Call<T>& call) const {
    // Modes of z are twice what the DFT has.
    return static_cast<T>(call.restore / (2 * length(0) * length(1) * length(2)));
}

template <class T>
PlaneSchedule ComplexPasses<T>::schedule() const {
    return plane_schedule<square_radix(square_rows), T>(static_cast<int>(row() / 2));
}

template <class T>
void ComplexPasses<T>::planes(const Call<T>& call, const SummedSymbol<T>& symbol, T* modes, T* ring,
                              Stream stream) const {
    PlaneTask<T> task;
    task.schedule = schedule();
    task.modes = reinterpret_cast<Complex<T>*>(modes);
    task.ring = reinterpret_cast<Complex<T>*>(ring);
    task.sums = sums_;
    task.counters = counters_;
    task.twiddles = square_;
    task.row = static_cast<int>(unknowns_[plane_.b]);
    task.plane = unknowns_[plane_.a] * task.row;
    task.factor = mode_factor(call);
    launch_planes<square_radix(square_rows)>(task, symbol, stream);
}

template class ComplexPasses<float>;
template class ComplexPasses<double>;

}  // namespace poisson3d::fused
