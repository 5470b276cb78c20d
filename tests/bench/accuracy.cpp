// Measures what a solve loses and prints it as JSON: the numbers of docs/accuracy.md.
//
//     accuracy [--engine host|cufft|fused] [--quick]        --quick: up to 32 points, no long boxes
#include <algorithm>
#include <exception>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy.hpp"
#include "separable.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

struct Settings {
    Options options;
    bool quick = false;
};

/// One row of the report: a JSON object.
class Row {
public:
    Row& add(std::string_view key, std::string_view value) {
        begin(key) << '"' << value << '"';
        return *this;
    }
    Row& add(std::string_view key, Index value) {
        begin(key) << value;
        return *this;
    }
    Row& add(std::string_view key, double value) {
        begin(key) << value;
        return *this;
    }
    [[nodiscard]] std::string text() const { return fields_.str(); }

private:
    std::ostream& begin(std::string_view key) {
        fields_ << (fields_.tellp() == 0 ? "" : ", ") << '"' << key << "\": ";
        return fields_ << std::setprecision(4);
    }

    std::ostringstream fields_;
};

/// One list of rows, commas between.
class List {
public:
    explicit List(std::string_view title) { std::cout << ",\n\"" << title << "\": ["; }
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    ~List() { std::cout << "\n]"; }

    void add(const Row& row) {
        std::cout << (first_ ? "" : ",") << "\n{" << row.text() << '}' << std::flush;
        first_ = false;
    }

private:
    bool first_ = true;
};

std::vector<Index> cube_sizes(const Settings& settings) {
    std::vector<Index> sizes{8, 12, 16, 24, 32};
    if (!settings.quick) sizes.insert(sizes.end(), {48, 64, 96, 128});
    return sizes;
}

/// (a) The whole error against known solutions.
void order(const Settings& settings, Extension extension) {
    const bool smooth = extension == Extension::smooth;
    List list(smooth ? "order" : "rough");
    std::vector<Kinds> cases = accuracy_cases();
    if (!smooth) {
        cases.clear();
        for (const int kind : {cell_dd, node_dd, cell_nn, node_nn}) cases.push_back({kind, kind, kind});
    }
    for (const Kinds& which : cases)
        for (const Discretization discretization : discretizations)
            for (const Index n : cube_sizes(settings)) {
                const Manufactured known(which, {n, n, n}, usual_steepness(which), discretization, 0.0, extension);
                const Norms in_double = total_error<double>(known, settings.options);
                const Norms in_float = total_error<float>(known, settings.options);
                Row row;
                row.add("kinds", kind_names(which)).add("discretization", name(discretization));
                row.add("n", n);
                row.add("double_max", in_double.maximum).add("double_l2", in_double.l2);
                row.add("float_max", in_float.maximum).add("float_l2", in_float.l2);
                list.add(row);
            }
}

/// (b) Rounding alone, against long double, where that takes too long against the same solve in double.
void rounding(const Settings& settings) {
    List list("rounding");
    std::vector<Index> sizes{8, 16, 32};
    if (!settings.quick) sizes.insert(sizes.end(), {64, 128});
    for (const Kinds& which : accuracy_cases())
        for (const Discretization discretization : discretizations)
            for (const Index n : sizes) {
                const Problem problem =
                    Manufactured(which, {n, n, n}, usual_steepness(which), discretization).problem();
                const Extents points = problem.grid.points();
                const Field<double> f = random_field<double>(points, rounding_seed);
                Row row;
                row.add("kinds", kind_names(which)).add("discretization", name(discretization));
                row.add("n", n);
                Field<Real> reference;
                if (n <= 64) {
                    reference = separable_solve(problem, read(f));
                    const double error = rounding_error<double>(problem, read(reference), settings.options);
                    row.add("double_eps", error / tolerance::eps<double>);
                    row.add("double_part", error / tolerance::solve<double>(points));
                } else {
                    reference = Field<Real>(points);
                    const Field<double> u = solution(problem, f, settings.options);
                    std::copy_n(u.data(), u.size(), reference.data());
                }
                const double error = rounding_error<float>(problem, read(reference), settings.options);
                row.add("float_eps", error / tolerance::eps<float>);
                row.add("float_part", error / tolerance::solve<float>(points));
                list.add(row);
            }
}

/// The same for right-hand sides made to be hard, float against double on the same float data: a constant of 1000
/// under values below 1, smooth or random, which singular problems must remove, and the highest mode but one alone,
/// whose solution is nearly the smallest.
void hard_right_hand_sides(const Settings& settings) {
    List list("hard");
    for (const int kind : {cell_p, cell_dd, cell_nn})
        for (const Index n : cube_sizes(settings)) {
            const Kinds which{kind, kind, kind};
            const Manufactured known(which, {n, n, n}, usual_steepness(which), Discretization::second_order);
            const Problem& problem = known.problem();
            const auto& axes = problem.grid.axes;
            const auto error = [&](const Field<float>& f) {
                Field<double> same(f.extents());
                std::copy_n(f.data(), f.size(), same.data());
                const Field<double> expected = solution(problem, same, settings.options);
                Field<Real> reference(f.extents());
                std::copy_n(expected.data(), f.size(), reference.data());
                const Field<float> u = solution(problem, f, settings.options);
                return relative_error(read(u), read(reference)) / tolerance::eps<float>;
            };
            Field<float> offset = random_field<float>(problem.grid.points(), rounding_seed);
            for (Index i = 0; i < offset.size(); ++i) offset.data()[i] += 1000;
            Field<float> smooth(problem.grid.points());
            Real largest = 0;
            for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
                largest = std::max(largest, std::abs(known.right_hand_side(i, j, k)));
            });
            for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
                smooth.view()(i, j, k) = static_cast<float>(known.right_hand_side(i, j, k) / largest + 1000);
            });
            Field<float> highest(problem.grid.points());
            for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
                const Index top = axes[0].periodic() ? n / 2 - 1 : n - 2;  // the very highest is ±1: too easy
                highest.view()(i, j, k) = static_cast<float>(
                    mode_value(axes[0], top, i) * mode_value(axes[1], top, j) * mode_value(axes[2], top, k));
            });
            Row row;
            row.add("kinds", kinds[kind].name).add("n", n);
            row.add("offset_smooth_eps", error(smooth)).add("offset_random_eps", error(offset));
            row.add("offset_smooth_backward_eps", backward_error(problem, smooth, settings.options));
            row.add("offset_random_backward_eps", backward_error(problem, offset, settings.options));
            row.add("highest_mode_eps", error(highest));
            list.add(row);
        }
}

/// (c) Single precision against the error of the stencil: cubes, and boxes of n × 4 × 4 points in which u varies
/// along the first axis only, for the lengths that no memory holds as a cube.
void single_precision(const Settings& settings, bool cubes) {
    List list(cubes ? "float_cubes" : "float_long_boxes");
    std::vector<Index> sizes = cube_sizes(settings);
    if (!cubes) {
        sizes.clear();
        for (Index n = 16; n <= 65536 && !settings.quick; n *= 2) sizes.push_back(n);
    }
    for (const int kind : {cell_p, cell_dd, cell_nn, cell_dn, node_p, node_dd, node_nn, node_dn})
        for (const Index n : sizes) {
            const Kinds which = cubes ? Kinds{kind, kind, kind} : Kinds{kind, cell_p, cell_p};
            std::array<Real, 3> steepness = usual_steepness(which);
            if (!cubes) steepness[1] = steepness[2] = 0;
            const Manufactured known(which, cubes ? Extents{n, n, n} : Extents{n, 4, 4}, steepness,
                                     Discretization::second_order);
            const FloatLimit limit = float_limit(known, settings.options);
            Row row;
            row.add("kinds", kinds[kind].name).add("n", n);
            row.add("h", known.problem().grid.axes[0].spacing);
            row.add("discretization", limit.discretization).add("rounding", limit.rounding);
            row.add("slope_discretization", limit.slope_discretization).add("slope_rounding", limit.slope_rounding);
            list.add(row);
        }
}

void measure(const Settings& settings) {
    const Solver<double> solver(make_problem({}, {8, 8, 8}), settings.options);
    std::cout << "{\n" << Row().add("solver", solver.description()).text();
    order(settings, Extension::smooth);
    order(settings, Extension::rough);
    rounding(settings);
    hard_right_hand_sides(settings);
    single_precision(settings, true);
    single_precision(settings, false);
    std::cout << "\n}\n";
}

}  // namespace
}  // namespace poisson3d

int main(int count, char** words) {
    using namespace poisson3d;
    Settings settings;
    settings.options.engine = Engine::host;
    for (int w = 1; w < count; ++w) {
        const std::string_view word = words[w];
        if (word == "--quick") {
            settings.quick = true;
            continue;
        }
        bool known = false;
        for (const Engine engine : {Engine::host, Engine::cufft, Engine::fused})
            if (word == "--engine" && w + 1 < count && std::string_view(words[w + 1]) == name(engine)) {
                settings.options.engine = engine;
                known = true;
            }
        if (!known) {
            std::cerr << "accuracy [--engine host|cufft|fused] [--quick]\n";
            return 2;
        }
        ++w;
    }
    try {
        measure(settings);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
