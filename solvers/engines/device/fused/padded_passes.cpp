#include "padded_passes.hpp"

#include <bit>

#include "fused_shape.hpp"
#include "launch_pass.hpp"
#include "padded_lines.hpp"
#include "padded_pass.hpp"

namespace poisson3d::fused {

namespace {

Extents unknowns_of(const Grid& grid) {
    return {axis_kind(grid.axes[0]).unknowns, axis_kind(grid.axes[1]).unknowns, axis_kind(grid.axes[2]).unknowns};
}

/// Where the lines of a pass lie; columns come in twos, since rows are even.
template <class T>
void read_from(Task<T>& task, const Unknowns<T>& from, const Pass& pass) {
    const auto [slow, line] = across_lines_of(pass);
    task.in = from.data;
    task.in_slow = from.strides[slow], task.in_line = from.strides[line];
    task.in_sample = from.strides[pass.axis()];
    task.vectors_in = pass.axis() != 2;
}
template <class T>
void write_to(Task<T>& task, const Unknowns<T>& to, const Pass& pass) {
    const auto [slow, line] = across_lines_of(pass);
    task.out = to.data;
    task.out_slow = to.strides[slow], task.out_line = to.strides[line];
    task.out_sample = to.strides[pass.axis()];
    task.vectors_out = pass.axis() != 2;
}

}  // namespace

template <class T>
PaddedPasses<T>::PaddedPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, bool radix8,
                              bool planes)
    : grid_(problem.grid),
      radix8_(radix8),
      unknowns_(unknowns_of(grid_)),
      plane_(plane_axes(grid_)),
      schedule_(make_schedule_in_place(plane_.b)),
      early_(may_launch_early()),
      passes_(problem, methods, &block_shape<T>, 1),
      complex_(grid_, unknowns_, passes_, early_, planes && radix8),
      symbol_(problem, passes_, ring() > 0 ? 2 : plane_.a, ring() > 0 ? plane_.a : 2, plane_.b,
              has(ComplexLines::middle)) {
    const DeviceAxis<T, Compact>& b = passes_.axis(plane_.b);
    shape_ = has(ComplexLines::middle)
                 ? complex_.middle_shape(symbol_.symbol())
                 : symbol_shape(b.shape(passes_.unknowns(2)).count, b.plan().pitch, max_items(b.tables()),
                                symbol_.symbol().rows, sizeof(T), max_shared());
    if (has(ComplexLines::middle) && shape_.bytes > max_shared()) {
        symbol_.drop_tail();
        shape_ = complex_.middle_shape(symbol_.symbol());
    }
}

template <class T>
bool PaddedPasses<T>::fits() const {
    for (int a = 0; a < 3; ++a)
        if (passes_.axis(a).shape(1).bytes > max_shared()) return false;
    return shape_.bytes <= max_shared();
}

template <class T>
void PaddedPasses<T>::reserve(WorkspaceLayout& layout) {
    passes_.reserve(layout);
    symbol_.reserve(layout);
    complex_.reserve(layout, symbol_.symbol());
}

template <class T>
void PaddedPasses<T>::bind(std::byte* workspace) {
    passes_.bind(workspace);
    symbol_.upload(workspace);
    complex_.upload(workspace);
}

template <class T>
bool PaddedPasses<T>::has_kernels(const DeviceAxis<T, Compact>& axis) const {
    return radix8_ && has_padded_kernels(axis.tables());
}

template <class T>
void PaddedPasses<T>::launch(Role role, const Task<T>& task, const Pass& pass, Stream stream) const {
    const auto [slow, line] = across_lines_of(pass);
    const DeviceAxis<T, Compact>& axis = passes_.axis(pass.axis());
    const BlockShape shape = axis.shape(passes_.unknowns(line));
    if (role != Role::first_with_data && has_kernels(axis))
        launch_padded_pass(role, task, shape, all_blocks(task, early_), stream);
    else
        launch_general_pass(role, Movement::in_place, task, shape, all_blocks(task, early_), stream);
}

template <class T>
void PaddedPasses<T>::rows_there(const Call<T>& call, Index planes, const Unknowns<T>& modes, Removed* removed,
                                 Stream stream) const {
    if (has(ComplexLines::all)) return complex_.rows_there(call, planes, modes, stream);
    const Pass& pass = schedule_[0];
    Task<T> task = passes_.task(pass, call, removed);
    task.slow = planes, task.lines = unknowns_[1];
    write_to(task, modes, pass);
    task.vectors_out = task.out_map.in_twos();
    launch(BoxPasses<T, Compact>::role(pass, call), task, pass, stream);
}

template <class T>
void PaddedPasses<T>::rows_back(const Call<T>& call, Index planes, const Unknowns<T>& modes, Stream stream) const {
    if (has(ComplexLines::all)) return complex_.rows_back(call, planes, modes, stream);
    const Pass& pass = schedule_[4];
    Task<T> task = passes_.task(pass, call, nullptr);
    task.slow = planes, task.lines = unknowns_[1];
    task.samples = unknowns_[2];
    read_from(task, modes, pass);
    task.vectors_in = task.in_map.neighbours;
    launch(Role::last, task, pass, stream);
}

template <class T>
void PaddedPasses<T>::columns(const Call<T>& call, const Slab& slab, const Unknowns<T>& modes,
                              const Unknowns<T>& planes, Stream stream) const {
    along_a(true, call, slab, modes, planes, stream);
    along_b(call, slab, planes, stream);
    along_a(false, call, slab, planes, modes, stream);
}

template <class T>
void PaddedPasses<T>::along_a(bool forward, const Call<T>& call, const Slab& slab, const Unknowns<T>& from,
                              const Unknowns<T>& to, Stream stream) const {
    if (has(ComplexLines::all)) return complex_.columns(forward, slab, from, to, stream);
    const Pass& pass = schedule_[forward ? 1 : 3];
    Task<T> task = passes_.task(pass, call, nullptr);
    task.fields = 1;
    task.slow = unknowns_[plane_.b];
    task.lines = slab.count;
    read_from(task, from, pass);
    write_to(task, to, pass);
    launch(forward ? Role::forward : Role::backward, task, pass, stream);
}

template <class T>
void PaddedPasses<T>::along_b(const Call<T>& call, const Slab& slab, const Unknowns<T>& planes,
                              Stream stream) const {
    if (has(ComplexLines::middle))
        return complex_.middle(call, symbol_.symbol(), symbol_.groups(), slab, planes, stream);
    const Pass& pass = schedule_[2];
    Task<T> task = passes_.axis(pass.axis()).task(Direction::both, passes_.unknowns(plane_.a), slab.count);
    task.count = shape_.count;
    task.shift = std::bit_width(static_cast<unsigned>(shape_.count)) - 1;
    task.factor = passes_.mode_factor(call);
    read_from(task, planes, pass);
    write_to(task, planes, pass);
    Symbol<T> symbol = symbol_.symbol();
    symbol.first_line = slab.first;
    if (has_kernels(passes_.axis(pass.axis())))
        launch_padded_symbol(task, symbol, symbol_.groups(), shape_, early_, stream);
    else
        launch_symbol_pass(task, symbol, symbol_.groups(), shape_, early_, stream);
}

template <class T>
std::unique_ptr<PaddedPasses<T>> make_padded_passes(const Problem& problem, bool radix8, bool planes) {
    const auto methods = padded_methods<T>(problem);
    if (!methods) return nullptr;
    auto passes = std::make_unique<PaddedPasses<T>>(problem, *methods, radix8, planes);
    if (radix8 && !passes->fits()) passes = std::make_unique<PaddedPasses<T>>(problem, *methods, false, false);
    if (!passes->fits()) return nullptr;
    return passes;
}

template class PaddedPasses<float>;
template class PaddedPasses<double>;
template std::unique_ptr<PaddedPasses<float>> make_padded_passes(const Problem&, bool, bool);
template std::unique_ptr<PaddedPasses<double>> make_padded_passes(const Problem&, bool, bool);

}  // namespace poisson3d::fused
