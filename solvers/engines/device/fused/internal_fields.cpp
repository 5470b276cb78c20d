#include "internal_fields.hpp"

#include <algorithm>

namespace poisson3d::fused {

namespace {

constexpr Index padded(Index elements, Index multiple) {
    return (elements + multiple - 1) / multiple * multiple;
}

}  // namespace

template <class T>
Index fields_at_once(const Problem& problem, Memory memory, Index batch) {
    constexpr Index most = 65535;  // of a launch's third dimension
    // In mode low a field has nothing of its own but the block of lines that holds the gauge point.
    const Index each = memory == Memory::low ? 64 * problem.grid.axes[2].points : problem.grid.size();
    const Index together =
        memory == Memory::fast ? (Index{1} << 30) / static_cast<Index>(sizeof(T)) : spare_elements<T>(problem) / 2;
    const Index fit = std::clamp<Index>(together / each, 1, std::min(batch, most));
    const Index parts = (batch + fit - 1) / fit;
    return (batch + parts - 1) / parts;
}

template <class T>
InternalFields<T>::InternalFields(const Problem& problem, const Extents& unknowns, Memory memory,
                                  const FieldWay& way, Second second, Index fields)
    : unknowns_(unknowns), movement_(way.movement), longest_(way.longest), order_(way.order), fields_(fields) {
    const Index points = problem.grid.size();
    if (memory == Memory::standard && fields_ * size(identity_order) > points + spare_elements<T>(problem))
        row_multiple_ = 2;
    if (memory == Memory::low) return;
    for (const Pass& pass : way.schedule)
        if (pass.to != Buffer::output) {
            Internal& to = pass.to == Buffer::first ? first_ : second_;
            // Copies of host fields stand there.
            to.next = std::max({to.next, padded(points, row_multiple_), size(layout_after(pass))});
        }
    // Copies of host fields are turned on their way in and out.
    if ((second != Second::none && memory == Memory::fast) || movement_ == Movement::turned)
        second_.next = first_.next;
    area_ = second == Second::area && has_second();
}

template <class T>
void InternalFields<T>::reserve(WorkspaceLayout& layout) {
    for (Internal* field : {&first_, &second_})
        field->offset = layout.take(static_cast<std::size_t>(fields_ * field->next) * sizeof(T));
}

template <class T>
void InternalFields<T>::bind(std::byte* workspace) {
    for (Internal* field : {&first_, &second_})
        if (field->next > 0) field->data = reinterpret_cast<T*>(workspace + field->offset);
}

template <class T>
Unknowns<T> InternalFields<T>::unknowns(Buffer buffer, const Permutation& order, const Call<T>& call,
                                        Index first_unknown) const {
    const Internal& field = (buffer == Buffer::first) != swapped_ ? first_ : second_;
    if (movement_ == Movement::rotated) return {field.data, strides_by_axis(order), field.next};
    if (movement_ == Movement::turned) return {field.data, strides_by_axis(turned_order(longest_)), field.next};
    if (field.data != nullptr && field.data != call.u.data && buffer != Buffer::output)
        return {field.data, strides_by_axis(order_), field.next};
    return {call.u.data + first_unknown, call.u.strides, call.u_next};
}

template <class T>
bool InternalFields<T>::has_even_rows(const Unknowns<const T>& field, int slow, int line, int sample) const {
    const bool own = field.data == first_.data || field.data == second_.data;
    return (own || unknowns_[line] % 2 == 0) &&
           aligned(field.data, field.strides[slow], field.strides[sample], field.next);
}

template <class T>
Strides InternalFields<T>::strides_by_axis(const Permutation& order) const {
    Strides strides{};
    strides[order[2]] = 1;
    const Index row = unknowns_[order[2]];
    strides[order[1]] = padded(row, row < row_multiple_ ? 2 : row_multiple_);
    strides[order[0]] = unknowns_[order[1]] * strides[order[1]];
    return strides;
}

template class InternalFields<float>;
template class InternalFields<double>;
template Index fields_at_once<float>(const Problem&, Memory, Index);
template Index fields_at_once<double>(const Problem&, Memory, Index);

}  // namespace poisson3d::fused
