#include "face_tables.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "axis_kind.hpp"
#include "cosine_sums.hpp"
#include "heat_kernel.hpp"
#include "spectrum.hpp"

namespace poisson3d::lines {

namespace {

using Numbers = FaceTerms::Numbers;

/// A weight at a point.
struct Tap {
    Index point;
    long double weight;
};

/// M of a face: what takes its value from the points on both sides, or beyond.
std::vector<Tap> taps(const Axis& axis, const ClosedAxis& closed, int side) {
    const auto [in, out] = ClosedAxis::layer(axis, side);
    if (closed.mean) return {{in, 0.5L}, {out, 0.5L}};
    return {{out, 1.0L}};
}

/// The tables of one axis at one time.
class AxisAtTime {
public:
    AxisAtTime(const Axis& axis, const ClosedAxis& closed, long double time)
        : axis_(axis),
          closed_(closed),
          first_(axis_kind(axis).first),
          kernel_(heat_kernel(Discretization::second_order, axis.step(), time, window(axis) + 3)) {}

    [[nodiscard]] const Numbers& kernel() const { return kernel_; }
    [[nodiscard]] long double from_face(Index unknown, int part) const {
        return of_part(part, [&](int side) { return from(side, first_ + unknown); });
    }
    [[nodiscard]] long double to_face(Index unknown, int part) const {
        return of_part(part, [&](int side) { return to(side, first_ + unknown); });
    }
    /// Of a face on itself plus or minus its opposite.
    [[nodiscard]] long double same(int part) const {
        const int a = closed_.lower ? 0 : 1;
        const auto between = [&](int target) {
            long double sum = 0;
            for (const Tap& tap : taps(axis_, closed_, target)) sum += tap.weight * from(a, tap.point);
            return sum;
        };
        if (closed_.faces == 1) return between(a);
        return part == 0 ? between(0) + between(1) : between(0) - between(1);
    }

private:
    [[nodiscard]] long double from(int side, Index point) const {
        long double sum = 0;
        for (const Tap& tap : taps(axis_, closed_, side))
            sum += tap.weight * heat_between(kernel_, axis_, point, tap.point);
        return sum;
    }
    [[nodiscard]] long double to(int side, Index point) const {
        long double sum = 0;
        for (const Tap& tap : taps(axis_, closed_, side))
            sum += tap.weight * heat_between(kernel_, axis_, tap.point, point);
        return sum;
    }
    template <class OfSide>
    [[nodiscard]] long double of_part(int part, const OfSide& of_side) const {
        if (closed_.faces == 1) return of_side(closed_.lower ? 0 : 1);
        return part == 0 ? of_side(0) + of_side(1) : of_side(0) - of_side(1);
    }

    const Axis& axis_;
    const ClosedAxis& closed_;
    Index first_;
    Numbers kernel_;
};

/// The axis that is not free, −1 if all are.
int bound_axis(const Grid& grid) {
    for (int a = 0; a < 3; ++a)
        if (!grid.axes[a].unbounded()) return a;
    return -1;
}

/// λ + μ = 0 of its mode 0, as given: nodes of its own.
bool constant_mode_apart(const Problem& problem, int bound) {
    return problem.helmholtz == 0.0 && axis_kind(problem.grid.axes[bound]).constant_mode;
}

class Maker {
public:
    Maker(const Problem& problem, const std::array<ClosedAxis, 3>& closed, double eps, bool far)
        : problem_(problem), closed_(closed), eps_(eps), far_(far), bound_(bound_axis(problem.grid)) {
        for (int a = 0; a < 3; ++a) tables_.axes[a] = face_axis(problem.grid.axes[a]);
    }

    FaceTables make() && {
        if (bound_ >= 0) mu_ = eigenvalues(tables_.axes[bound_].lines, Discretization::second_order);
        if (bound_ >= 0 && constant_mode_apart(problem_, bound_)) mu_[0] = 0;  // rounding must not decay
        for (const FaceNodes& nodes : face_nodes(problem_, eps_, far_))
            add_terms(nodes.times, nodes.first, nodes.last);
        return std::move(tables_);
    }

private:
    void add_terms(const TimeNodes& nodes, Index first, Index last) {
        FaceTerms terms;
        terms.first = first, terms.last = last, terms.nodes = nodes.size();
        const long double lambda = problem_.helmholtz;
        Numbers weights = nodes.weights;
        for (Index q = 0; bound_ < 0 && q < nodes.size(); ++q) weights[q] *= std::exp(-lambda * nodes.times[q]);
        for (int a = 0; a < 3; ++a) {
            if (a == bound_)
                add_decay(terms, nodes);
            else
                add_axis(terms, a, nodes, weights);
        }
        if (bound_ >= 0 && last == 1 && constant_mode_apart(problem_, bound_)) add_up(terms);
        tables_.terms.push_back(std::move(terms));
    }

    /// Of the mode 0 of the axis that is not free, whose B̂ is 1.
    void add_up(FaceTerms& terms) const {
        const Index count = terms.nodes;
        for (int a = 0; a < 3; ++a) {
            if (a == bound_) continue;
            const int d = 3 - a - bound_;
            for (int part = 0; part < closed_[a].faces; ++part) {
                const Numbers& from = terms.from_face[a][part];
                for (int target = 0; target < closed_[d].faces; ++target)
                    terms.between[a][part][target] = products(from, terms.to_face[d][target], count);
                Numbers& kernel = terms.kernel[a][part];
                kernel = products(terms.same[a][part], terms.along[d], count);
            }
        }
        for (auto* const each : {&terms.from_face, &terms.to_face, &terms.same}) *each = {};
        terms.along = {};
        terms.nodes = 0;
        terms.added_up = true;
    }

    /// Σ_q a_iq b_jq.
    static Numbers products(const Numbers& a, const Numbers& b, Index count) {
        Numbers result;
        for (auto i = a.begin(); i != a.end(); i += count)
            for (auto j = b.begin(); j != b.end(); j += count)
                result.push_back(std::inner_product(i, i + count, j, 0.0L));
        return result;
    }

    void add_axis(FaceTerms& terms, int a, const TimeNodes& nodes, const Numbers& weights) {
        for (int other = 0; other < a; ++other)
            if (problem_.grid.axes[other] == problem_.grid.axes[a]) {
                terms.from_face[a] = terms.from_face[other], terms.to_face[a] = terms.to_face[other];
                terms.along[a] = terms.along[other], terms.same[a] = terms.same[other];
                return;
            }
        const Axis& axis = problem_.grid.axes[a];
        const ClosedAxis& closed = closed_[a];
        const FaceAxis& face = tables_.axes[a];
        const Index count = terms.nodes;
        for (int part = 0; part < closed.faces; ++part) {
            terms.from_face[a][part].resize(face.count * count);
            terms.to_face[a][part].resize(face.count * count);
            terms.same[a][part].resize(count);
        }
        terms.along[a].resize(face.frequencies * count);
        const auto sums = std::make_unique<CosineSums>(half_period(face));
        std::vector<Numbers> lines;
        for (Index q = 0; q < count; ++q) {
            const AxisAtTime at(axis, closed, nodes.times[q]);
            const long double charge = weights[q] * static_cast<long double>(closed.to_face);
            for (int part = 0; part < closed.faces; ++part) {
                for (Index i = 0; i < face.count; ++i) {
                    terms.from_face[a][part][i * count + q] = charge / closed.faces * at.from_face(i, part);
                    terms.to_face[a][part][i * count + q] = at.to_face(i, part);
                }
                terms.same[a][part][q] = charge * at.same(part);
            }
            Numbers line(half_period(face) + 1, 0.0L);
            std::copy_n(at.kernel().begin(), reach(axis) + 1, line.begin());
            lines.push_back(std::move(line));
            if (lines.size() == 2) transform(terms, a, q - 1, lines, *sums);
        }
        if (!lines.empty()) {
            lines.emplace_back(half_period(face) + 1, 0.0L);
            transform(terms, a, count - 1, lines, *sums);
        }
    }

    /// Two lines of kernels, those of nodes q and q + 1 if there is one.
    void transform(FaceTerms& terms, int a, Index q, std::vector<Numbers>& lines, CosineSums& sums) const {
        const FaceAxis& face = tables_.axes[a];
        const AxisKind kind = axis_kind(face.lines);
        const auto trip = static_cast<long double>(kind.round_trip);
        const Index shift = face.lines.lower == Boundary::dirichlet ? 1 : 0;  // the angle of mode 0
        sums(lines[0], lines[1]);
        for (Index two = 0; two < 2 && q + two < terms.nodes; ++two)
            for (Index f = 0; f < face.frequencies; ++f)
                terms.along[a][f * terms.nodes + q + two] = lines[two][f + shift] / trip;
        lines.clear();
    }

    /// Of the axis that is not free: e^{−(λ+μ)t}.
    void add_decay(FaceTerms& terms, const TimeNodes& nodes) const {
        const FaceAxis& face = tables_.axes[bound_];
        Numbers& along = terms.along[bound_];
        along.resize(face.frequencies * terms.nodes);
        for (Index f = 0; f < face.frequencies; ++f)
            for (Index q = 0; q < terms.nodes; ++q) {
                const long double nu = problem_.helmholtz - static_cast<long double>(mu_[f]);
                along[f * terms.nodes + q] = std::exp(-nu * nodes.times[q]);
            }
    }

    const Problem& problem_;
    const std::array<ClosedAxis, 3>& closed_;
    double eps_;
    bool far_;
    int bound_;
    std::vector<double> mu_;
    FaceTables tables_;
};

}  // namespace

std::vector<FaceNodes> face_nodes(const Problem& problem, double eps, bool far) {
    const int bound = bound_axis(problem.grid);
    if (bound < 0) return {{0, 0, all_times(problem.grid, problem.helmholtz, eps)}};
    const FaceAxis axis = face_axis(problem.grid.axes[bound]);
    const std::vector<double> mu = eigenvalues(axis.lines, Discretization::second_order);
    std::vector<FaceNodes> result;
    Index first = 0;
    if (constant_mode_apart(problem, bound)) result.push_back({first++, 1, all_times(problem.grid, 0, eps, far)});
    if (first < axis.frequencies)
        result.push_back({first, axis.frequencies,
                          all_times(problem.grid, problem.helmholtz - static_cast<long double>(mu[first]), eps)});
    return result;
}

FaceTables make_face_tables(const Problem& problem, const std::array<ClosedAxis, 3>& closed, double eps, bool far) {
    return Maker(problem, closed, eps, far).make();
}

}  // namespace poisson3d::lines
