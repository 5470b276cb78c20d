// The face operator's tables (lines/face_tables.hpp) ready to run on the host: lines padded with zeros, matrices in
// panels, kernels.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "face_kernels.hpp"
#include "free_faces.hpp"
#include "planned_axis.hpp"
#include "walled_layout.hpp"

namespace poisson3d::host {

/// A matrix in panels (FaceKernels::multiply) with element(row, column).
template <class T, class ElementOf>
std::vector<T> panels_of(Index rows, Index columns, const ElementOf& element) {
    const Index panel = face_kernels<T>().panel_rows;
    std::vector<T> panels((rows + panel - 1) / panel * panel * columns, T(0));
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j)
            panels[i / panel * panel * columns + j * panel + i % panel] = static_cast<T>(element(i, j));
    return panels;
}

/// One of FaceTables::terms.
template <class T>
struct PlannedTerms {
    template <class U>
    using OfParts = std::array<U, 2>;

    Index first = 0, last = 0;  ///< slots of the axis that is not free; others have them all
    Index nodes = 0;            ///< 0: they are added up
    /// Panels: nodes × rows of a face that is folded, and the reverse.
    std::array<OfParts<std::vector<T>>, 3> to_face, from_face;
    /// Those of both in one, by axis, its part, and the part on the other free axis.
    std::array<OfParts<OfParts<std::vector<T>>>, 3> between;
    /// By axis: of node q and slot s at q · pitch + s.
    std::array<std::vector<T>, 3> along;
};

template <class T>
class PlannedFaces {
public:
    /// `bound`: the axis that is not free as it is transformed, null if there is none.
    PlannedFaces(const Problem& problem, const WalledLayout& layout, ThreadTeam& team, const PlannedAxis<T>* bound)
        : layout_(layout),
          tables_(lines::make_face_tables(problem, layout.closed, std::numeric_limits<T>::epsilon(),
                                          !takes_constant(problem))) {
        for (int a = 0; a < 3; ++a) plan_axis(problem, a, team, bound);
        for (const lines::FaceTerms& terms : tables_.terms) add_terms(terms);
        for (int a = 0; a < 3; ++a)
            if (layout.faces[a].free) make_kernels(problem, a, team);
        tables_ = {};
    }

    [[nodiscard]] const std::vector<PlannedTerms<T>>& terms() const noexcept { return terms_; }
    /// Of an axis that is padded.
    [[nodiscard]] const LineTables<T>& line(int axis) const { return padded_[axis]->line(); }
    /// By slot.
    [[nodiscard]] const std::vector<std::int32_t>& frequencies(int axis) const { return frequency_[axis]; }
    /// Of the faces of an axis on themselves: by frequency of first_free_beside() and of the third axis.
    [[nodiscard]] const std::vector<T>& kernel(int axis, int part) const { return *kernels_[axis][part]; }

    [[nodiscard]] int first_free_beside(int axis) const {
        for (int d = 0; d < 3; ++d)
            if (d != axis && layout_.faces[d].free) return d;
        return -1;
    }
    /// From a row of lines of modes along an axis to the next: whole blocks.
    [[nodiscard]] Index pitch(int axis) const { return layout_.padded_pitch(axis, face_kernels<T>().lines); }

private:
    void plan_axis(const Problem& problem, int a, ThreadTeam& team, const PlannedAxis<T>* bound) {
        const lines::FaceAxis& face = tables_.axes[a];
        const PlannedAxis<T>* planned = bound;
        if (face.free) {
            for (int other = 0; other < a; ++other)
                if (padded_[other] != nullptr && tables_.axes[other].lines == face.lines)
                    padded_[a] = padded_[other];
            if (padded_[a] == nullptr)
                padded_[a] = std::make_shared<PlannedAxis<T>>(face.lines, problem.discretization, team);
            planned = padded_[a].get();
            gain_[a] = planned->gain();
        }
        for (const Index mode : planned->mode_of())
            frequency_[a].push_back(static_cast<std::int32_t>(face.frequency(mode)));
    }

    void add_terms(const lines::FaceTerms& terms) {
        PlannedTerms<T> planned;
        planned.nodes = terms.nodes;
        for (int a = 0; a < 3; ++a) {
            const auto slots = static_cast<Index>(frequency_[a].size());
            if (layout_.faces[a].free) {
                add_matrices(terms, a, planned);
            } else {  // whose constant is its first mode and its first slot
                planned.first = terms.first;
                planned.last = terms.added_up ? 1 : slots;
            }
            if (terms.added_up) continue;
            // Strips of columns may begin anywhere, and reach beyond the last.
            planned.along[a].resize(terms.nodes * pitch(a) + face_kernels<T>().lines, T(0));
            for (Index q = 0; q < terms.nodes; ++q)
                for (Index s = 0; s < slots; ++s)
                    planned.along[a][q * pitch(a) + s] =
                        static_cast<T>(terms.along[a][frequency_[a][s] * terms.nodes + q] / gain_[a]);
        }
        terms_.push_back(std::move(planned));
    }

    void add_matrices(const lines::FaceTerms& terms, int a, PlannedTerms<T>& planned) const {
        const Index rows = layout_.folded(a);
        for (int part = 0; part < layout_.closed[a].faces; ++part) {
            if (terms.added_up) {
                const int d = first_free_beside(a);
                const Index columns = layout_.unknowns(d);
                for (int target = 0; target < layout_.closed[d].faces; ++target)
                    planned.between[a][part][target] = panels_of<T>(rows, layout_.folded(d), [&](Index i, Index j) {
                        return terms.between[a][part][target][i * columns + j];
                    });
                continue;
            }
            planned.to_face[a][part] = panels_of<T>(
                terms.nodes, rows, [&](Index q, Index i) { return terms.to_face[a][part][i * terms.nodes + q]; });
            planned.from_face[a][part] = panels_of<T>(
                rows, terms.nodes, [&](Index i, Index q) { return terms.from_face[a][part][i * terms.nodes + q]; });
        }
    }

    void make_kernels(const Problem& problem, int a, ThreadTeam& team) {
        const int d = first_free_beside(a);
        const int e = 3 - a - d;
        const auto& axes = problem.grid.axes;
        for (int other = 0; other < a; ++other) {
            if (!layout_.faces[other].free) continue;
            const int beside = first_free_beside(other);
            if (axes[other] == axes[a] && axes[beside] == axes[d] && axes[3 - other - beside] == axes[e])
                kernels_[a] = kernels_[other];
        }
        if (kernels_[a][0] != nullptr) return;
        for (int part = 0; part < layout_.closed[a].faces; ++part) {
            const Index size = tables_.axes[d].frequencies * tables_.axes[e].frequencies;
            kernels_[a][part] = std::make_shared<std::vector<T>>(size, T(0));
            for (const lines::FaceTerms& terms : tables_.terms) {
                if (terms.added_up)
                    set_kernel(terms.kernel[a][part], d, e, *kernels_[a][part]);
                else
                    add_kernel(terms, a, part, d, e, *kernels_[a][part], team);
            }
        }
    }

    /// Of the first mode of e.
    void set_kernel(const std::vector<long double>& numbers, int d, int e, std::vector<T>& kernel) const {
        for (Index row = 0; row < tables_.axes[d].frequencies; ++row)
            kernel[row * tables_.axes[e].frequencies] = static_cast<T>(numbers[row] / gain_[d]);
    }

    /// Σ_q same_q B̂_d B̂_e.
    void add_kernel(const lines::FaceTerms& terms, int a, int part, int d, int e, std::vector<T>& kernel,
                    ThreadTeam& team) const {
        const Index columns = tables_.axes[e].frequencies;
        const Index first = layout_.faces[e].free ? 0 : terms.first;
        const Index last = layout_.faces[e].free ? columns : terms.last;
        std::vector<double> along(terms.nodes * columns);  // columns side by side
        for (Index f = 0; f < columns; ++f)
            for (Index q = 0; q < terms.nodes; ++q)
                along[q * columns + f] =
                    static_cast<double>(terms.along[e][f * terms.nodes + q] / (gain_[d] * gain_[e]));
        team.parallel_for(tables_.axes[d].frequencies, 8, [&](Index begin, Index end, int) {
            std::vector<double> sums(columns);
            for (Index row = begin; row < end; ++row) {
                std::fill(sums.begin(), sums.end(), 0.0);
                for (Index q = 0; q < terms.nodes; ++q) {
                    const auto factor =
                        static_cast<double>(terms.same[a][part][q] * terms.along[d][row * terms.nodes + q]);
                    for (Index f = first; f < last; ++f) sums[f] += factor * along[q * columns + f];
                }
                for (Index f = first; f < last; ++f) kernel[row * columns + f] = static_cast<T>(sums[f]);
            }
        });
    }

    const WalledLayout& layout_;
    lines::FaceTables tables_;  ///< as long as planning takes
    std::array<std::shared_ptr<PlannedAxis<T>>, 3> padded_;
    std::array<double, 3> gain_{1.0, 1.0, 1.0};
    std::array<std::vector<std::int32_t>, 3> frequency_;
    std::vector<PlannedTerms<T>> terms_;
    std::array<std::array<std::shared_ptr<std::vector<T>>, 2>, 3> kernels_;
};

}  // namespace poisson3d::host
