// Boundary data of every mix of kinds: the discrete equations with ghosts that hold it, fields the stencil makes no
// error in, second order for others, what is bitwise, and what is refused.
#include <gtest/gtest.h>

#include <limits>

#include "accuracy.hpp"
#include "expect_error.hpp"
#include "plain_faces.hpp"
#include "plain_stencil.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

using Point = std::array<Index, 3>;
using Place = std::array<Real, 3>;

/// A sum of products of powers of the places between the faces (0 lower, 1 upper); all but periodic axes take part.
class Polynomial {
public:
    struct Term {
        Real factor;
        std::array<int, 3> powers;
    };

    Polynomial(const Grid& grid, const std::vector<Term>& terms) : grid_(grid) {
        for (const Term& term : terms) {
            bool fits = true;
            for (int a = 0; a < 3; ++a) fits = fits && !(term.powers[a] > 0 && grid.axes[a].periodic());
            if (fits) terms_.push_back(term);
        }
    }

    [[nodiscard]] Real value(const Place& at) const { return derivative(at, {0, 0, 0}); }
    [[nodiscard]] Real slope(const Place& at, int axis) const {
        std::array<int, 3> order{};
        order[axis] = 1;
        return derivative(at, order);
    }
    [[nodiscard]] Real laplacian(const Place& at) const {
        return derivative(at, {2, 0, 0}) + derivative(at, {0, 2, 0}) + derivative(at, {0, 0, 2});
    }

private:
    [[nodiscard]] Real derivative(const Place& at, const std::array<int, 3>& order) const {
        Real sum = 0;
        for (const Term& term : terms_) {
            Real product = term.factor;
            for (int a = 0; a < 3; ++a) {
                const Real length = grid_.axes[a].length();
                int power = term.powers[a];
                for (int d = 0; d < order[a]; ++d) product *= static_cast<Real>(power--) / length;
                for (; power > 0; --power) product *= at[a];
            }
            sum += product;
        }
        return sum;
    }

    Grid grid_;
    std::vector<Term> terms_;
};

const std::vector<Polynomial::Term> linear{{4, {}}, {1, {1, 0, 0}}, {-0.8L, {0, 1, 0}}, {0.6L, {0, 0, 1}}};

/// Products of linear functions: they have no second derivatives, and the ghosts of all kinds meet them exactly.
std::vector<Polynomial::Term> trilinear() {
    std::vector<Polynomial::Term> terms = linear;
    terms.insert(terms.end(), {{0.7L, {1, 1, 0}}, {-0.5L, {0, 1, 1}}, {0.4L, {1, 0, 1}}, {-0.9L, {1, 1, 1}}});
    return terms;
}

/// What only nodes have no error in.
std::vector<Polynomial::Term> quadratic() {
    std::vector<Polynomial::Term> terms = trilinear();
    terms.insert(terms.end(), {{0.3L, {2, 0, 0}},
                               {-0.6L, {0, 2, 0}},
                               {0.5L, {0, 0, 2}},
                               {0.8L, {2, 1, 0}},
                               {-0.7L, {1, 0, 2}},
                               {0.45L, {2, 2, 0}},
                               {0.35L, {0, 2, 1}},
                               {0.25L, {2, 1, 2}}});
    return terms;
}

/// Faster than any polynomial, no condition met on any face; periodic axes have a period.
class Smooth {
public:
    explicit Smooth(const Grid& grid) : grid_(grid) {}

    [[nodiscard]] Real value(const Place& at) const {
        const auto [x, y, z] = shapes(at);
        return x.value * y.value * z.value;
    }
    [[nodiscard]] Real slope(const Place& at, int axis) const {
        std::array<Shape, 3> g = shapes(at);
        g[axis].value = g[axis].first;
        return g[0].value * g[1].value * g[2].value;
    }
    [[nodiscard]] Real laplacian(const Place& at) const {
        const auto [x, y, z] = shapes(at);
        return x.second * y.value * z.value + x.value * y.second * z.value + x.value * y.value * z.second;
    }

private:
    /// Of all axes, derivatives by length.
    [[nodiscard]] std::array<Shape, 3> shapes(const Place& at) const {
        std::array<Shape, 3> result;
        for (int a = 0; a < 3; ++a) {
            const Shape g = shape(at[a], a);
            const Real length = grid_.axes[a].length();
            result[a] = {g.value, g.first / length, g.second / (length * length)};
        }
        return result;
    }
    [[nodiscard]] Shape shape(Real s, int axis) const {
        if (grid_.axes[axis].periodic()) return smooth_shape(grid_.axes[axis], 1, s);
        const Real rate = 1.2L + 0.3L * static_cast<Real>(axis);
        const Real e = std::exp(s);
        const Real phase = rate * s + 0.5L;
        return {e + std::sin(phase), e + rate * std::cos(phase), e - rate * rate * std::sin(phase)};
    }

    Grid grid_;
};

Place place(const Grid& grid, const Point& at) {
    Place result{};
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        const Real offset = axis.centering == Centering::cell ? 0.5L : 0.0L;
        result[a] = (static_cast<Real>(at[a]) + offset) * axis.spacing / axis.length();
    }
    return result;
}

/// What the faces of the box hold of a function.
template <class T, class Function>
PlainFaces<T> faces_of(const Grid& grid, const Function& u, bool numbers = false) {
    return PlainFaces<T>(grid, numbers, [&](int axis, int side, const Point& at) {
        Place where = place(grid, at);
        where[axis] = side;
        const Boundary boundary = side == 0 ? grid.axes[axis].lower : grid.axes[axis].upper;
        return boundary == Boundary::dirichlet ? u.value(where) : (side == 0 ? -1 : 1) * u.slope(where, axis);
    });
}

/// NaN where nothing is to be read.
template <class T, class Value>
Field<T> right_hand_side(const Grid& grid, Value value) {
    Field<T> f = filled_field<T>(grid.points(), nan_of<T>(3));
    for_each_unknown(grid, [&](Index i, Index j, Index k) { f.view()(i, j, k) = static_cast<T>(value(i, j, k)); });
    return f;
}

/// Random numbers on all faces. Those of Dirichlet faces belong to points of the box, so that edges agree.
template <class T>
PlainFaces<T> random_faces(const Grid& grid, std::uint64_t seed, bool numbers = false) {
    const Field<T> values = random_field<T>(grid.points(), seed);
    return PlainFaces<T>(grid, numbers, [&](int axis, int side, const Point& at) {
        const T value = values.view()(at[0], at[1], at[2]);
        return dirichlet_node(grid.axes[axis], at[axis]) ? value : value + T(axis + side) / 4;
    });
}

/// Nodes on Dirichlet faces that differ in any bit from what the first face there says.
template <class T>
Index wrong_nodes(const Grid& grid, FieldView<const T> u, const PlainFaces<T>& faces) {
    Index count = 0;
    for (int axis = 2; axis >= 0; --axis)
        for (int side = 0; side < 2; ++side) {
            if (!dirichlet_node(grid.axes[axis], side == 0 ? 0 : grid.axes[axis].points - 1)) continue;
            faces.for_each(axis, side, [&](const Point& at) {
                for (int earlier = 0; earlier < axis; ++earlier)
                    if (dirichlet_node(grid.axes[earlier], at[earlier])) return;
                count += same_bits(u(at[0], at[1], at[2]), faces(axis, side, at)) ? 0 : 1;
            });
        }
    return count;
}

template <class T>
Field<T> solved(const Problem& problem, const Field<T>& f, const PlainFaces<T>& faces, Result* result = nullptr,
                T scale = T(1), const Options& options = test_options()) {
    Field<T> u = filled_field<T>(problem.grid.points());
    TestSolver<T> solver(problem, options);
    solver.solve(f.view(), u.view(), faces.data(), scale);
    if (result != nullptr) *result = solver.result();
    return u;
}

double operator_size(const Problem& problem) {
    double size = std::abs(problem.helmholtz);
    for (const Axis& axis : problem.grid.axes) size += 4.0 / (axis.spacing * axis.spacing);
    return size;
}

/// What the data of up to six faces adds to f at one unknown is rounded and summed before the transforms round.
template <class T>
constexpr double rounding_of_sums = 3 * tolerance::eps<T>;

// The error of a solve is that of random right-hand sides; what comes from the faces lies in the smoothest modes,
// which the operator damps least.
constexpr double smooth = 2;

/// No faces at all.
bool all_periodic(const Problem& problem) {
    return problem.grid.axes[0].periodic() && problem.grid.axes[1].periodic() && problem.grid.axes[2].periodic();
}

template <class T>
class BoundaryLaw : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BoundaryLaw, Precisions);

constexpr std::array<Extents, 4> sizes{{{5, 4, 7}, {3, 8, 5}, {7, 3, 4}, {4, 5, 3}}};

Extents size_of(int number) {
    return number % 5 == 4 ? smallest_points(combination(number)) : sizes[number % 5];
}

// f times scale and the data as it is: the equations hold at every unknown with the ghosts of plain_operator. What
// a singular problem loses is the mean of f̃ = scale f − L 0, where L takes the data along.
TYPED_TEST(BoundaryLaw, TheEquationsHoldWithGhostsThatMeetTheData) {
    using T = TypeParam;
    Worst<T> worst("backward"), worst_mean("mean");
    for (int number = 0; number < combinations; ++number) {
        const Extents points = size_of(number);
        const Problem problem =
            make_problem(combination(number), points, Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        const Grid& grid = problem.grid;
        const Field<T> noise = random_field<T>(points, number);
        const Field<T> f =
            right_hand_side<T>(grid, [&](Index i, Index j, Index k) { return noise.view()(i, j, k); });
        const PlainFaces<T> faces = random_faces<T>(grid, number + 1, number % 2 == 0);
        const T scale = number % 4 == 0 ? T(1) : T(-2.5);
        Options options = test_options();
        options.memory = all_memories[number % 7 % 3];
        options.threads = 1 + number % 2;
        Result result;
        const Field<T> u = solved(problem, f, faces, &result, scale, options);

        EXPECT_EQ(wrong_nodes(grid, read(u), faces), 0) << describe(problem);
        const Field<T> zero = filled_field<T>(points, T(0));
        // Terms of many faces may cancel, their rounding does not: it goes with the sum of their sizes.
        const PlainFaces<T> sizes_of_data(
            grid, false, [&](int axis, int side, const Point& at) { return std::abs(faces(axis, side, at)); });
        Field<Real> wanted(points);
        Real largest = 0, largest_terms = 0, largest_u = 0;
        for_each_unknown(grid, [&](Index i, Index j, Index k) {
            const Real from_data = plain_operator(problem, read(zero), faces, i, j, k);
            wanted.view()(i, j, k) = static_cast<Real>(scale) * static_cast<Real>(f.view()(i, j, k)) - from_data;
            const Real left = wanted.view()(i, j, k) + from_data - result.mean_removed -
                              plain_operator(problem, read(u), faces, i, j, k);
            if (!(std::abs(left) <= largest)) largest = std::abs(left);
            const Real terms = plain_operator(problem, read(zero), sizes_of_data, i, j, k);
            largest_terms = std::max(
                largest_terms, terms + std::abs(static_cast<Real>(scale) * static_cast<Real>(f.view()(i, j, k))));
            largest_u = std::max(largest_u, std::abs(static_cast<Real>(u.view()(i, j, k))));
        });
        const Real size = operator_size(problem) * largest_u + largest_terms;
        worst.check(static_cast<double>(largest / size), tolerance::backward<T>(points) + rounding_of_sums<T>,
                    describe(problem));
        EXPECT_EQ(result.singular, singular(problem));
        const double mean = singular(problem) ? plain_mean(grid, read(wanted)) : 0.0;
        worst_mean.check(std::abs(result.mean_removed - mean) / static_cast<double>(largest_terms),
                         tolerance::solve<T>(points), describe(problem));
    }
}

/// Solves for a function the stencil makes no error in.
template <class T>
void check_exact(const Problem& problem, const Polynomial& known, bool numbers, Worst<T>& worst) {
    const Grid& grid = problem.grid;
    const Field<T> f = right_hand_side<T>(grid, [&](Index i, Index j, Index k) {
        const Place at = place(grid, {i, j, k});
        return known.laplacian(at) - static_cast<Real>(problem.helmholtz) * known.value(at);
    });
    const PlainFaces<T> faces = faces_of<T>(grid, known, numbers);
    const Field<T> u = solved(problem, f, faces);
    const Norms error = relative_difference(
        problem, [&](Index i, Index j, Index k) { return static_cast<Real>(u.view()(i, j, k)); },
        [&](Index i, Index j, Index k) {
            return known.value(place(grid, {i, j, k}));
        });
    worst.check(error.maximum, smooth * tolerance::solve<T>(grid.points()) + rounding_of_sums<T>,
                describe(problem));
    EXPECT_EQ(wrong_nodes(grid, read(u), faces), 0) << describe(problem);
}

TYPED_TEST(BoundaryLaw, LinearFunctionsAndTheirProductsAreExact) {
    using T = TypeParam;
    Worst<T> worst("linear");
    for (int number = 0; number < combinations; ++number)
        for (const double helmholtz : {0.0, 0.7}) {
            const Extents points = helmholtz > 0 ? size_of(number) : sizes[number % 4];
            const Problem problem =
                make_problem(combination(number), points, Discretization::second_order, helmholtz);
            if (all_periodic(problem)) continue;
            check_exact(problem, Polynomial(problem.grid, linear), true, worst);
            check_exact(problem, Polynomial(problem.grid, trilinear()), false, worst);
        }
}

TYPED_TEST(BoundaryLaw, QuadraticFunctionsAreExactOnNodes) {
    using T = TypeParam;
    Worst<T> worst("quadratic");
    for (int number = 0; number < combinations; ++number) {
        const Kinds which = combination(number);
        if (which[0] < node_p || which[1] < node_p || which[2] < node_p) continue;
        for (const double helmholtz : {0.0, 0.7})
            for (const Extents& points : {smallest_points(which), sizes[number % 4]}) {
                const Problem problem = make_problem(which, points, Discretization::second_order, helmholtz);
                if (all_periodic(problem)) continue;
                check_exact(problem, Polynomial(problem.grid, quadratic()), false, worst);
            }
    }
}

Norms error_of_smooth(const Kinds& which, Index steps, double helmholtz) {
    // The box of Manufactured, which counts steps from face to face.
    const Problem problem =
        Manufactured(which, {steps, steps, steps}, {1, 1, 1}, Discretization::second_order, helmholtz).problem();
    const Smooth known(problem.grid);
    const Field<double> f = right_hand_side<double>(problem.grid, [&](Index i, Index j, Index k) {
        const Place at = place(problem.grid, {i, j, k});
        return known.laplacian(at) - static_cast<Real>(helmholtz) * known.value(at);
    });
    const Field<double> u = solved(problem, f, faces_of<double>(problem.grid, known));
    return relative_difference(
        problem, [&](Index i, Index j, Index k) -> Real { return u.view()(i, j, k); },
        [&](Index i, Index j, Index k) {
            return known.value(place(problem.grid, {i, j, k}));
        });
}

// Of a function that meets no condition and is no polynomial, on every kind alone and on mixtures. The largest
// error may sit in the corner cells of Dirichlet faces, where the order grows to 2 from 1.8.
TEST(BoundaryOrder, IsTwoForAnyData) {
    std::vector<Kinds> cases = accuracy_cases();
    for (int number = 7; number < combinations; number += 67) cases.push_back(combination(number));
    for (const Kinds& which : cases) {
        const double helmholtz = which[0] % 2 == 0 ? 0.0 : 0.7;
        std::vector<Norms> errors;
        if (kinds[which[0]].lower == Boundary::periodic && which[0] == which[1] && which[1] == which[2]) continue;
        for (const Index steps : {8, 16, 32}) errors.push_back(error_of_smooth(which, steps, helmholtz));
        for (const int n : {1, 2}) {
            const double order = std::log2(errors[n - 1].l2 / errors[n].l2);
            EXPECT_GT(order, 1.95) << kind_names(which) << ": " << errors[n - 1].l2 << ", " << errors[n].l2;
            EXPECT_LT(order, n == 1 ? 2.4 : 2.2) << kind_names(which);
            EXPECT_GT(std::log2(errors[n - 1].maximum / errors[n].maximum), 1.6) << kind_names(which);
        }
        EXPECT_LT(errors[2].maximum, 3e-2) << kind_names(which);
    }
}

// u(f, g) = u(f, 0) + u(0, g).
TYPED_TEST(BoundaryLaw, SolutionsAreSums) {
    using T = TypeParam;
    Worst<T> worst("superposition");
    for (int number = 3; number < combinations; number += 11) {
        const Extents points{9, 12, 10};
        const Problem problem =
            make_problem(combination(number), points, Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        if (all_periodic(problem)) continue;
        const Field<T> f = random_field<T>(points, number);
        const PlainFaces<T> faces = random_faces<T>(problem.grid, number + 1);
        const Field<T> both = solved(problem, f, faces);
        const Field<T> without = test::solved(problem, f);
        const Field<T> alone = solved(problem, filled_field<T>(points, T(0)), faces);
        Field<Real> sum(points);
        for (Index n = 0; n < sum.size(); ++n)
            sum.data()[n] = static_cast<Real>(without.data()[n]) + static_cast<Real>(alone.data()[n]);
        worst.check(relative_error(read(both), sum.view()), 3 * tolerance::solve<T>(points), describe(problem));
    }
}

// Pitches, ghost layers, one memory for both, gaps between the rows of a face: the bits of the plain solve.
TYPED_TEST(BoundaryLaw, ViewsDoNotMatterAndNodesHoldTheDataToTheLastBit) {
    using T = TypeParam;
    for (int number = 0; number < combinations; number += 13) {
        const Extents points = number % 2 == 0 ? Extents{9, 19, 13} : Extents{20, 9, 8};
        Problem problem = make_problem(combination(number), points);
        if (number % 3 == 0) problem.gauge.point = {2, 4, 5};
        const PlainFaces<T> faces = random_faces<T>(problem.grid, number, number % 2 == 0);
        const Field<T> noise = random_field<T>(points, number);
        const Field<T> f =
            right_hand_side<T>(problem.grid, [&](Index i, Index j, Index k) { return noise.view()(i, j, k); });
        for (const Memory memory : all_memories) {
            Options options = test_options();
            options.memory = memory;  // an engine may go other ways for each
            const Field<T> expected = solved<T>(problem, f, faces, nullptr, T(1), options);
            const Field<T> without = test::solved<T>(problem, f, nullptr, T(1), options);
            EXPECT_EQ(wrong_nodes(problem.grid, read(expected), faces), 0) << describe(problem);
            const bool dense = needs_dense_solution(memory);
            Padded<T> from(points, {1, 2, 3}, {2, 0, 5});
            from.fill(read(f));
            const Padded<T> before = from;
            Padded<T> to = dense ? Padded<T>(points, {}, {}) : Padded<T>(points, {2, 1, 1}, {0, 3, 4});
            TestSolver<T> solver(problem, options);
            for (int again = 0; again < 2; ++again) {
                solver.solve(from.view(), to.view(), faces.data());
                EXPECT_EQ(different<T>(to.view(), read(expected)), 0) << describe(problem);
                EXPECT_EQ(to.damage(), 0) << describe(problem);
                EXPECT_EQ(from.differs_from(before), 0) << describe(problem);
            }
            to.fill(read(f));
            solver.solve(to.view(), to.view(), faces.data());
            EXPECT_EQ(different<T>(to.view(), read(expected)), 0) << "in place: " << describe(problem);
            EXPECT_EQ(to.damage(), 0) << describe(problem);
            // Nothing stays behind: the next solve without data is as any other.
            solver.solve(from.view(), to.view());
            EXPECT_EQ(different<T>(to.view(), read(without)), 0) << describe(problem);
            solver.solve(from.view(), to.view(), BoundaryData<T>{});
            EXPECT_EQ(different<T>(to.view(), read(without)), 0) << describe(problem);
        }
    }
}

// Both faces at an edge may differ by rounding; the node has to hold one of them.
TYPED_TEST(BoundaryLaw, AnEdgeHoldsWhatTheEarlierAxisSays) {
    using T = TypeParam;
    const Problem problem = make_problem({node_dd, node_dd, node_dd}, {5, 6, 4});
    PlainFaces<T> faces = random_faces<T>(problem.grid, 3);
    for (const int axis : {1, 2})
        for (const int side : {0, 1}) {
            if (!dirichlet_node(problem.grid.axes[axis], side == 0 ? 0 : problem.grid.axes[axis].points - 1))
                continue;
            faces.for_each(axis, side, [&](const Point& at) {
                for (int earlier = 0; earlier < axis; ++earlier)
                    if (dirichlet_node(problem.grid.axes[earlier], at[earlier]))
                        faces.set(axis, side, at, std::nextafter(faces(axis, side, at), T(9)));
            });
        }
    EXPECT_NO_THROW(validate(problem.grid, faces.data()));
    const Field<T> u = solved(problem, random_field<T>(problem.grid.points()), faces);
    EXPECT_EQ(wrong_nodes(problem.grid, read(u), faces), 0);
}

template <class T>
class BoundaryRefusals : public testing::Test {};
TYPED_TEST_SUITE(BoundaryRefusals, Precisions);

TYPED_TEST(BoundaryRefusals, OfEdgesThatDisagreeNameBothFaces) {
    using T = TypeParam;
    const Problem problem = make_problem({node_dd, node_dd, node_dd}, {5, 6, 4});
    const PlainFaces<T> good = PlainFaces<T>(problem.grid, false, [](int, int, const Point& at) {
        return T(1) + T(at[0]) / 2 + T(at[1]) / 4 + T(at[2]) / 8;
    });
    EXPECT_NO_THROW(validate(problem.grid, good.data()));
    const char* const letters = "xyz";
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int sides = 0; sides < 4 && a != b; ++sides) {
                // Inside the edge along the third axis, so that no other face has the node.
                Point at{2, 2, 2};
                at[a] = sides % 2 == 0 ? 0 : problem.grid.axes[a].points - 1;
                at[b] = sides / 2 == 0 ? 0 : problem.grid.axes[b].points - 1;
                PlainFaces<T> bad = good;
                const T value = good(a, sides % 2, at);
                const auto with = [&](double eps) {
                    bad.set(a, sides % 2, at, value * (1 + T(eps) * std::numeric_limits<T>::epsilon()));
                    return bad.data();
                };
                EXPECT_NO_THROW(validate(problem.grid, with(12)));
                const auto name = [&](int axis, int side) {
                    return letters[axis] + std::string(side == 0 ? "_lower" : "_upper");
                };
                expect_error(
                    ErrorCode::data,
                    {name(a, sides % 2), name(b, sides / 2), std::string("at ") + letters[3 - a - b] + " index 2"},
                    [&] { validate(problem.grid, with(40)); });
            }
    // Cells have no node there: faces need not agree.
    const Problem cells = make_problem({cell_dd, cell_dd, node_dd}, {5, 6, 4});
    BoundaryData<T> steps;
    for (int face = 0; face < 6; ++face) steps.faces[face / 2][face % 2].constant = T(face);
    EXPECT_NO_THROW(validate(cells.grid, steps));
    expect_error(ErrorCode::data, {"x_lower", "y_lower", "found 0 and 2"}, [&] { validate(problem.grid, steps); });
}

TYPED_TEST(BoundaryRefusals, OfDataWhereThereIsNoFace) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, node_p, cell_nn}, {5, 6, 4});
    const Field<T> f = random_field<T>(problem.grid.points());
    TestSolver<T> solver(problem);
    for (const int side : {0, 1}) {
        BoundaryData<T> data;
        data.faces[1][side].constant = T(1);
        const std::string name = side == 0 ? "y_lower" : "y_upper";
        Field<T> u = filled_field<T>(problem.grid.points());
        expect_error(ErrorCode::usage, {name, "periodic"}, [&] { solver.solve(f.view(), u.view(), data); });
        EXPECT_EQ(different<T>(u.view(), read(filled_field<T>(problem.grid.points()))), 0)
            << "a refused call wrote";
        expect_error(ErrorCode::data, {name, "periodic"}, [&] { validate(problem.grid, data); });
    }
}

TYPED_TEST(BoundaryRefusals, OfTheSpectralDiscretization) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, node_nn, cell_nn}, {5, 6, 4}, Discretization::spectral);
    const Field<T> f = random_field<T>(problem.grid.points());
    Field<T> u = filled_field<T>(problem.grid.points());
    TestSolver<T> solver(problem);
    BoundaryData<T> data;
    solver.solve(f.view(), u.view(), data);
    EXPECT_EQ(different<T>(u.view(), read(test::solved(problem, f))), 0) << "no data is no problem";
    data.faces[2][1].constant = T(1e-30);
    expect_error(ErrorCode::unsupported, {"spectral", "second-order"},
                 [&] { solver.solve(f.view(), u.view(), data); });
}

TYPED_TEST(BoundaryRefusals, OfWhatIsNotANumberAndOfOverlappingRows) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, node_nn, cell_nn}, {5, 6, 4});
    PlainFaces<T> faces = PlainFaces<T>(problem.grid, false, [](int, int, const Point&) { return T(1); });
    EXPECT_NO_THROW(validate(problem.grid, faces.data()));
    faces.set(0, 1, {4, 2, 3}, std::numeric_limits<T>::infinity());
    expect_error(ErrorCode::data, {"x_upper", "[2, 3]", "inf"}, [&] { validate(problem.grid, faces.data()); });
    faces.set(0, 1, {4, 2, 3}, T(1));
    BoundaryData<T> data = faces.data();
    data.faces[1][0].stride = 3;
    expect_error(ErrorCode::usage, {"y_lower", "3 elements", "4"}, [&] { validate(problem.grid, data); });
    data = {};
    data.faces[2][0].constant = std::numeric_limits<T>::quiet_NaN();
    expect_error(ErrorCode::data, {"z_lower", "nan"}, [&] { validate(problem.grid, data); });
}

}  // namespace
}  // namespace poisson3d
