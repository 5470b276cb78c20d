#include "fused_axis.hpp"

#include <algorithm>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
cufft::AxisTables<T> tables_of(const Axis& axis, Discretization discretization) {
    constexpr int levels = 2;  // of three, orbits of 16 take too many registers: 16.2 copies against 15 for 513³
    return cufft::make_axis_tables<T>(axis, discretization, cufft::Listing::by_sample, levels);
}

/// Threads along a line of so many orbits.
template <class T>
int along(const PassOrbits<T>& orbits) {
    return (orbits.count + 31) / 32 * 32;
}

}  // namespace

template <class T>
FusedAxis<T>::FusedAxis(const Axis& axis, Discretization discretization, bool middle)
    : FusedAxis(tables_of<T>(axis, discretization), middle) {}

template <class T>
FusedAxis<T>::FusedAxis(const cufft::AxisTables<T>& tables, bool middle)
    : kind_(tables.kind), plan_(make_fft_plan<T>(tables.ffts, tables.rows)), eigenvalues_(tables.eigenvalues) {
    for (const cufft::FftBlock& block : tables.ffts) positions_ += block.length * block.count;
    const Places* const natural = &plan_.natural;
    const Places* const reversed = &plan_.reversed;
    forward_pre_ = make_pass_orbits(tables.forward_pre, nullptr, natural, tables.mirror, Side::samples_in);
    forward_post_ = make_pass_orbits(tables.forward_post, reversed, nullptr, {}, Side::modes_out);
    backward_pre_ =
        make_pass_orbits(tables.backward_pre, nullptr, middle ? reversed : natural, tables.mirror, Side::modes_in);
    backward_post_ =
        make_pass_orbits(tables.backward_post, middle ? natural : reversed, nullptr, {}, Side::samples_out);
    if ((forward_post_.head.mix == Mix::combine) != (backward_pre_.head.mix == Mix::split))
        throw Error(ErrorCode::internal, "a transform and its inverse mix different pairs of modes");
}

template <class T>
bool FusedAxis<T>::supports(const Axis& axis) {
    const cufft::AxisTables<T> tables = tables_of<T>(axis, Discretization::second_order);
    if (!std::all_of(tables.ffts.begin(), tables.ffts.end(),
                     [](const auto& block) { return has_radices(block.length); }))
        return false;
    if (tables.rows >= nowhere / 2 || tables.kind.unknowns >= nowhere) return false;
    return block_shape<T>(make_fft_plan<T>(tables.ffts, tables.rows).pitch, tables.rows, 2).bytes <= most_shared();
}

/// visit(host array, where its device address goes), in the order in which they lie.
template <class T>
template <class Visit>
void FusedAxis<T>::for_each_array(const Visit& visit) {
    for (PassOrbitTable<T>* table : {&forward_pre_, &forward_post_, &backward_pre_, &backward_post_}) {
        visit(table->words, table->head.words);
        visit(table->alpha, table->head.alpha);
    }
    visit(plan_.words, plan_.fft.words);
    visit(plan_.twiddles, plan_.fft.twiddles);
    visit(eigenvalues_, eigenvalues_on_device_);
}

template <class T>
void FusedAxis<T>::reserve(cufft::Carver& carver) {
    cufft::Carver inside;
    for_each_array([&](const auto& array, auto&) { inside.take(array.size() * sizeof(array[0])); });
    offset_ = carver.take(inside.end());
}

template <class T>
void FusedAxis<T>::upload(std::byte* workspace) {
    cufft::Carver inside;
    for_each_array([&](const auto& array, auto& address) {
        const std::size_t bytes = array.size() * sizeof(array[0]);
        std::byte* const place = workspace + offset_ + inside.take(bytes);
        copy_to_device(place, array.data(), bytes);
        address = reinterpret_cast<decltype(address + 0)>(place);
    });
}

template <class T>
PassTask<T> FusedAxis<T>::task(Index slow, Index lines, const PassOrbits<T>& pre, const PassOrbits<T>& post) const {
    PassTask<T> task;
    task.slow = slow;
    task.lines = lines;
    task.count = shape(lines).count;
    task.pitch = plan_.pitch;
    task.fft = plan_.fft;
    task.pre = pre;
    task.post = post;
    task.along_load = along(pre);
    task.along_store = along(post);
    return task;
}

template <class T>
PassTask<T> FusedAxis<T>::forward(Index slow, Index lines) const {
    return task(slow, lines, forward_pre_.head, forward_post_.head);
}

template <class T>
PassTask<T> FusedAxis<T>::backward(Index slow, Index lines) const {
    return task(slow, lines, backward_pre_.head, backward_post_.head);
}

template <class T>
PassTask<T> FusedAxis<T>::both(Index slow, Index lines) const {
    PassTask<T> result = task(slow, lines, forward_pre_.head, backward_post_.head);
    result.mode_post = forward_post_.head;
    result.mode_pre = backward_pre_.head;
    result.along_modes = along(result.mode_post);
    return result;
}

template class FusedAxis<float>;
template class FusedAxis<double>;

}  // namespace poisson3d::fused
