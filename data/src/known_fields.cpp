#include "poisson3d/known_fields.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "counter_random.hpp"
#include "formulas.hpp"
#include "gaussians.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/suggestion.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

const std::vector<KnownField>& known_fields() {
    static const std::vector<KnownField> fields{
        {"sine", "sin(pi x/Lx) sin(2 pi y/Ly) sin(3 pi z/Lz)", "dirichlet", false, true, false},
        {"cosine", "cos(pi x/Lx) cos(2 pi y/Ly) cos(3 pi z/Lz)", "neumann", false, true, false},
        {"waves", "four periodic waves with unequal wave numbers and phases", "periodic", false, true, false},
        {"mixed", "two products of eigenfunctions of each axis' own faces",
         "x=periodic,y=dirichlet:neumann,z=neumann", true, true, false},
        {"channel", "pressure-like waves between walls: exponential layers in y, no eigenfunction",
         "x=periodic,y=neumann,z=periodic", false, true, false},
        {"taylor-green", "pressure of the Taylor-Green vortex: (cos 2X + cos 2Y)(cos 2Z + 2)/16 on a cube",
         "periodic", false, true, false},
        {"polynomial", "product of 4 t (1 - t) (1 + c t^2), c = 1, 2, 3, t = x/Lx, y/Ly, z/Lz", "dirichlet", false,
         true, false},
        {"cavity", "pressure in a box driven by its lid, with its slope on all walls as boundary data", "neumann",
         false, true, true},
        {"linear", "2 + X - 3/4 Y + 1/2 Z, X = x/Lx, Y = y/Ly, Z = z/Lz, 0 on periodic axes, with boundary data",
         "dirichlet", true, true, true},
        {"quadratic", "linear + X^2/4 + 3/8 Y^2 - Z^2/2 + 5/8 X Y - Y Z/4 + 3/4 Z X, with boundary data",
         "dirichlet", true, true, true},
        {"gaussians", "four Gaussians of both signs in the middle of the box, u by an integral over time", "free",
         true, true, false},
        {"ring", "a ring of 1 in the plane of the two slower axes, made of Gaussians", "free", true, true, false},
        {"random", "independent uniform numbers in [-1, 1), a function of seed and index", "periodic", true, false,
         false},
    };
    return fields;
}

const KnownField& known_field(const std::string& name) {
    const auto& fields = known_fields();
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const KnownField& f) { return f.name == name; });
    if (found != fields.end()) return *found;
    std::vector<std::string> names;
    std::string list;
    for (const KnownField& field : fields) {
        names.push_back(field.name);
        list += (list.empty() ? "" : ", ") + field.name;
    }
    throw Error(ErrorCode::usage,
                "there is no known field '" + name + "'; there are " + list + did_you_mean(name, names));
}

namespace {

// One factor of a term at some points of an axis; derivatives by physical length.
struct Table {
    std::vector<double> value, first, second;
};

void append(Table& table, const AxisFunction& function, double t, double length) {
    const Sample sample = function(t);
    table.value.push_back(sample.value);
    table.first.push_back(sample.first / length);
    table.second.push_back(sample.second / (length * length));
}

// All stored points first … first + count − 1.
Table tabulate(const AxisFunction& function, const Axis& axis, Index first, Index count) {
    Table table;
    const double length = axis.length(), offset = axis.centering == Centering::cell ? 0.5 : 0.0;
    if (!axis.uniform()) {
        const std::vector<double> x = coordinates(axis);
        const double low = step_ends(axis).front();
        for (Index j = first; j < first + count; ++j)
            append(table, function, (x[static_cast<std::size_t>(j)] - low) / length, length);
        return table;
    }
    const double h = axis.step();
    for (Index j = first; j < first + count; ++j)
        append(table, function, (static_cast<double>(j) + offset) * h / length, length);
    return table;
}

// The place of a face alone.
Table tabulate_face(const AxisFunction& function, const Axis& axis, int side) {
    Table table;
    append(table, function, side == 0 ? 0.0 : 1.0, axis.length());
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

void check(const Problem& problem) {
    validate(problem.grid);
    if (!std::isfinite(problem.helmholtz))
        throw Error(ErrorCode::usage, "found the Helmholtz constant " + format_number(problem.helmholtz) +
                                          ", wanted a finite number");
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
    check(problem);
    if (exact.data != nullptr && !field.has_exact)
        throw Error(ErrorCode::usage, "the known field " + name + " has no exact solution");
    const Index planes = planes_of(grid, first, rhs, exact);
    if (name == "random") {
        if (rhs.data != nullptr) fill_random(grid, seed, first, rhs);
        return;
    }
    if (name == "gaussians" || name == "ring") return BellField(name, problem).fill(first, rhs, exact);
    const auto terms = tabulate(known_terms(name, grid), grid, first, planes);
    std::vector<double> row(static_cast<std::size_t>(grid.axes[2].points));
    for (Index i = 0; i < planes; ++i)
        for (Index j = 0; j < grid.axes[1].points; ++j) fill_rows(terms, problem.helmholtz, i, j, rhs, exact, row);
}

std::vector<double> known_face_values(const std::string& name, const Problem& problem, int axis, int side) {
    const KnownField& field = known_field(name);
    const Grid& grid = problem.grid;
    check(problem);
    if (axis < 0 || axis > 2 || side < 0 || side > 1)
        throw Error(ErrorCode::usage, "found side " + std::to_string(side) + " of axis " + std::to_string(axis) +
                                          ", wanted side 0 or 1 of axis 0, 1 or 2");
    const auto normal = static_cast<std::size_t>(axis);
    const Axis& across = grid.axes[normal];
    if (across.periodic())
        throw Error(ErrorCode::usage,
                    std::string("axis ") + grid.labels[normal] + " is periodic and has no faces with data");
    if (is_free(across, side))
        throw Error(ErrorCode::usage,
                    "face " + face_name(grid, axis, side) + " is free, and nothing stands there that has data");
    Extents points = grid.points();
    points[normal] = 1;
    std::vector<double> values(static_cast<std::size_t>(points[0] * points[1] * points[2]), 0.0);
    const std::vector<Term> terms = known_terms(name, grid);
    if (!field.has_boundary_data) return values;

    const Boundary wall = side == 0 ? across.lower : across.upper;
    const double outward = side == 0 ? -1.0 : 1.0;
    for (const Term& term : terms) {
        std::array<Table, 3> tables;
        for (std::size_t a = 0; a < 3; ++a)
            tables[a] = a == normal ? tabulate_face(term.factors[a], across, side)
                                    : tabulate(term.factors[a], grid.axes[a], 0, points[a]);
        const double u = tables[normal].value.front(), slope = outward * tables[normal].first.front();
        if (wall == Boundary::neumann) tables[normal].value = {slope};
        if (wall == Boundary::robin) {
            const auto [alpha, beta] = across.robin[static_cast<std::size_t>(side)];
            tables[normal].value = {alpha * u + beta * slope};
        }
        auto value = values.begin();
        for (const double a : tables[0].value)
            for (const double b : tables[1].value)
                for (const double c : tables[2].value) *value++ += term.amplitude * a * b * c;
    }
    return values;
}

template void fill_known_field(const std::string&, const Problem&, std::uint64_t, Index, FieldView<float>,
                               FieldView<float>);
template void fill_known_field(const std::string&, const Problem&, std::uint64_t, Index, FieldView<double>,
                               FieldView<double>);

}  // namespace poisson3d
