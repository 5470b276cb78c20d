// The tables of the face operator (device_faces.hpp): transforms of its axes, tables of times, kernels of faces on
// themselves.
#include <algorithm>
#include <cmath>

#include "closed_ends.hpp"
#include "device_faces.hpp"
#include "free_faces.hpp"
#include "spectrum.hpp"

namespace poisson3d::walled {

namespace {

/// Σ_q row[q] column[q] of consecutive columns: several at once, since an addition waits for the one before it.
template <int together>
std::array<long double, together> products(const std::vector<long double>& row, const long double* columns) {
    const std::size_t nodes = row.size();
    std::array<long double, together> sums{};
    for (std::size_t q = 0; q < nodes; ++q)
        for (std::size_t k = 0; k < together; ++k) sums[k] += row[q] * columns[k * nodes + q];
    return sums;
}

}  // namespace

template <class T>
int FaceOperator<T>::beside(int axis) const {
    for (int d = 0; d < 3; ++d)
        if (d != axis && free(d)) return d;
    return axis == 0 ? 1 : 0;
}

/// Of padded lines, or others, there and back.
template <class T>
long double FaceOperator<T>::round_trip(int axis) const {
    return static_cast<long double>(axis_kind(lines::face_axis(problem_.grid.axes[axis]).lines).round_trip);
}

template <class T>
template <class Numbers>
Index FaceOperator<T>::put(const Numbers& numbers, Index columns) {
    const auto end_row = [&] {
        tables_.resize(static_cast<std::size_t>(whole_row(static_cast<Index>(tables_.size()))));
    };
    end_row();
    const auto begin = static_cast<Index>(tables_.size());
    Index column = 0;
    for (const auto number : numbers) {
        tables_.push_back(static_cast<T>(number));
        if (++column == columns) end_row(), column = 0;
    }
    return begin;
}

template <class T>
std::vector<double> FaceOperator<T>::from_points(int axis, int part, const std::vector<double>& table) const {
    if (!in_modes(axis)) return table;
    return product(table, closed_lines_[axis].of[part].sources, lines_[axis].of[part].unknowns, *team_);
}

template <class T>
std::vector<double> FaceOperator<T>::to_points(int axis, int part, const std::vector<double>& table) const {
    if (!in_modes(axis)) return table;
    return product(closed_lines_[axis].of[part].modes, table, lines_[axis].of[part].unknowns, *team_);
}

template <class T>
void FaceOperator<T>::put_transforms(int axis) {
    for (int other = 0; other < axis; ++other)
        if (problem_.grid.axes[other] == problem_.grid.axes[axis] && in_modes(other) == in_modes(axis)) {
            forward_[axis] = forward_[other], backward_[axis] = backward_[other];
            results_[axis] = results_[other];
            closed_lines_[axis] = closed_lines_[other];
            return;
        }
    if (in_modes(axis))
        closed_lines_[axis] = make_closed_lines(closed_[axis].axis, lines_[axis].line, modes_[axis].gain);
    for (int c = 0; c < classes(axis); ++c) {
        const Class& mine = lines_[axis].of[c];
        forward_[axis][c] = put(from_points(axis, c, mine.forward), mine.unknowns);
        backward_[axis][c] = put(to_points(axis, c, mine.backward), mine.modes);
        if (in_modes(axis)) results_[axis][c] = put(closed_lines_[axis].of[c].results, mine.unknowns);
    }
}

template <class T>
void FaceOperator<T>::put_between(const lines::FaceTerms& terms, int a, Terms& mine) {
    for (int d = 0; d < 3; ++d) {
        if (d == a || !free(a) || !free(d)) continue;
        for (int part = 0; part < classes(a); ++part)
            for (int other = 0; other < classes(d); ++other) {
                std::vector<double> here;
                for (Index i = 0; i < lines_[a].of[part].unknowns; ++i)
                    for (Index j = 0; j < lines_[d].of[other].unknowns; ++j)
                        here.push_back(static_cast<double>(terms.between[a][part][other][i * unknowns(d) + j]));
                mine.between[a][part][other] =
                    put(to_points(a, part, from_points(d, other, here)), lines_[d].of[other].unknowns);
            }
    }
}

template <class T>
void FaceOperator<T>::put_terms(const lines::FaceTerms& terms) {
    Terms mine;
    const Index nodes = mine.nodes = terms.nodes;
    for (int a = 0; a < 3; ++a) {
        if (terms.added_up) {
            put_between(terms, a, mine);
            continue;
        }
        // Transforms of tables are unnormalised, those here are not. Of an axis that is not free, modes that have
        // other nodes get nothing.
        const long double trip = free(a) ? round_trip(a) : 1.0L;
        std::vector<long double> along;
        for (Index q = 0; q < nodes; ++q)
            for (const Index f : lines_[a].frequencies) {
                const bool here = free(a) || (f >= terms.first && f < terms.last);
                along.push_back(here ? trip * terms.along[a][f * nodes + q] : 0.0L);
            }
        mine.along[a] = put(along);
        for (int part = 0; part < closed_[a].faces; ++part) {
            const Index count = lines_[a].of[part].unknowns;
            const auto& from_face = terms.from_face[a][part];
            std::vector<double> to, from(from_face.begin(), from_face.begin() + count * nodes);
            for (Index q = 0; q < nodes; ++q)
                for (Index i = 0; i < count; ++i)
                    to.push_back(static_cast<double>(terms.to_face[a][part][i * nodes + q]));
            mine.to_face[a][part] = put(from_points(a, part, to), count);
            mine.from_face[a][part] = put(to_points(a, part, from), nodes);
        }
    }
    terms_.push_back(mine);
}

template <class T>
void FaceOperator<T>::put_kernel(const lines::FaceTables& tables, int axis, int part) {
    const int d = beside(axis), e = 3 - axis - d;
    const auto& axes = problem_.grid.axes;
    for (int other = 0; other < axis; ++other) {
        if (!free(other)) continue;
        const int od = beside(other);
        if (!(axes[other] == axes[axis] && axes[od] == axes[d] && axes[3 - other - od] == axes[e])) continue;
        kernels_[axis][part] = kernels_[other][part];
        return;
    }
    const Index rows = tables.axes[d].frequencies, columns = tables.axes[e].frequencies;
    // Besides, half of what is next to a face of cells: transforms there and back leave it as it is.
    std::vector<long double> sums(static_cast<std::size_t>(rows * columns), closed_[axis].mean ? 0.5L : 0.0L);
    long double trip = round_trip(d);
    if (free(e)) trip *= round_trip(e);
    const bool symmetric = free(e) && axes[d] == axes[e];
    const auto add_row = [&](const lines::FaceTerms& terms, Index i) {
        std::vector<long double> of_row(static_cast<std::size_t>(terms.nodes));
        for (Index q = 0; q < terms.nodes; ++q)
            of_row[q] = terms.same[axis][part][q] * terms.along[d][i * terms.nodes + q];
        const Index first = symmetric ? i : free(e) ? 0 : terms.first, last = free(e) ? columns : terms.last;
        for (Index j = first; j < last;) {
            const auto add = [&]<int together>() {
                auto sum = products<together>(of_row, terms.along[e].data() + j * terms.nodes);
                if (terms.added_up) sum.fill(terms.kernel[axis][part][i]);
                for (const long double mine : sum) sums[static_cast<std::size_t>(i * columns + j++)] += trip * mine;
            };
            last - j < 4 ? add.template operator()<1>() : add.template operator()<4>();
        }
    };
    for (const lines::FaceTerms& terms : tables.terms)
        team_->parallel_for(rows, 8, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) add_row(terms, i);
        });
    for (Index i = 0; symmetric && i < rows; ++i)
        for (Index j = 0; j < i; ++j)
            sums[static_cast<std::size_t>(i * columns + j)] = sums[static_cast<std::size_t>(j * columns + i)];
    std::vector<long double> kernel;
    for (const Index i : lines_[d].frequencies)
        for (const Index j : lines_[e].frequencies)
            kernel.push_back(sums[static_cast<std::size_t>(i * columns + j)]);
    kernels_[axis][part] = put(kernel);
}

template <class T>
void FaceOperator<T>::put_kernel_alone(const lines::FaceTables& tables, int axis, int part) {
    const int d = beside(axis), e = 3 - axis - d;
    const lines::ClosedEnds ends(problem_.grid.axes[axis], closed_[axis], !takes_constant(problem_));
    std::array<std::vector<double>, 3> mu;
    bool constant = problem_.helmholtz == 0.0;
    for (const int a : {d, e}) {
        mu[a] = eigenvalues(tables.axes[a].lines, Discretization::second_order);
        constant = constant && kinds_[a].constant_mode;
    }
    std::vector<double> kernel;
    for (const Index i : lines_[d].frequencies)
        for (const Index j : lines_[e].frequencies) {
            double square =
                problem_.helmholtz - mu[d][static_cast<std::size_t>(i)] - mu[e][static_cast<std::size_t>(j)];
            if (constant && i == 0 && j == 0) square = 0.0;  // rounding must not decay
            kernel.push_back(ends.factor(std::sqrt(std::max(square, 0.0)), part));
        }
    kernels_[axis][part] = put(kernel);
}

template class FaceOperator<float>;
template class FaceOperator<double>;

}  // namespace poisson3d::walled
