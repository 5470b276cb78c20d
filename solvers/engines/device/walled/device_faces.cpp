#include "device_faces.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "axis_kind.hpp"
#include "line_modes.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::walled {

template <class T>
FaceOperator<T>::FaceOperator(const Problem& problem, const std::array<lines::ClosedAxis, 3>& closed)
    : problem_(problem), closed_(closed) {
    const lines::FaceTables tables = lines::make_face_tables(problem, closed, std::numeric_limits<T>::epsilon());
    faces_ = tables.axes;
    for (int a = 0; a < 3; ++a) kinds_[a] = axis_kind(problem.grid.axes[a]), put_transforms(a);
    for (const lines::FaceTerms& terms : tables.terms) put_terms(terms);
    for (int a = 0; a < 3; ++a)
        for (int part = 0; part < parts(a); ++part) put_kernel(tables, a, part);
}

template <class T>
int FaceOperator<T>::beside(int axis) const {
    for (int d = 0; d < 3; ++d)
        if (d != axis && free(d)) return d;
    return -1;
}

template <class T>
Index FaceOperator<T>::put(const std::vector<T>& table) {
    const auto begin = static_cast<Index>(tables_.size());
    tables_.insert(tables_.end(), table.begin(), table.end());
    return begin;
}

/// The transforms of the lines of an axis, of padded ones the samples that are there.
template <class T>
void FaceOperator<T>::put_transforms(int axis) {
    for (int other = 0; other < axis; ++other)
        if (problem_.grid.axes[other] == problem_.grid.axes[axis]) {
            modes_[axis] = modes_[other], frequency_[axis] = frequency_[other];
            forward_[axis] = forward_[other], backward_[axis] = backward_[other];
            return;
        }
    const lines::FaceAxis& face = faces_[axis];
    const lines::LineModes modes = lines::make_line_modes(face.lines);
    const Index m = axis_kind(face.lines).unknowns, n = face.count;
    modes_[axis] = m;
    for (const Index mode : modes.slots) frequency_[axis].push_back(face.frequency(mode));
    std::vector<T> forward, backward;
    for (Index k = 0; k < m; ++k)
        for (Index j = 0; j < n; ++j) forward.push_back(static_cast<T>(modes.forward[k * m + face.offset + j]));
    for (Index j = 0; j < n; ++j)
        for (Index k = 0; k < m; ++k) backward.push_back(static_cast<T>(modes.backward[(face.offset + j) * m + k]));
    forward_[axis] = put(forward);
    backward_[axis] = put(backward);
}

template <class T>
void FaceOperator<T>::put_terms(const lines::FaceTerms& terms) {
    Terms mine;
    const auto rounded = [](const auto& numbers) { return std::vector<T>(numbers.begin(), numbers.end()); };
    const Index nodes = mine.nodes = terms.nodes;
    for (int a = 0; a < 3; ++a) {
        for (int part = 0; part < parts(a) && terms.added_up; ++part)
            for (int other = 0; other < 2; ++other)
                mine.between[a][part][other] = put(rounded(terms.between[a][part][other]));
        if (terms.added_up) continue;
        // Transforms of tables are unnormalised, those here are not. Of an axis that is not free, modes that have
        // other nodes get nothing.
        const long double trip = free(a) ? static_cast<long double>(axis_kind(faces_[a].lines).round_trip) : 1.0L;
        std::vector<T> along;
        for (Index q = 0; q < nodes; ++q)
            for (const Index f : frequency_[a]) {
                const bool here = free(a) || (f >= terms.first && f < terms.last);
                along.push_back(here ? static_cast<T>(trip * terms.along[a][f * nodes + q]) : T(0));
            }
        mine.along[a] = put(along);
        for (int part = 0; part < parts(a); ++part) {
            std::vector<T> to;
            for (Index q = 0; q < nodes; ++q)
                for (Index i = 0; i < unknowns(a); ++i)
                    to.push_back(static_cast<T>(terms.to_face[a][part][i * nodes + q]));
            mine.to_face[a][part] = put(to);
            mine.from_face[a][part] = put(rounded(terms.from_face[a][part]));
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
    const Index rows = faces_[d].frequencies, columns = faces_[e].frequencies;
    std::vector<long double> sums(static_cast<std::size_t>(rows * columns), 0.0L);
    auto trip = static_cast<long double>(axis_kind(faces_[d].lines).round_trip);
    if (free(e)) trip *= static_cast<long double>(axis_kind(faces_[e].lines).round_trip);
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
    std::vector<T> kernel;
    for (const Index i : frequency_[d])
        for (const Index j : frequency_[e])
            kernel.push_back(static_cast<T>(sums[static_cast<std::size_t>(i * columns + j)]));
    kernels_[axis][part] = put(kernel);
}

template <class T>
void FaceOperator<T>::reserve(device::WorkspaceLayout& layout) {
    tables_offset_ = layout.take(tables_.size() * sizeof(T));
    arrays_offset_ = layout.take(static_cast<std::size_t>(place_arrays(nullptr)) * sizeof(T));
}

/// Arrays from `next` on; how many elements they take.
template <class T>
Index FaceOperator<T>::place_arrays(T* const begin) {
    Index next = 0, nodes = 1, face = 1, lines = 1, modes = 1, longest = 1;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            if (a == b) continue;
            face = std::max(face, unknowns(a) * unknowns(b));
            lines = std::max(lines, unknowns(a) * modes_[b]);
            modes = std::max(modes, modes_[a] * modes_[b]);
            longest = std::max(longest, modes_[a]);
        }
    for (const Terms& terms : terms_) nodes = std::max(nodes, terms.nodes);
    const auto take = [&](Index count) { return begin + std::exchange(next, next + count); };
    for (int a = 0; a < 3; ++a)
        for (int part = 0; part < parts(a); ++part) part_[a][part] = take(face), value_[a][part] = take(face);
    lines_ = take(lines), face_modes_ = take(modes), at_nodes_ = take(nodes * longest);
    given_ = {take(lines), take(lines)};
    return next;
}

template <class T>
void FaceOperator<T>::upload(std::byte* workspace) {
    copy_to_device(workspace + tables_offset_, tables_.data(), tables_.size() * sizeof(T));
    tables_there_ = reinterpret_cast<const T*>(workspace + tables_offset_);
    synchronize();
    tables_ = {};
    place_arrays(reinterpret_cast<T*>(workspace + arrays_offset_));
}

template <class T>
Matrix<T> FaceOperator<T>::face(T* data, int axis, int rows) const {
    const auto [first, second] = across(axis);
    const Matrix<T> as_it_lies{data, unknowns(second), 1};
    return rows == first ? as_it_lies : as_it_lies.transposed();
}

template <class T>
void FaceOperator<T>::multiply(Matrix<const T> left, Matrix<const T> right, Matrix<T> out, Index rows, Index inner,
                               Index columns, bool add, Stream stream) const {
    launch_product<T>({left, right, out, rows, inner, columns, add}, stream);
}

/// u next to the free faces, and as values what u of the closed box has there: ½ of it for cells.
template <class T>
void FaceOperator<T>::take_parts(FieldView<const T> u, Stream stream) const {
    const T* first = u.data;
    for (int a = 0; a < 3; ++a) first += kinds_[a].first * u.strides[a];
    for (int a = 0; a < 3; ++a) {
        if (!free(a)) continue;
        const auto [d, e] = across(a);
        FaceParts<T> taken;
        const Axis& axis = problem_.grid.axes[a];
        if (axis.lower == Boundary::free) taken.face[0] = first;
        if (axis.upper == Boundary::free) taken.face[1] = first + (unknowns(a) - 1) * u.strides[a];
        taken.row = u.strides[d], taken.column = u.strides[e];
        taken.rows = unknowns(d), taken.columns = unknowns(e);
        for (int part = 0; part < 2; ++part) taken.part[part] = part_[a][part], taken.value[part] = value_[a][part];
        taken.times = closed_[a].mean ? T(0.5) : T(0);
        launch_parts(taken, stream);
    }
}

/// From the faces of axis a to those of axis d, in modes of the third one; where d is the first one, also from the
/// faces of a to themselves.
template <class T>
void FaceOperator<T>::from_to(int a, int d, Stream stream) const {
    const int e = 3 - a - d;
    const Index n_a = unknowns(a), n_d = unknowns(d), n_e = unknowns(e), m_e = modes_[e];
    const Matrix<T> lines{lines_, m_e, 1};
    const Matrix<const T> forward{table(forward_[e]), n_e, 1}, backward{table(backward_[e]), m_e, 1};
    for (int part = 0; part < parts(a); ++part) {
        const Matrix<T> charges = face(part_[a][part], a, d);
        multiply({charges.data, charges.row, charges.column}, forward.transposed(), lines, n_d, n_e, m_e, false,
                 stream);
        bool add = part > 0;
        for (const Terms& terms : terms_) {
            if (terms.nodes == 0) continue;
            for (int target = 0; target < parts(d); ++target) {
                multiply({table(terms.to_face[d][target]), n_d, 1}, {lines_, m_e, 1}, {at_nodes_, m_e, 1},
                         terms.nodes, n_d, m_e, false, stream);
                launch_times(table(terms.along[e]), at_nodes_, terms.nodes * m_e, stream);
                multiply({table(terms.from_face[a][part]), terms.nodes, 1}, {at_nodes_, m_e, 1},
                         {given_[target], m_e, 1}, n_a, terms.nodes, m_e, add, stream);
            }
            add = true;
        }
        for (const Terms& terms : terms_) {
            if (terms.nodes > 0) continue;
            for (int target = 0; target < parts(d); ++target)
                multiply({table(terms.between[a][part][target]), n_d, 1}, {lines_, m_e, 1},
                         {given_[target], m_e, 1}, n_a, n_d, 1, add, stream);
        }
        if (d == beside(a)) on_itself(a, d, part, stream);
    }
    for (int target = 0; target < parts(d); ++target)
        multiply({given_[target], m_e, 1}, backward.transposed(), face(value_[d][target], d, a), n_a, m_e, n_e,
                 true, stream);
}

/// Of what `lines_` has.
template <class T>
void FaceOperator<T>::on_itself(int a, int d, int part, Stream stream) const {
    const int e = 3 - a - d;
    const Index n_d = unknowns(d), n_e = unknowns(e), m_d = modes_[d], m_e = modes_[e];
    multiply({table(forward_[d]), n_d, 1}, {lines_, m_e, 1}, {face_modes_, m_e, 1}, m_d, n_d, m_e, false, stream);
    launch_times(table(kernels_[a][part]), face_modes_, m_d * m_e, stream);
    multiply({table(backward_[d]), m_d, 1}, {face_modes_, m_e, 1}, {lines_, m_e, 1}, n_d, m_d, m_e, false, stream);
    const Matrix<const T> backward{table(backward_[e]), m_e, 1};
    multiply({lines_, m_e, 1}, backward.transposed(), face(value_[a][part], a, d), n_d, m_e, n_e, true, stream);
}

template <class T>
void FaceOperator<T>::run(FieldView<const T> u, const FaceArrays<T>& values, Stream stream) const {
    take_parts(u, stream);
    for (int a = 0; a < 3; ++a)
        for (int d = 0; d < 3; ++d)
            if (a != d && free(a) && free(d)) from_to(a, d, stream);
    for (int a = 0; a < 3; ++a) {
        if (!free(a)) continue;
        const auto [d, e] = across(a);
        FacesOfParts<T> faces;
        faces.row = problem_.grid.axes[e].points;
        faces.rows = unknowns(d), faces.columns = unknowns(e);
        for (int side = 0; side < 2; ++side) {
            faces.value[side] = value_[a][side];
            if ((side == 0 ? problem_.grid.axes[a].lower : problem_.grid.axes[a].upper) == Boundary::free)
                faces.face[side] = values[a][side] + kinds_[d].first * faces.row + kinds_[e].first;
        }
        launch_faces(faces, stream);
    }
}

template class FaceOperator<float>;
template class FaceOperator<double>;

}  // namespace poisson3d::walled
