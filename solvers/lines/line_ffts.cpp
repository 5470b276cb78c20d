// Which FFTs the lines of an axis have, and whether there are tables for them.
#include <algorithm>

#include "axis_tables.hpp"
#include "chirp_tables.hpp"
#include "matrix_plan.hpp"
#include "symmetric_chirp.hpp"
#include "symmetric_chirp_tables.hpp"
#include "symmetric_radix.hpp"

namespace poisson3d::lines {

bool type_one(const AxisKind& kind) {
    return kind.forward == Transform::dct1 || kind.forward == Transform::dst1;
}

Index half_period(const AxisKind& kind) {
    return kind.forward == Transform::dst1 ? kind.unknowns + 1 : kind.unknowns - 1;
}

namespace {

bool even_type_four(const AxisKind& kind) {
    return (kind.forward == Transform::dct4 || kind.forward == Transform::dst4) && kind.unknowns % 2 == 0;
}

}  // namespace

template <class Format>
bool symmetric_chirp(const AxisKind& kind) {
    if (type_one(kind)) return true;
    if (!Format::few_twiddles || kind.forward == Transform::dft || kind.unknowns < 1) return false;
    return symmetric_convolution(kind.unknowns, chirped_radix<Format>).known();
}

template <class Format>
LineFfts line_ffts(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const bool one = type_one(kind);
    const int radix = one ? symmetric_radix<Format>(half_period(kind)) : 1;
    const Index count = one ? radix / 2 + 1 : even_type_four(kind) ? 2 : 1;
    return {count, one ? 2 * half_period(kind) / radix : kind.unknowns / count, !one};
}

template <class Format>
bool has_tables(const Axis& axis, LineMethod method) {
    const AxisKind kind = axis_kind(axis);
    // Type I: twice as many elements.
    if (kind.unknowns >= no_element_in<typename Format::Word> / 2) return false;
    const LineFfts ffts = line_ffts<Format>(axis);
    if (method == LineMethod::radix_steps) return has_radices(ffts.length);
    if (method == LineMethod::whole_ffts) return true;
    if (method == LineMethod::matrix_steps && matrix_radices(kind).empty()) return false;
    constexpr int bits = std::min(half_bits<typename Format::Word>, 31);  // of an element's offset
    return line_elements<Format>(axis, method) < Index{1} << bits;
}

template <class Format>
Index line_elements(const Axis& axis, LineMethod method) {
    const AxisKind kind = axis_kind(axis);
    const LineFfts ffts = line_ffts<Format>(axis);
    if (method == LineMethod::radix_steps)
        return ffts.count *
               padded_length_of<Format>(radices_of(ffts.length, ffts.first), static_cast<int>(ffts.count));
    if (method == LineMethod::matrix_steps) return matrix_work(kind, matrix_radices(kind)).padded;
    return symmetric_chirp<Format>(kind) ? symmetric_chirp_elements<Format>(symmetric_line(kind).half)
                                         : ffts.count * chirp_padded_length<Format>(ffts.length);
}

template bool symmetric_chirp<Compact>(const AxisKind&);
template bool symmetric_chirp<Plain>(const AxisKind&);
template LineFfts line_ffts<Compact>(const Axis&);
template LineFfts line_ffts<Plain>(const Axis&);
template bool has_tables<Compact>(const Axis&, LineMethod);
template bool has_tables<Plain>(const Axis&, LineMethod);
template Index line_elements<Compact>(const Axis&, LineMethod);
template Index line_elements<Plain>(const Axis&, LineMethod);

}  // namespace poisson3d::lines
