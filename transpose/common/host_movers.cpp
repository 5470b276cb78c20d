// The inner loops of the host transposes. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "common/host_movers.hpp"

#include "common/host_squares.hpp"
#include "common/host_stores.hpp"
#include "common/host_tile_strips.hpp"

namespace poisson3d::POISSON3D_ISA {

using namespace poisson3d::host_transpose;

namespace {

/// A panel's transpose lies in scratch, one output row behind the other; in front of each row there is room for a
/// line, whose end holds what the panel above left over.
template <int Bytes, bool Stream>
void strip(const Matrix& m, Range rows, Range columns, Index panel, char* scratch) {
    constexpr Index line_elements = line_bytes / Bytes;
    const Index width = columns.last - columns.first;
    const Index pitch = panel * Bytes + line_bytes;
    const auto row_from = [&m, &columns](Index first) {
        return [&m, first, shift = columns.first * Bytes](Index r) { return m.in + m.rows.at(first + r) + shift; };
    };
    char* to[widest_strip];
    for (Index c = 0; c < width; ++c) to[c] = m.out + m.columns.at(columns.first + c);

    if (rows.first > 0)  // the beginnings of the lines that the range above did not fill
        transpose_block<Bytes, true>(row_from(rows.first - line_elements), line_elements, width, scratch, pitch,
                                     nothing_ahead);
    for (Index r = rows.first; r < rows.last; r += panel) {
        const Index count = r + panel <= rows.last ? panel : rows.last - r;
        const auto next = row_from(r + panel);
        const bool fetch = r + 2 * panel <= rows.last;
        transpose_block<Bytes, true>(row_from(r), count, width, scratch + line_bytes, pitch,
                                     [&](Index i) { return fetch ? next(i) : nullptr; });
        const bool ends = r + count == m.rows.count;
        for (Index c = 0; c < width; ++c) {
            char* line = to[c] + r * Bytes;
            const Index before = static_cast<Index>(reinterpret_cast<std::uintptr_t>(line) % line_bytes);
            line -= before;
            char* const first = scratch + c * pitch;
            const char* const from = first + line_bytes - before;
            const Index end = before + count * Bytes;
            Index k = 0;
            if (r == 0 && before != 0) {
                copy_part(line + before, from + before, (end < line_bytes ? end : line_bytes) - before);
                k = line_bytes;
            }
            for (; k + line_bytes <= end; k += line_bytes) store_line<Stream>(line + k, from + k);
            if (!ends)
                copy_line(first, first + panel * Bytes);
            else if (k < end)
                copy_part(line + k, from + k, end - k);
        }
    }
    finish_stores<Stream>();
}

template <int Bytes, bool Stream>
void thin(const Matrix& m, const Batch& batch, char* scratch) {
    constexpr Index side = Square<Bytes>::side;
    const Index row = m.rows.count * Bytes;
    const Index room = thin_scratch / row / side * side;
    const Index step = room > side ? room : side;
    LineWriter<Stream> writer(scratch, m.out);
    for (Index b = 0; b < batch.count; ++b) {
        writer.go(m.out + b * batch.out);
        for (Index c = 0; c < m.columns.count; c += step) {
            const Index count = c + step <= m.columns.count ? step : m.columns.count - c;
            const char* const in = m.in + b * batch.in + c * Bytes;
            const auto row_at = [&](Index r) { return in + r * m.rows.pitch; };
            const auto ahead = [&](Index r) { return count == step ? row_at(r) + step * Bytes : nullptr; };
            transpose_block<Bytes, true>(row_at, m.rows.count, count, writer.tail(), row, ahead);
            writer.commit(count * row);
        }
    }
    writer.finish();
    finish_stores<Stream>();
}

template <int Bytes>
void tile(const Matrix& m, Range rows, Range columns) {
    const char* const in = m.in + rows.first * m.rows.pitch + columns.first * Bytes;
    transpose_block<Bytes, false>(
        [&](Index r) { return in + r * m.rows.pitch; }, rows.last - rows.first, columns.last - columns.first,
        m.out + columns.first * m.columns.pitch + rows.first * Bytes, m.columns.pitch, nothing_ahead);
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
    finish_stores<Stream>();
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
const Movers movers{
    POISSON3D_ISA_NAME,
    {element_movers<1>(), element_movers<2>(), element_movers<4>(), element_movers<8>(), element_movers<16>()},
    {tile_movers<4>(), tile_movers<8>(), tile_movers<16>(), tile_movers<0>()},
    &copy_any_rows,
    [] { finish_stores<true>(); }};

}  // namespace poisson3d::POISSON3D_ISA
