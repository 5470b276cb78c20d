#include "raw_array.hpp"

#include <algorithm>
#include <vector>

#include "finite.hpp"
#include "permuted_copy.hpp"

namespace poisson3d {

namespace {

constexpr Index piece_bytes = Index{1} << 20;

std::uint64_t product(const Extents& points) {
    return static_cast<std::uint64_t>(points[0]) * static_cast<std::uint64_t>(points[1]) *
           static_cast<std::uint64_t>(points[2]);
}

/// The box of `count` points from `first` on of an array whose first index is contiguous, as it lies there.
template <class T>
void read_box(const RawArray& fortran, const Extents& first, const Extents& count, std::vector<unsigned char>& raw,
              T* to) {
    const Index size = fortran.type.bytes;
    const auto [n0, n1, n2] = fortran.points;
    // Whole columns that follow each other are one piece.
    const bool joined = count[0] == n0;
    const Index rows = joined ? 1 : count[1];
    const Index length = joined ? count[0] * count[1] : count[0];
    raw.resize(static_cast<std::size_t>(length * size));
    for (Index k = first[2]; k < first[2] + count[2]; ++k)
        for (Index j = 0; j < rows; ++j, to += length) {
            const Index element = first[0] + n0 * (first[1] + j + n1 * k);
            read_at(fortran.descriptor, raw.data(), raw.size(),
                    fortran.offset + static_cast<std::uint64_t>(element * size), fortran.subject);
            convert_numbers(fortran.type, raw.data(), to, length);
        }
}

/// Dense boxes with the last index contiguous go to their place.
template <class T>
void write_box(const RawArray& array, const Extents& first, const Extents& count, const T* from) {
    const auto [n0, n1, n2] = array.points;
    const bool joined = count[2] == n2;
    const Index rows = joined ? 1 : count[1];
    const Index length = joined ? count[1] * n2 : count[2];
    const h5::Subject subject{ErrorCode::output, "temporary file"};
    for (Index i = first[0]; i < first[0] + count[0]; ++i)
        for (Index j = 0; j < rows; ++j, from += length)
            write_at(array.descriptor, from, static_cast<std::size_t>(length) * sizeof(T),
                     static_cast<std::uint64_t>((i * n1 + first[1] + j) * n2 + first[2]) * sizeof(T), subject);
}

template <class T>
RawArray reordered_as(const RawArray& fortran) {
    RawArray array = scratch_array<T>(fortran.points);
    const Extents& points = fortran.points;
    const Extents block = permuted_block(points, 0, sizeof(T));
    std::vector<unsigned char> raw;
    std::vector<T> read(static_cast<std::size_t>(block[0] * block[1] * block[2])), turned(read.size());
    for (Index i = 0; i < points[0]; i += block[0])
        for (Index j = 0; j < points[1]; j += block[1])
            for (Index k = 0; k < points[2]; k += block[2]) {
                const Extents first{i, j, k};
                Extents count{};
                for (std::size_t a = 0; a < 3; ++a) count[a] = std::min(block[a], points[a] - first[a]);
                read_box(fortran, first, count, raw, read.data());
                permuted_copy(count, read.data(), {1, count[0], count[0] * count[1]}, turned.data(), 1);
                write_box(array, first, count, turned.data());
            }
    array.subject = fortran.subject;
    return array;
}

/// Numbers of a slab in memory order, at most `step` at a time: before(first, count) for each such part, then
/// body(offset in the part, first number in the view, count) for each piece of a row in it.
template <class T, class Before, class Body>
void for_each_piece(FieldView<T> slab, Index step, const Before& before, const Body& body) {
    const Index row = slab.extents[2], total = slab.size();
    for (Index at = 0; at < total; at += step) {
        const Index count = std::min(step, total - at);
        before(at, count);
        for (Index done = 0; done < count;) {
            const Index line = (at + done) / row, k = (at + done) % row;
            const Index length = std::min(row - k, count - done);
            body(done, &slab(line / slab.extents[1], line % slab.extents[1], k), length);
            done += length;
        }
    }
}

}  // namespace

std::uint64_t RawArray::bytes() const noexcept {
    return product(points) * static_cast<std::uint64_t>(type.bytes);
}

template <class T>
void RawArray::read(Index first, FieldView<T> slab) const {
    const Index size = type.bytes, before = first * points[1] * points[2];
    const Index step = std::min(piece_bytes / size, std::max<Index>(slab.size(), 1));
    std::vector<unsigned char> buffer(static_cast<std::size_t>(step * size));
    for_each_piece(
        slab, step,
        [&](Index at, Index count) {
            read_at(descriptor, buffer.data(), static_cast<std::size_t>(count * size),
                    offset + static_cast<std::uint64_t>((before + at) * size), subject);
        },
        [&](Index done, T* to, Index count) { convert_numbers(type, buffer.data() + done * size, to, count); });
}

template <class T>
void RawArray::write(Index first, FieldView<const T> slab) const {
    const Index before = first * points[1] * points[2];
    const Index step =
        std::min<Index>(piece_bytes / static_cast<Index>(sizeof(T)), std::max<Index>(slab.size(), 1));
    std::vector<T> buffer(static_cast<std::size_t>(step));
    const auto flush = [&](Index at, Index count) {
        write_at(descriptor, buffer.data(), static_cast<std::size_t>(count) * sizeof(T),
                 offset + static_cast<std::uint64_t>(before + at) * sizeof(T), subject);
    };
    Index at = 0, held = 0;
    for_each_piece(
        slab, step,
        [&](Index next, Index count) {
            if (held > 0) flush(at, held);
            at = next;
            held = count;
        },
        [&](Index done, const T* from, Index count) { std::copy_n(from, count, buffer.data() + done); });
    if (held > 0) flush(at, held);
}

double RawArray::stored(const Extents& index) const {
    const Index element = (index[0] * points[1] + index[1]) * points[2] + index[2];
    unsigned char raw[8];
    read_at(descriptor, raw, static_cast<std::size_t>(type.bytes),
            offset + static_cast<std::uint64_t>(element * type.bytes), subject);
    double value = 0.0;
    convert_numbers(type, raw, &value, 1);
    return value;
}

RawArray reordered(const RawArray& fortran) {
    return fortran.type.solved_bytes() == 4 ? reordered_as<float>(fortran) : reordered_as<double>(fortran);
}

template <class T>
RawArray scratch_array(const Extents& points) {
    const auto file = std::make_shared<ScratchFile>();
    RawArray array{file->subject(), file, file->descriptor(), 0, native_number<T>(), points};
    file->require_space(array.bytes());
    return array;
}

void require_countable(const h5::Subject& subject, const Extents& points) {
    Index most = Index{1} << 58;
    for (const Index extent : points) {
        if (extent < 1)
            subject.fail(ErrorCode::data, "found extents " + h5::describe_points(points) +
                                              ", wanted at least one point on each axis");
        most /= extent;
    }
    if (most == 0)
        subject.fail(ErrorCode::data, "found extents " + h5::describe_points(points) + ", which no memory holds");
}

template void RawArray::read(Index, FieldView<float>) const;
template void RawArray::read(Index, FieldView<double>) const;
template void RawArray::write(Index, FieldView<const float>) const;
template void RawArray::write(Index, FieldView<const double>) const;
template RawArray scratch_array<float>(const Extents&);
template RawArray scratch_array<double>(const Extents&);

}  // namespace poisson3d
