#include "complex_passes.hpp"

#include "padded_axis.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

template <class T>
ComplexPasses<T>::ComplexPasses(const Grid& grid, const Extents& unknowns, const BoxPasses<T, Compact>& passes,
                                bool early)
    : grid_(grid), unknowns_(unknowns), passes_(&passes), plane_(plane_axes(grid)), early_(early) {
    const auto [a, b] = plane_;
    if (!grid_.axes[b].unbounded() || !is_complex(b) || !has_dft(a)) return;
    if (is_complex(a) && is_complex(2))
        which_ = ComplexLines::all;
    else if (grid_.axes[a].unbounded())
        which_ = ComplexLines::middle;
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
    const int b = plane_.b;
    const Index beside = summed_symbol_numbers(symbol.rows, symbol.terms, symbol.rank, complex_count<T>);
    return is_square(b) ? square_shape<square_radix(square_rows), T>(beside) : shape(b, beside);
}

template <class T>
bool ComplexPasses<T>::is_square(int a) const {
    return which_ != ComplexLines::none && grid_.axes[a].unbounded() && has_dft(a) &&
           passes_->unknowns(a) == square_rows;
}
template <class T>
bool ComplexPasses<T>::joins() const {
    return joins_columns<T> && all() && is_square(plane_.a) && is_square(plane_.b);
}

template <class T>
void ComplexPasses<T>::reserve(WorkspaceLayout& layout) {
    if (is_square(plane_.b)) square_offset_ = layout.take(square_rows * sizeof(Complex<T>));
}
template <class T>
void ComplexPasses<T>::upload(std::byte* workspace) {
    if (!is_square(plane_.b)) return;
    const std::vector<Complex<T>> twiddles = square_twiddles<T>(square_radix(square_rows));
    copy_to_device(workspace + square_offset_, twiddles.data(), twiddles.size() * sizeof(twiddles[0]));
    synchronize();
    square_ = reinterpret_cast<const Complex<T>*>(workspace + square_offset_);
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
    task.square = square_;
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
    rows.scale = static_cast<T>(call.scale);
    launch(ComplexPass::rows_there, rows, 2, stream);
}
template <class T>
void ComplexPasses<T>::rows_back(const Call<T>& call, Index planes, const Unknowns<T>& modes, Stream stream) const {
    ComplexTask<T> rows = task(2, planes, unknowns_[1]);
    const Strides& u = call.u.strides;
    rows.in = modes.data, rows.in_slow = modes.strides[0], rows.in_line = modes.strides[1];
    rows.out = call.u.data + BoxPasses<T, Compact>::first_unknown(call, u);
    rows.out_slow = u[0], rows.out_line = u[1];
    launch(ComplexPass::rows_back, rows, 2, stream);
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
ComplexTask<T> ComplexPasses<T>::task(bool there, const SlabFields<T>& of) const {
    const auto [a, b] = plane_;
    return columns_task(a, b, unknowns_[b], of.slab, there ? of.modes : of.planes, there ? of.planes : of.modes);
}
template <class T>
ComplexTask<T> ComplexPasses<T>::middle_task(const Call<T>& call, const SlabFields<T>& of) const {
    const auto [a, b] = plane_;
    ComplexTask<T> lines = columns_task(b, a, passes_->unknowns(a), of.slab, of.planes, of.planes);
    if (all()) {
        // Modes of z are twice what the DFT has.
        lines.factor = static_cast<T>(call.restore / (2 * length(0) * length(1) * length(2)));
    } else {
        lines.factor = static_cast<T>(passes_->mode_factor(call) * passes_->axis(b).round_trip() / length(b));
        lines.lines = of.slab.count;
    }
    return lines;
}
template <class T>
SummedSymbol<T> ComplexPasses<T>::of_slab(SummedSymbol<T> symbol, Index first) const {
    symbol.first_line = all() ? first / 2 : first;
    return symbol;
}

template <class T>
void ComplexPasses<T>::columns(bool there, const SlabFields<T>& of, Stream stream) const {
    launch(there ? ComplexPass::columns_there : ComplexPass::columns_back, task(there, of), plane_.a, stream);
}

template <class T>
void ComplexPasses<T>::middle(const Call<T>& call, const SummedSymbol<T>& symbol, int groups,
                              const SlabFields<T>& of, Stream stream) const {
    launch_complex_symbol(!all(), middle_task(call, of), of_slab(symbol, of.slab.first), groups,
                          middle_shape(symbol), early_, stream);
}

template <class T>
void ComplexPasses<T>::joined(const Call<T>& call, const SummedSymbol<T>& symbol, int groups,
                              const SlabFields<T>& there, const SlabFields<T>& middle, const SlabFields<T>& back,
                              Stream stream) const {
    JoinedColumns<T> passes;
    if (back.slab.count > 0) passes.add(ColumnPass::back, task(false, back));
    if (middle.slab.count > 0) {
        passes.add(ColumnPass::middle, middle_task(call, middle));
        passes.task[passes.count - 1].slow = groups;
    }
    if (there.slab.count > 0) passes.add(ColumnPass::there, task(true, there));
    launch_joined_columns<square_rows>(passes, of_slab(symbol, middle.slab.first), middle_shape(symbol), early_,
                                       stream);
}

template class ComplexPasses<float>;
template class ComplexPasses<double>;

}  // namespace poisson3d::fused
