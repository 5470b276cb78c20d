#include "poisson3d/known_fields.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "counter_random.hpp"
#include "formulas.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

const std::vector<KnownField>& known_fields() {
    static const std::vector<KnownField> fields{
        {"sine", "sin(pi x/Lx) sin(2 pi y/Ly) sin(3 pi z/Lz)", "dirichlet", false, true},
        {"cosine", "cos(pi x/Lx) cos(2 pi y/Ly) cos(3 pi z/Lz)", "neumann", false, true},
        {"waves", "four periodic waves with unequal wave numbers and phases", "periodic", false, true},
        {"mixed", "two products of eigenfunctions of each axis' own faces",
         "x=periodic,y=dirichlet:neumann,z=neumann", true, true},
        {"channel", "pressure-like waves between walls: exponential layers in y, no eigenfunction",
         "x=periodic,y=neumann,z=periodic", false, true},
        {"taylor-green", "pressure of the Taylor-Green vortex: (cos 2X + cos 2Y)(cos 2Z + 2)/16 on a cube",
         "periodic", false, true},
        {"polynomial", "product of 4 t (1 - t) (1 + c t^2), c = 1, 2, 3, t = x/Lx, y/Ly, z/Lz", "dirichlet", false,
         true},
        {"random", "independent uniform numbers in [-1, 1), a function of seed and index", "periodic", true, false},
    };
    return fields;
}

const KnownField& known_field(const std::string& name) {
    const auto& fields = known_fields();
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const KnownField& f) { return f.name == name; });
    if (found != fields.end()) return *found;
    std::string names;
    for (const KnownField& field : fields) names += (names.empty() ? "" : ", ") + field.name;
    throw Error(ErrorCode::usage, "there is no known field '" + name + "'; there are " + names);
}

namespace {

// One factor of a term at all stored points first … first + count − 1 of an axis; `second` by physical length.
struct Table {
    std::vector<double> value, second;
};

Table tabulate(const AxisFunction& function, const Axis& axis, Index first, Index count) {
    Table table;
    const double length = axis.length(), offset = axis.centering == Centering::cell ? 0.5 : 0.0;
    for (Index j = first; j < first + count; ++j) {
        const Sample sample = function((static_cast<double>(j) + offset) * axis.spacing / length);
        table.value.push_back(sample.value);
        table.second.push_back(sample.second / (length * length));
    }
    return table;
}

struct TermTables {
    double amplitude = 1.0;
    std::array<Table, 3> axes;
};

// Sines and cosines are evaluated once per axis; a point then costs two multiplications and additions a term.
std::vector<TermTables> tabulate(const std::vector<Term>& terms, const Grid& grid, Index first, Index count) {
    std::vector<TermTables> tables;
    for (const Term& term : terms) {
        TermTables table{term.amplitude, {}};
        for (std::size_t a = 0; a < 3; ++a)
            table.axes[a] =
                tabulate(term.factors[a], grid.axes[a], a == 0 ? first : 0, a == 0 ? count : grid.axes[a].points);
        tables.push_back(std::move(table));
    }
    return tables;
}

// row[k] += p c[k] + q c''[k]
void accumulate(std::vector<double>& row, const Table& c, double p, double q) {
    const double* value = c.value.data();
    const double* second = c.second.data();
    double* sum = row.data();
    const std::size_t count = row.size();
    for (std::size_t k = 0; k < count; ++k) sum[k] += p * value[k] + q * second[k];
}

template <class T>
void store(const std::vector<double>& row, T* out) {
    for (std::size_t k = 0; k < row.size(); ++k) out[k] = static_cast<T>(row[k]);
}

// f of one row: (a'' b + a b'' − λ a b) c + a b c'', summed over the terms; u is a b c.
template <class T>
void fill_rows(const std::vector<TermTables>& terms, double helmholtz, Index i, Index j, FieldView<T> rhs,
               FieldView<T> exact, std::vector<double>& row) {
    const auto x = static_cast<std::size_t>(i), y = static_cast<std::size_t>(j);
    const auto fill = [&](FieldView<T> view, bool solution) {
        std::fill(row.begin(), row.end(), 0.0);
        for (const TermTables& term : terms) {
            const auto& [a, b, c] = term.axes;
            const double product = term.amplitude * a.value[x] * b.value[y];
            const double laplacian = term.amplitude * (a.second[x] * b.value[y] + a.value[x] * b.second[y]);
            if (solution)
                accumulate(row, c, product, 0.0);
            else
                accumulate(row, c, laplacian - helmholtz * product, product);
        }
        store(row, &view(i, j, 0));
    };
    if (rhs.data != nullptr) fill(rhs, false);
    if (exact.data != nullptr) fill(exact, true);
}

template <class T>
void fill_random(const Grid& grid, std::uint64_t seed, Index first, FieldView<T> rhs) {
    const Extents points = grid.points();
    for (Index i = 0; i < rhs.extents[0]; ++i)
        for (Index j = 0; j < points[1]; ++j) {
            T* row = &rhs(i, j, 0);
            const auto start = static_cast<std::uint64_t>(((first + i) * points[1] + j) * points[2]);
            for (Index k = 0; k < points[2]; ++k) row[k] = uniform<T>(seed, start + static_cast<std::uint64_t>(k));
        }
}

template <class T>
Index planes_of(const Grid& grid, Index first, FieldView<T> rhs, FieldView<T> exact) {
    const Extents points = grid.points();
    Index planes = 0;
    for (const FieldView<T>& view : {rhs, exact}) {
        if (view.data == nullptr) continue;
        if (first < 0 || first + view.extents[0] > points[0] || view.extents[1] != points[1] ||
            view.extents[2] != points[2] || (planes != 0 && planes != view.extents[0]))
            throw Error(ErrorCode::usage, "the planes to fill do not fit into the grid");
        planes = view.extents[0];
    }
    return planes;
}

}  // namespace

template <class T>
void fill_known_field(const std::string& name, const Problem& problem, std::uint64_t seed, Index first,
                      FieldView<T> rhs, FieldView<T> exact) {
    const KnownField& field = known_field(name);
    const Grid& grid = problem.grid;
    validate(grid);
    if (!std::isfinite(problem.helmholtz))
        throw Error(ErrorCode::usage, "found the Helmholtz constant " + format_number(problem.helmholtz) +
                                          ", wanted a finite number");
    if (exact.data != nullptr && !field.has_exact)
        throw Error(ErrorCode::usage, "the known field " + name + " has no exact solution");
    const Index planes = planes_of(grid, first, rhs, exact);
    if (name == "random") {
        if (rhs.data != nullptr) fill_random(grid, seed, first, rhs);
        return;
    }
    const auto terms = tabulate(known_terms(name, grid), grid, first, planes);
    std::vector<double> row(static_cast<std::size_t>(grid.axes[2].points));
    for (Index i = 0; i < planes; ++i)
        for (Index j = 0; j < grid.axes[1].points; ++j) fill_rows(terms, problem.helmholtz, i, j, rhs, exact, row);
}

template void fill_known_field(const std::string&, const Problem&, std::uint64_t, Index, FieldView<float>,
                               FieldView<float>);
template void fill_known_field(const std::string&, const Problem&, std::uint64_t, Index, FieldView<double>,
                               FieldView<double>);

}  // namespace poisson3d
