// The face operator on the threads of the host: from what is left on closed faces to the values of u on free ones
// (lines/face_tables.hpp). Faces lie in parts, in real space along axes that are free and in modes along one that
// is not. For every face of an axis a, d one of its axes that is free, e the other:
//
//     pad with zeros, transform along e
//     → d: fold along d (sums and differences of its two ends), times to_face of d        nodes × rows · rows ×
//     modes
//          times B̂_e; times from_face of a, unfold                                        rows × nodes · nodes ×
//          modes transform back along e, add to the faces of d
//     → a: transform along d, times the kernel, back along d and e, add to the faces of a
//
// Modes of e are apart from each other, so strips of them are what threads share.
#pragma once

#include <vector>

#include "face_kernels.hpp"
#include "passes.hpp"
#include "planned_faces.hpp"
#include "walled_layout.hpp"

namespace poisson3d::host {

/// Lines of a 2-D array, along its rows or across them.
template <class T>
PassTask<T> lines_of_plane(T* data, Index pitch, Index rows, Index columns, bool along_rows,
                           const LineTables<T>& line, Direction direction) {
    PassTask<T> task;
    task.direction = direction;
    task.line = &line;
    task.in = task.out = data;
    task.slow = 1;
    task.lines = along_rows ? rows : columns;
    task.in_line = task.out_line = along_rows ? pitch : 1;
    task.in_sample = task.out_sample = along_rows ? 1 : pitch;
    return task;
}

/// Some of all parts of the faces: what they give adds up, and processes that share the work have one each.
struct FaceShare {
    int number = 0, count = 1;
    [[nodiscard]] bool has(int part, int parts) const noexcept { return part * count / parts == number; }
};

template <class T>
class FaceOperator {
public:
    /// `bound`: the axis that is not free as it is transformed, null if there is none.
    FaceOperator(const Problem& problem, const WalledLayout& layout, LineTeam<T>& team, const PlannedAxis<T>* bound)
        : layout_(layout), team_(team), planned_(problem, layout, team.team(), bound) {}

    /// values := values of the free faces, as far as they come from the charges of one share of all parts of the
    /// faces. `left` is only read.
    void run(const FacesByPart<T>& left, const FacesByPart<T>& values, const FaceShare& share = {}) {
        int number = 0;
        for (int a = 0; a < 3; ++a)
            for (int part = 0; part < parts(a); ++part) {
                here_[a][part] = share.has(number++, all_parts());
                begin(a, part, left[a][part], values[a][part]);
            }
        for (int a = 0; a < 3; ++a) {
            if (!free(a)) continue;
            const int first = planned_.first_free_beside(a);
            for (int d = 0; d < 3; ++d)
                if (d != a && free(d)) from_faces_to(a, d, d == first, left[a], values);
        }
    }

private:
    [[nodiscard]] bool free(int axis) const { return layout_.faces[axis].free; }
    [[nodiscard]] int parts(int axis) const { return layout_.closed[axis].faces; }
    [[nodiscard]] int all_parts() const { return parts(0) + parts(1) + parts(2); }
    [[nodiscard]] Index pitch(int axis) const { return planned_.pitch(axis); }
    template <class U>
    [[nodiscard]] U* at(std::size_t offset) const {
        return reinterpret_cast<U*>(team_.memory() + offset);
    }
    template <class Body>
    void for_rows(Index rows, const Body& body) {
        const Index chunk = std::max<Index>(1, rows / (Index{4} * team_.size()));
        team_.team().parallel_for(rows, chunk, [&](Index begin, Index end, int) {
            for (Index row = begin; row < end; ++row) body(row);
        });
    }

    /// What u of the closed box has on faces: ½ u(in) of cells.
    void begin(int a, int part, const FaceArray<T>& left, const FaceArray<T>& values) {
        const T times = layout_.closed[a].mean && here_[a][part] ? T(0.5) : T(0);
        for_rows(layout_.unknowns(left.rows), [&](Index i) {
            for (Index j = 0; j < left.pitch; ++j)
                values.data[i * left.pitch + j] = times * left.data[i * left.pitch + j];
        });
    }

    void from_faces_to(int a, int d, bool and_back, const std::array<FaceArray<T>, 2>& left,
                       const FacesByPart<T>& values) {
        const int e = 3 - a - d;
        T* const padded = at<T>(layout_.padded);
        T* const rows = padded + layout_.faces[d].offset * pitch(e);
        bool first = true;
        for (int part = 0; part < parts(a); ++part) {
            if (!here_[a][part]) continue;
            pad(d, e, and_back, left[part], padded);
            transform(e, Direction::forward, rows, layout_.unknowns(d));
            multiply_strips(a, d, e, part, rows, first);
            first = false;
            if (!and_back) continue;
            transform_across(d, e, Direction::forward, padded);
            multiply_kernel(a, d, e, part, padded);
            transform_across(d, e, Direction::backward, padded);
            transform(e, Direction::backward, rows, layout_.unknowns(d));
            add(d, e, rows, values[a][part]);
        }
        for (int part = 0; part < parts(d) && !first; ++part) {
            T* const given = at<T>(layout_.given + static_cast<std::size_t>(part) * layout_.given_next);
            transform(e, Direction::backward, given, layout_.unknowns(a));
            add(a, e, given, values[d][part]);
        }
    }

    /// Rows along d, columns along e. All of the padded face, or the rows that are not 0 alone.
    void pad(int d, int e, bool whole, const FaceArray<T>& face, T* padded) {
        const lines::FaceAxis& rows = layout_.faces[d];
        const lines::FaceAxis& columns = layout_.faces[e];
        const Index from_row = face.stride(d);
        const Index from_column = face.stride(e);
        for_rows(rows.samples, [&](Index i) {
            const Index unknown = i - rows.offset;
            const bool there = unknown >= 0 && unknown < rows.count;
            if (!there && !whole) return;
            T* const to = padded + i * pitch(e);
            std::fill(to, to + pitch(e), T(0));
            const T* const from = face.data + unknown * from_row;
            for (Index j = 0; there && j < columns.count; ++j) to[columns.offset + j] = from[j * from_column];
        });
    }

    /// The reverse, added.
    void add(int d, int e, const T* rows, const FaceArray<T>& face) {
        const lines::FaceAxis& columns = layout_.faces[e];
        const Index to_row = face.stride(d);
        const Index to_column = face.stride(e);
        for_rows(layout_.unknowns(d), [&](Index i) {
            const T* const from = rows + i * pitch(e) + columns.offset;
            T* const to = face.data + i * to_row;
            for (Index j = 0; j < columns.count; ++j) to[j * to_column] += from[j];
        });
    }

    /// Lines along e, if there are padded ones: `count` rows.
    void transform(int e, Direction direction, T* rows, Index count) {
        if (!free(e)) return;
        team_.run(
            lines_of_plane(rows, pitch(e), count, layout_.faces[e].samples, true, planned_.line(e), direction));
    }
    /// Lines along d, one for each mode of e.
    void transform_across(int d, int e, Direction direction, T* padded) {
        team_.run(lines_of_plane(padded, pitch(e), layout_.faces[d].samples, layout_.faces[e].samples, false,
                                 planned_.line(d), direction));
    }

    void multiply_kernel(int a, int d, int e, int part, T* padded) {
        const std::vector<T>& kernel = planned_.kernel(a, part);
        const std::vector<std::int32_t>& rows = planned_.frequencies(d);
        const std::vector<std::int32_t>& columns = planned_.frequencies(e);
        const Index length = layout_.faces[e].frequencies;
        for_rows(layout_.faces[d].samples, [&](Index i) {
            const T* const numbers = kernel.data() + rows[i] * length;
            T* const row = padded + i * pitch(e);
            for (std::size_t s = 0; s < columns.size(); ++s) row[s] *= numbers[columns[s]];
        });
    }

    /// From rows of charges along d to rows along a, mode by mode of e.
    void multiply_strips(int a, int d, int e, int part, const T* charges, bool set) {
        for (const PlannedTerms<T>& terms : planned_.terms()) {
            const Index first = free(e) ? 0 : terms.first;
            const Index last = free(e) ? layout_.faces[e].samples : terms.last;
            team_.team().parallel_for((last - first + lines_ - 1) / lines_, 1,
                                      [&](Index begin, Index end, int thread) {
                                          for (Index strip = begin; strip < end; ++strip) {
                                              const Index column = first + strip * lines_;
                                              for (int target = 0; target < parts(d); ++target)
                                                  multiply_strip(terms, a, d, e, part, target, charges, column,
                                                                 std::min(lines_, last - column), thread, set);
                                          }
                                      });
        }
    }

    void multiply_strip(const PlannedTerms<T>& terms, int a, int d, int e, int part, int target, const T* charges,
                        Index column, Index count, int thread, bool set) {
        const FaceKernels<T>& kernels = face_kernels<T>();
        const Index panel = kernels.panel_rows;
        const Index folded_d = layout_.folded(d);
        const Index folded_a = layout_.folded(a);
        T* const folded = at<T>(layout_.strips + static_cast<std::size_t>(thread) * layout_.strip_bytes);
        T* const of_nodes = folded + folded_d * lines_;
        T* const result = of_nodes + (terms.nodes + panel - 1) / panel * panel * lines_;
        fold(d, target, charges + column, pitch(e), count, folded);
        if (terms.nodes == 0) {
            kernels.multiply(terms.between[a][part][target].data(), folded_a, folded_d, folded, nullptr, 0, result);
        } else {
            kernels.multiply(terms.to_face[d][target].data(), terms.nodes, folded_d, folded,
                             terms.along[e].data() + column, pitch(e), of_nodes);
            kernels.multiply(terms.from_face[a][part].data(), folded_a, terms.nodes, of_nodes, nullptr, 0, result);
        }
        T* const given = at<T>(layout_.given + static_cast<std::size_t>(target) * layout_.given_next) + column;
        unfold(a, part, set, result, count, given, pitch(e));
    }

    /// The sum (part 0) or the difference (1) of row i and the one as far from the other end.
    void fold(int d, int part, const T* rows, Index row_pitch, Index count, T* folded) const {
        const Index n = layout_.unknowns(d);
        for (Index i = 0; i < layout_.folded(d); ++i) {
            const T* const row = rows + i * row_pitch;
            const T* const mirror = rows + (n - 1 - i) * row_pitch;
            T* const to = folded + i * lines_;
            const bool alone = parts(d) == 1 || 2 * i == n - 1;
            const T sign = alone ? T(0) : part == 0 ? T(1) : T(-1);
            for (Index l = 0; l < count; ++l) to[l] = row[l] + sign * mirror[l];
            for (Index l = count; l < lines_; ++l) to[l] = T(0);
        }
    }
    /// The reverse: rows that are even (part 0) or odd (1). The first part here sets, the second adds.
    void unfold(int a, int part, bool set, const T* folded, Index count, T* rows, Index row_pitch) const {
        const Index n = layout_.unknowns(a);
        for (Index i = 0; i < layout_.folded(a); ++i) {
            const T* const from = folded + i * lines_;
            T* const row = rows + i * row_pitch;
            T* const mirror = rows + (n - 1 - i) * row_pitch;
            const bool alone = parts(a) == 1 || 2 * i == n - 1;
            for (Index l = 0; l < count; ++l) row[l] = set ? from[l] : row[l] + from[l];
            if (alone) continue;
            const T sign = part == 0 ? T(1) : T(-1);
            for (Index l = 0; l < count; ++l) mirror[l] = set ? sign * from[l] : mirror[l] + sign * from[l];
        }
    }

    const WalledLayout& layout_;
    LineTeam<T>& team_;
    Index lines_ = face_kernels<T>().lines;
    PlannedFaces<T> planned_;
    bool here_[3][2] = {};  ///< the share at hand, by axis and part
};

}  // namespace poisson3d::host
