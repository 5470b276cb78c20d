#include "device_faces.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "free_faces.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::walled {

template <class T>
FaceOperator<T>::FaceOperator(const Problem& problem, const std::array<lines::ClosedAxis, 3>& closed)
    : problem_(problem), closed_(closed) {
    const lines::FaceTables tables = lines::make_face_tables(problem, closed, std::numeric_limits<T>::epsilon());
    for (int a = 0; a < 3; ++a) {
        kinds_[a] = axis_kind(problem.grid.axes[a]);
        lines_[a] = make_face_lines(tables.axes[a]);
        put_transforms(a);
    }
    for (const lines::FaceTerms& terms : tables.terms) put_terms(terms);
    for (int a = 0; a < 3; ++a)
        for (int part = 0; part < closed[a].faces; ++part) put_kernel(tables, a, part);
    place_arrays();
}

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

template <class T>
void FaceOperator<T>::place_arrays() {
    Index most_nodes = 0;
    for (const Terms& terms : terms_) most_nodes = std::max(most_nodes, terms.nodes);
    const auto take = [&](Index count) { return std::exchange(arrays_.end, arrays_.end + count); };
    for (int a = 0; a < 3; ++a) {
        if (!free(a)) continue;
        const int first = beside(a);
        arrays_.parts[a] = take(closed_[a].faces * unknowns((a + 1) % 3) * unknowns((a + 2) % 3));
        arrays_.modes[a] = take(closed_[a].faces * modes(first) * modes(3 - a - first));
        for (int d = 0; d < 3; ++d) {
            if (d == a || !free(d)) continue;
            const int e = 3 - a - d;
            arrays_.lines[a][e] = take(closed_[a].faces * unknowns(d) * modes(e));
            arrays_.given[a][e] = take(closed_[a].faces * unknowns(d) * modes(e));
            arrays_.nodes[a][e] = take(closed_[a].faces * closed_[d].faces * most_nodes * modes(e));
        }
    }
}

template <class T>
void FaceOperator<T>::reserve(device::WorkspaceLayout& layout) {
    tables_offset_ = layout.take(tables_.size() * sizeof(T));
    products_offset_ = layout.take(most_products * sizeof(Product<T>));
}

template <class T>
void FaceOperator<T>::upload(std::byte* workspace, T* room) {
    tables_there_ = reinterpret_cast<const T*>(workspace + tables_offset_);
    arrays_there_ = room;
    list_products();
    copy_to_device(workspace + tables_offset_, tables_.data(), tables_.size() * sizeof(T));
    auto* table = reinterpret_cast<Product<T>*>(workspace + products_offset_);
    for (int step = 0; step < steps; ++step) {
        const std::vector<Product<T>>& mine = listed_[step];
        copy_to_device(table, mine.data(), mine.size() * sizeof(Product<T>));
        products_[step] = {table, static_cast<Index>(mine.size())};
        for (const Product<T>& product : mine) {
            products_[step].rows = std::max(products_[step].rows, product.rows);
            products_[step].columns = std::max(products_[step].columns, product.columns);
        }
        table += mine.size();
    }
    synchronize();
    tables_ = {};
    listed_ = {};
}

template <class T>
Matrix<T> FaceOperator<T>::parts(int a, const Mix& mix, int rows) const {
    const auto [first, second] = across(a);
    const Index row = unknowns(second);
    const Matrix<T> as_it_lies =
        array(arrays_.parts[a] + (mix[a] * unknowns(first) + of(first, mix).first_unknown) * row +
                  of(second, mix).first_unknown,
              row);
    return rows == first ? as_it_lies : as_it_lies.transposed();
}

template <class T>
Matrix<T> FaceOperator<T>::lines(const std::array<std::array<Index, 3>, 3>& arrays, int a, int e,
                                 const Mix& mix) const {
    const int d = 3 - a - e;
    return array(
        arrays[a][e] + (mix[a] * unknowns(d) + of(d, mix).first_unknown) * modes(e) + of(e, mix).first_mode,
        modes(e));
}

template <class T>
Matrix<T> FaceOperator<T>::nodes(int a, int e, const Mix& mix) const {
    const int d = 3 - a - e;
    Index most = 0;
    for (const Terms& terms : terms_) most = std::max(most, terms.nodes);
    return array(arrays_.nodes[a][e] + (mix[a] * classes(d) + mix[d]) * most * modes(e) + of(e, mix).first_mode,
                 modes(e));
}

template <class T>
Matrix<T> FaceOperator<T>::modes(int a, const Mix& mix) const {
    const int d = beside(a), e = 3 - a - d;
    return array(arrays_.modes[a] + (mix[a] * modes(d) + of(d, mix).first_mode) * modes(e) + of(e, mix).first_mode,
                 modes(e));
}

namespace {

template <class T>
Matrix<const T> read_only(const Matrix<T>& matrix) {
    return {matrix.data, matrix.row, matrix.column};
}

template <class T>
void add_term(Product<T>& product, Matrix<const T> a, Matrix<const T> b, Index inner, Index columns) {
    if (inner > 0) product.term[product.terms++] = {a, b, inner, columns};
}

}  // namespace

template <class T>
void FaceOperator<T>::add(int step, const Product<T>& product) {
    if (product.rows > 0 && product.columns > 0) listed_[step].push_back(product);
}

template <class T>
void FaceOperator<T>::list_products() {
    for (auto& of_step : listed_) of_step.clear();
    for (int x = 0; x < classes(0); ++x)
        for (int y = 0; y < classes(1); ++y)
            for (int z = 0; z < classes(2); ++z) list_products({x, y, z});
}

template <class T>
void FaceOperator<T>::list_products(const Mix& mix) {
    for (int a = 0; a < 3; ++a) {
        if (!free(a)) continue;
        for (int d = 0; d < 3; ++d)
            if (d != a && free(d)) from_to(a, d, mix);
        // Step 4: given along one axis, in modes of the other.
        const auto [rows, columns] = across(a);
        Product<T> values;
        values.out = parts(a, mix, rows);
        values.rows = of(rows, mix).unknowns, values.columns = of(columns, mix).unknowns;
        if (free(rows))
            add_term(values, read_only(lines(arrays_.given, a, columns, mix)),
                     table(backward_[columns][mix[columns]], of(columns, mix).modes).transposed(),
                     of(columns, mix).modes, values.columns);
        if (free(columns))
            add_term(values, table(backward_[rows][mix[rows]], of(rows, mix).modes),
                     read_only(lines(arrays_.given, a, rows, mix).transposed()), of(rows, mix).modes,
                     values.columns);
        add(3, values);
    }
}

template <class T>
void FaceOperator<T>::from_to(int a, int d, const Mix& mix) {
    const int e = 3 - a - d;
    const Class &at_a = of(a, mix), &at_d = of(d, mix), &at_e = of(e, mix);
    const auto rows_of_e = static_cast<Index>(lines_[e].frequencies.size());
    const Matrix<const T> charges = read_only(lines(arrays_.lines, a, e, mix));

    Product<T> transformed;
    transformed.out = lines(arrays_.lines, a, e, mix);
    transformed.rows = at_d.unknowns, transformed.columns = at_e.modes;
    add_term(transformed, read_only(parts(a, mix, d)), table(forward_[e][mix[e]], at_e.unknowns).transposed(),
             at_e.unknowns, at_e.modes);
    add(0, transformed);

    Product<T> given;
    given.out = lines(arrays_.given, d, e, mix);
    given.rows = at_a.unknowns, given.columns = at_e.modes;
    for (const Terms& terms : terms_) {
        if (terms.nodes == 0) {
            add_term(given, table(terms.between[a][mix[a]][mix[d]], unknowns(d)), charges, at_d.unknowns, 1);
            continue;
        }
        Product<T> at_nodes;
        at_nodes.out = nodes(a, e, mix);
        at_nodes.rows = terms.nodes, at_nodes.columns = at_e.modes;
        at_nodes.times = table(terms.along[e] + at_e.first_row, rows_of_e);
        add_term(at_nodes, table(terms.to_face[d][mix[d]], at_d.unknowns), charges, at_d.unknowns, at_e.modes);
        add(1, at_nodes);
        add_term(given, table(terms.from_face[a][mix[a]], terms.nodes), read_only(nodes(a, e, mix)), terms.nodes,
                 at_e.modes);
    }
    // Faces of d on themselves, by way of a.
    if (a == beside(d))
        add_term(given, table(backward_[a][mix[a]], at_a.modes), read_only(modes(d, mix)), at_a.modes, at_e.modes);
    add(2, given);

    if (d != beside(a)) return;
    Product<T> convolved;
    convolved.out = modes(a, mix);
    convolved.rows = at_d.modes, convolved.columns = at_e.modes;
    convolved.times = table(kernels_[a][mix[a]] + at_d.first_row * rows_of_e + at_e.first_row, rows_of_e);
    add_term(convolved, table(forward_[d][mix[d]], at_d.unknowns), charges, at_d.unknowns, at_e.modes);
    add(1, convolved);
}

template <class T>
AllFacePlanes<T> FaceOperator<T>::planes(FieldView<const T> u, const FaceArrays<T>& values) const {
    const T* first = u.data;
    for (int a = 0; a < 3; ++a) first += kinds_[a].first * u.strides[a];
    AllFacePlanes<T> all;
    for (int a = 0; a < 3; ++a) {
        if (!free(a)) continue;
        const auto [d, e] = across(a);
        FacePlanes<T>& mine = all.of[a];
        mine.row = u.strides[d], mine.column = u.strides[e];
        mine.rows = lines_[d].line, mine.columns = lines_[e].line;
        mine.parts = arrays_there_ + arrays_.parts[a];
        mine.times = closed_[a].mean ? T(0.5) : T(0);
        mine.face_row = problem_.grid.axes[e].points;
        for (int side = 0; side < 2; ++side) {
            if (!is_free(problem_.grid.axes[a], side)) continue;
            mine.in[side] = first + (side == 0 ? 0 : unknowns(a) - 1) * u.strides[a];
            mine.face[side] = values[a][side] + kinds_[d].first * mine.face_row + kinds_[e].first;
        }
    }
    return all;
}

template <class T>
void FaceOperator<T>::run(FieldView<const T> u, const FaceArrays<T>& values, Stream stream) const {
    const AllFacePlanes<T> all = planes(u, values);
    launch_take(all, stream);
    for (const Products<T>& of_step : products_) launch_products(of_step, stream);
    launch_give(all, stream);
}

template <class T>
void FaceOperator<T>::translate(FieldView<const T> u, const FaceArrays<T>& values, Stream stream) const {
    AllFacePlanes<T> all = planes(u, values);
    bool any = false;
    for (int a = 0; a < 3; ++a) {
        any = any || translates(a);
        if (!translates(a)) all.of[a] = {};
    }
    if (any) launch_move_outside(all, stream);
}

template class FaceOperator<float>;
template class FaceOperator<double>;

}  // namespace poisson3d::walled
