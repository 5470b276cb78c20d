// The products of matrices that the face operator is (device_faces.hpp), listed by step.
#include "device_faces.hpp"

namespace poisson3d::walled {

template <class T>
Matrix<T> FaceOperator<T>::of_faces(T* data, int a, const Mix& mix, int rows) const {
    const auto [first, second] = across(a);
    const Index row = unknowns(second);
    const Matrix<T> as_it_lies{
        data + (mix[a] * unknowns(first) + of(first, mix).first_unknown) * row + of(second, mix).first_unknown, row,
        1};
    return rows == first ? as_it_lies : as_it_lies.transposed();
}

template <class T>
Matrix<T> FaceOperator<T>::lines(const std::array<std::array<Index, 3>, 3>& arrays, int a, int e,
                                 const Mix& mix) const {
    const int d = 3 - a - e;
    return array(
        arrays[a][e] + (mix[a] * unknowns(d) + of(d, mix).first_unknown) * places(e) + of(e, mix).first_place,
        places(e));
}

template <class T>
Matrix<T> FaceOperator<T>::nodes(int a, int e, const Mix& mix) const {
    const int d = 3 - a - e;
    Index most = 0;
    for (const Terms& terms : terms_) most = std::max(most, terms.nodes);
    return array(arrays_.nodes[a][e] + (mix[a] * classes(d) + mix[d]) * most * places(e) + of(e, mix).first_place,
                 places(e));
}

template <class T>
Matrix<T> FaceOperator<T>::modes(int a, const Mix& mix) const {
    const int d = beside(a), e = 3 - a - d;
    return array(
        arrays_.modes[a] + (mix[a] * places(d) + of(d, mix).first_place) * places(e) + of(e, mix).first_place,
        places(e));
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
        if (alone(a)) {
            list_alone(a, mix);
            if (any_in_modes()) list_values(a, mix);
            continue;
        }
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
        if (any_in_modes()) list_values(a, mix);
    }
}

template <class T>
void FaceOperator<T>::list_values(int a, const Mix& mix) {
    const auto [rows, columns] = across(a);
    Product<T> product;
    product.rows = of(rows, mix).unknowns, product.columns = of(columns, mix).unknowns;
    Matrix<T> here = parts(a, mix, rows);
    const Matrix<T> values = of_faces(arrays_there_ + arrays_.values[a], a, mix, rows);
    int step = steps_of_operator;
    if (in_modes(rows)) {
        product.out = in_modes(columns) ? of_faces(arrays_there_ + arrays_.turned[a], a, mix, rows) : values;
        add_term(product, table(results_[rows][mix[rows]], product.rows), read_only(here), product.rows,
                 product.columns);
        add(step++, product);
        here = product.out;
        product.terms = 0;
    }
    if (!in_modes(columns)) return;
    product.out = values;
    add_term(product, read_only(here), table(results_[columns][mix[columns]], product.columns).transposed(),
             product.columns, product.columns);
    add(step, product);
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
            add_term(given, table(terms.between[a][mix[a]][mix[d]], at_d.unknowns), charges, at_d.unknowns, 1);
            continue;
        }
        Product<T> at_nodes;
        at_nodes.out = nodes(a, e, mix);
        at_nodes.rows = terms.nodes, at_nodes.columns = at_e.modes;
        at_nodes.times = times(terms.along[e] + at_e.first_row, rows_of_e);
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
    convolved.times = times(kernels_[a][mix[a]] + at_d.first_row * rows_of_e + at_e.first_row, rows_of_e);
    add_term(convolved, table(forward_[d][mix[d]], at_d.unknowns), charges, at_d.unknowns, at_e.modes);
    add(1, convolved);
}

template <class T>
void FaceOperator<T>::list_alone(int a, const Mix& mix) {
    const int d = beside(a), e = 3 - a - d;
    const Class &at_d = of(d, mix), &at_e = of(e, mix);
    const auto rows_of_e = static_cast<Index>(lines_[e].frequencies.size());
    const Matrix<T> between = lines(arrays_.lines, a, e, mix);
    Product<T> product;
    const auto list = [&](int step, const Matrix<T>& out, Index rows, Index columns, const Matrix<const T>& left,
                          const Matrix<const T>& right, Index inner) {
        product.out = out, product.rows = rows, product.columns = columns;
        product.terms = 0;
        add_term(product, left, right, inner, columns);
        add(step, product);
        product.times = {};
    };
    list(0, between, at_d.unknowns, at_e.modes, read_only(parts(a, mix, d)),
         table(forward_[e][mix[e]], at_e.unknowns).transposed(), at_e.unknowns);
    product.times = times(kernels_[a][mix[a]], rows_of_e);
    list(1, modes(a, mix), at_d.modes, at_e.modes, table(forward_[d][mix[d]], at_d.unknowns), read_only(between),
         at_d.unknowns);
    list(2, between, at_d.unknowns, at_e.modes, table(backward_[d][mix[d]], at_d.modes), read_only(modes(a, mix)),
         at_d.modes);
    list(3, parts(a, mix, d), at_d.unknowns, at_e.unknowns, read_only(between),
         table(backward_[e][mix[e]], at_e.modes).transposed(), at_e.modes);
}

template class FaceOperator<float>;
template class FaceOperator<double>;

}  // namespace poisson3d::walled
