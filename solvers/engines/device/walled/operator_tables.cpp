// The tables of the face operator (device_faces.hpp): transforms of its axes, tables of times, kernels of faces on
// themselves.
#include "device_faces.hpp"

namespace poisson3d::walled {

template <class T>
int FaceOperator<T>::beside(int axis) const {
    for (int d = 0; d < 3; ++d)
        if (d != axis && free(d)) return d;
    return -1;
}

/// Of padded lines, or others, there and back.
template <class T>
long double FaceOperator<T>::round_trip(int axis) const {
    return static_cast<long double>(axis_kind(lines::face_axis(problem_.grid.axes[axis]).lines).round_trip);
}

template <class T>
template <class Numbers>
Index FaceOperator<T>::put(const Numbers& numbers) {
    const auto begin = static_cast<Index>(tables_.size());
    for (const auto number : numbers) tables_.push_back(static_cast<T>(number));
    return begin;
}

template <class T>
void FaceOperator<T>::put_transforms(int axis) {
    for (int other = 0; other < axis; ++other)
        if (problem_.grid.axes[other] == problem_.grid.axes[axis]) {
            forward_[axis] = forward_[other], backward_[axis] = backward_[other];
            return;
        }
    for (int c = 0; c < classes(axis); ++c) {
        forward_[axis][c] = put(lines_[axis].of[c].forward);
        backward_[axis][c] = put(lines_[axis].of[c].backward);
    }
}

template <class T>
void FaceOperator<T>::put_terms(const lines::FaceTerms& terms) {
    Terms mine;
    const Index nodes = mine.nodes = terms.nodes;
    for (int a = 0; a < 3; ++a) {
        for (int part = 0; part < closed_[a].faces && terms.added_up; ++part)
            for (int other = 0; other < 2; ++other)
                mine.between[a][part][other] = put(terms.between[a][part][other]);
        if (terms.added_up) continue;
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
            std::vector<long double> to;
            for (Index q = 0; q < nodes; ++q)
                for (Index i = 0; i < lines_[a].of[part].unknowns; ++i)
                    to.push_back(terms.to_face[a][part][i * nodes + q]);
            mine.to_face[a][part] = put(to);
            mine.from_face[a][part] = put(terms.from_face[a][part]);
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
    std::vector<long double> sums(static_cast<std::size_t>(rows * columns), 0.0L);
    long double trip = round_trip(d);
    if (free(e)) trip *= round_trip(e);
    for (const lines::FaceTerms& terms : tables.terms)
        for (Index i = 0; i < rows; ++i)
            for (Index j = free(e) ? 0 : terms.first; j < (free(e) ? columns : terms.last); ++j) {
                long double sum = 0.0L;
                for (Index q = 0; q < terms.nodes; ++q)
                    sum += terms.same[axis][part][q] * terms.along[d][i * terms.nodes + q] *
                           terms.along[e][j * terms.nodes + q];
                if (terms.added_up) sum = terms.kernel[axis][part][i];
                sums[static_cast<std::size_t>(i * columns + j)] += trip * sum;
            }
    std::vector<long double> kernel;
    for (const Index i : lines_[d].frequencies)
        for (const Index j : lines_[e].frequencies)
            kernel.push_back(sums[static_cast<std::size_t>(i * columns + j)]);
    kernels_[axis][part] = put(kernel);
}

template class FaceOperator<float>;
template class FaceOperator<double>;

}  // namespace poisson3d::walled
