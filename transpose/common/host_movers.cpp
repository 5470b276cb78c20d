// The inner loops of the host transposes. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "common/host_movers.hpp"

#include "common/host_squares.hpp"
#include "common/host_stores.hpp"
#include "common/host_tile_strips.hpp"

namespace poisson3d::POISSON3D_ISA {

using namespace poisson3d::host_transpose;

namespace {

/// The strip is all of the matrix and narrower than a square, but its rows lie densely behind each other, so that
/// squares may read beyond the ends of all but the last ones.
template <int Bytes>
bool narrow(const Matrix& m, Index width) {
    if constexpr (Bytes == 0)
        return false;
    else
        return width < Square<Bytes>::side && width * 4 > Square<Bytes>::side && width == m.columns.count &&
               m.rows.pitch == width * Bytes && m.rows.inner == m.rows.count;
}

/// A panel's transpose lies in scratch, one output row behind the other; in front of each row there is room for a
/// line, whose end holds what the panel above left over.
template <int Bytes, bool Stream>
void strip(const Matrix& m, Range rows, Range columns, Index panel, char* scratch) {
    const Index element = Bytes == 0 ? m.element : Bytes;
    const Index front = strip_front(element);
    const Index width = columns.last - columns.first;
    const Index pitch = panel * element + front;
    const auto row_from = [&m, shift = columns.first * element](Index first) {
        return [rows = SideCursor{m.rows, m.in + shift}, first](Index r) mutable { return rows.at(first + r); };
    };
    Index read_beyond = 0;  // rows before this one
    if constexpr (Bytes != 0)
        if (narrow<Bytes>(m, width)) read_beyond = m.rows.count - (Square<Bytes>::side + width - 1) / width;
    const auto turn = [&](Index first, Index count, char* to, auto ahead) {
        if constexpr (Bytes != 0)
            if (first + count <= read_beyond)
                return transpose_block<Bytes, true>(row_from(first), count, Square<Bytes>::side, to, pitch, ahead);
        transpose_block<Bytes, true>(row_from(first), count, width, to, pitch, ahead, element);
    };
    char* to[widest_strip];
    for (Index c = 0; c < width; ++c) to[c] = m.out + m.columns.at(columns.first + c);

    if (rows.first > 0) {  // the beginnings of the lines that the range above did not fill
        const Index lead = line_elements(element);
        turn(rows.first - lead, lead, scratch + front - lead * element, nothing_ahead);
    }
    for (Index r = rows.first; r < rows.last; r += panel) {
        const Index count = r + panel <= rows.last ? panel : rows.last - r;
        const bool fetch = r + 2 * panel <= rows.last;
        turn(r, count, scratch + front,
             [next = row_from(r + panel), fetch](Index i) mutable { return fetch ? next(i) : nullptr; });
        const bool ends = r + count == m.rows.count;
        for (Index c = 0; c < width; ++c) {
            char* line = to[c] + r * element;
            const Index before = static_cast<Index>(reinterpret_cast<std::uintptr_t>(line) % line_bytes);
            line -= before;
            char* const first = scratch + c * pitch + front;
            const char* const from = first - before;
            const Index end = before + count * element;
            Index k = 0;
            if (r == 0 && before != 0) {
                copy_part(line + before, from + before, (end < line_bytes ? end : line_bytes) - before);
                k = line_bytes;
            }
            for (; k + line_bytes <= end; k += line_bytes) store_line<Stream>(line + k, from + k);
            if (!ends)
                copy_line(first - line_bytes, first + panel * element - line_bytes);
            else if (k < end)
                copy_part(line + k, from + k, end - k);
        }
    }
}

template <int Bytes, bool Stream>
void thin(const Matrix& m, const Batch& batch, char* scratch) {
    constexpr Index side = Bytes == 0 ? 1 : Square < Bytes == 0 ? 1 : Bytes > ::side;
    const Index element = Bytes == 0 ? m.element : Bytes;
    const Index row = m.rows.count * element;
    const Index room = thin_scratch / row / side * side;
    const Index step = room > side ? room : side;
    LineWriter<Stream> writer(scratch, m.out);
    for (Index b = 0; b < batch.count; ++b) {
        writer.go(m.out + b * batch.out);
        for (Index c = 0; c < m.columns.count; c += step) {
            const Index count = c + step <= m.columns.count ? step : m.columns.count - c;
            const char* const in = m.in + b * batch.in + c * element;
            const auto row_at = [&](Index r) { return in + r * m.rows.pitch; };
            const auto ahead = [&](Index r) { return count == step ? row_at(r) + step * element : nullptr; };
            transpose_block<Bytes, true>(row_at, m.rows.count, count, writer.tail(), row, ahead, element);
            writer.commit(count * row);
        }
    }
    writer.finish();
}

template <int Bytes>
void tile(const Matrix& m, Range rows, Range columns) {
    const Index element = Bytes == 0 ? m.element : Bytes;
    const char* const in = m.in + rows.first * m.rows.pitch + columns.first * element;
    transpose_block<Bytes, false>(
        [&](Index r) { return in + r * m.rows.pitch; }, rows.last - rows.first, columns.last - columns.first,
        m.out + columns.first * m.columns.pitch + rows.first * element, m.columns.pitch, nothing_ahead, element);
}

/// What rows share of a line is gathered in scratch and stored once; whole lines go straight from row to row.
template <bool Stream>
void copy_rows(const Rows& task, Range rows, char* scratch) {
    Index inner = rows.first % task.in.inner;
    const char* row = task.from + task.in.at(rows.first);
    char* to = task.to + task.out.at(rows.first);
    LineWriter<Stream> writer(scratch, to);
    for (Index r = rows.first; r < rows.last; ++r) {
        writer.go(to);
        const char* from = row;
        Index left = task.bytes;
        if (writer.fill > 0) {  // up to the next line
            const Index part = line_bytes - writer.fill < left ? line_bytes - writer.fill : left;
            copy_part(writer.tail(), from, part);
            writer.commit(part);
            from += part;
            left -= part;
        }
        for (; left >= line_bytes; left -= line_bytes, from += line_bytes, writer.line += line_bytes)
            store_line<Stream>(writer.line, from);
        if (left > 0) {
            copy_part(writer.tail(), from, left);
            writer.commit(left);
        }
        row += task.in.pitch;
        to += task.out.pitch;
        if (++inner == task.in.inner) {
            inner = 0;
            row = task.from + task.in.at(r + 1);
            to = task.to + task.out.at(r + 1);
        }
    }
    writer.finish();
}

template <int Bytes>
constexpr ElementMovers element_movers() {
    return {[](const Matrix& m, Range rows, Range columns, Index panel, char* scratch, bool stream) {
                stream ? strip<Bytes, true>(m, rows, columns, panel, scratch)
                       : strip<Bytes, false>(m, rows, columns, panel, scratch);
            },
            [](const Matrix& m, const Batch& batch, char* scratch, bool stream) {
                stream ? thin<Bytes, true>(m, batch, scratch) : thin<Bytes, false>(m, batch, scratch);
            },
            &tile<Bytes>};
}

template <int Bytes>
constexpr TileMovers tile_movers() {
    return {&strip_to_tiles<Bytes>, &strip_to_structures<Bytes>, &turn_dense<Bytes>};
}

void copy_any_rows(const Rows& task, Range rows, char* scratch, bool stream) {
    stream ? copy_rows<true>(task, rows, scratch) : copy_rows<false>(task, rows, scratch);
}

}  // namespace

extern const Movers movers;
const Movers movers{POISSON3D_ISA_NAME,
                    {element_movers<1>(), element_movers<2>(), element_movers<4>(), element_movers<8>(),
                     element_movers<16>(), element_movers<0>()},
                    {tile_movers<4>(), tile_movers<8>(), tile_movers<16>(), tile_movers<0>()},
                    &copy_any_rows,
                    [] { finish_stores<true>(); }};

}  // namespace poisson3d::POISSON3D_ISA
