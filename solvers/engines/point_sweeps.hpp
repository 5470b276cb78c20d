// The sweeps of a variable coefficient by steps at points (point_steps.hpp), those of an iteration by columns and
// tiles (column_steps.hpp). Who runs these is an Executor:
//
//     Executor(const Problem&, bytes)                       has so many bytes, zeroed, where it works
//     std::byte* memory()
//     void upload(void* to, const void* from, bytes)        from the host, and returns
//     void run(step, first, last)                           at all points of a box, its corners inclusive
//     std::array<double, 4> sum(step, first, last)          the same, with what they add up to
//     std::array<double, 4> tiles(task, grid)               tiles of a TileGrid
//     std::array<double, 4> columns(step, op, first, last)  by columns, weights those of op
//     T value(const T*)                                     one number
//
// in the order of calls; sums wait. They are the same bits every time.
//
// Bytes: a direction makes p anew and q in one sweep over z, the last p, c and three a. Its step of w waits until
// `Advance::most` of them are made in one sweep over w, since w is double: so as many directions are kept.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "axis_kind.hpp"
#include "column_steps.hpp"
#include "point_layout.hpp"
#include "spectrum.hpp"
#include "variable_sweeps.hpp"

namespace poisson3d {

template <class T, class N, class Executor>
class PointSweeps final : public VariableSweeps<T, N> {
public:
    using typename VariableSweeps<T, N>::Start;
    using Layout = PointLayout<T, N>;

    template <class... Where>
    explicit PointSweeps(const Problem& problem, const Where&... where)
        : problem_(problem),
          layout_(problem.grid),
          executor_(where..., layout_.end),
          terms_(make_boundary_terms<T>(problem.grid)),
          flux_terms_(make_boundary_terms<double>(problem.grid)) {
        layout_.place(executor_.memory(), it_, p_, flux_);
        it_.op.helmholtz = problem.helmholtz;
        place_axes();
    }

    double set(const Coefficient<T>& coefficient, std::optional<double> scaling) override {
        const auto& op = it_.op;
        run(points::TakeFaces<T>{{}, op, coefficient});
        double theta = 0.0;
        if (scaling) {
            theta = *scaling;
        } else {
            const auto jumps = sum(points::Jumps<T>{{}, op});
            theta = jumps[1] > 0.4 * jumps[0] * (jumps[2] + jumps[3]) ? 0.5 : 1.0;
        }
        const double exponent = 0.5 * theta;
        const auto logarithms = sum(points::ScaleFaces<T>{{}, op, exponent});
        typical_ = std::exp((1.0 - 2.0 * exponent) * mean(logarithms[0]));
        const auto shifts = sum(points::TakeRoots<T>{{}, op, coefficient, exponent});
        shift_ = shifts[0] / shifts[1];
        mean_of_operator_ = mean(sum(points::FindRest<T>{{}, op, coefficient})[0]) / typical();
        if constexpr (Layout::copies) run(points::CopyOperator<T, N>{{}, it_, 1.0 / typical()});
        Problem shifted = problem_;
        shifted.helmholtz = shift_;
        singular_ = poisson3d::singular(shifted);
        return theta;
    }

    double shift() const override { return shift_; }
    bool singular() const override { return singular_; }
    double mean_of_operator() override { return mean_of_operator_; }

    ResidualNorms residual(const VariableCall<T>& call, Start start) override {
        if (start != Start::again) begin(call, start);
        ResidualNorms norms = evaluate(call, start == Start::from_zero);
        // A guess may be larger than what f̃ gives rise to; or f̃ is 0.
        const double ratio = std::sqrt(norms.scaled) / size_;
        if (Layout::copies && ratio > 0.0 && !(ratio > 1e-12 && ratio < 1e12)) {
            size_ = std::sqrt(norms.scaled);
            norms = evaluate(call, start == Start::from_zero);
        }
        return norms;
    }

    double residual_with(double constant) override { return dot(it_.r, it_.z, constant); }
    double residual_along() override { return dot(it_.r, p_[newest_], 0.0); }
    double correction_along(double constant) override { return dot(it_.q, it_.z, constant); }

    double direction(const VariableCall<T>& call, bool first, double alpha, double beta, double constant) override {
        if (!first) remember(alpha);
        if (waiting_ == Layout::directions) advance_all(call);  // the next one takes the place of the oldest
        const N* const old = first ? it_.z : p_[newest_];       // times 0, which must be finite
        newest_ = (newest_ + 1) % Layout::directions;
        const points::Coefficients<N> coefficients{it_.c, {it_.a[0], it_.a[1], it_.a[2]}};
        const points::PlaneStrides dense{it_.op.stride(0), it_.op.stride(1)};
        return mean(
            executor_.tiles(points::Direction<T, N>{it_.op, coefficients, dense, it_.z, old, p_[newest_], it_.q,
                                                    static_cast<N>(first ? 0.0 : beta), static_cast<N>(constant)},
                            points::TileGrid(first_, last_))[0]);
    }
    double reduce(double alpha) override {
        return size_ * size_ * mean(columns(points::Reduce<N>{it_.r, it_.q, static_cast<N>(alpha)})[0]);
    }
    double unscaled() override { return size_ * size_ * mean(columns(points::Unscaled<T, N>{it_.r, it_.op.s})[0]); }
    void advance(const VariableCall<T>& call, double alpha) override {
        if (alpha != 0.0) remember(alpha);
        advance_all(call);
    }

    void finish(const VariableCall<T>& call) override {
        const points::Rows<T> u(call.u);
        double constant = mean(sum(points::Finish<T>{{}, it_.op, u})[0]);
        if (singular_) {
            if (const auto& point = problem_.gauge.point)
                constant = static_cast<double>(
                    executor_.value(u.data + (*point)[0] * u.x + (*point)[1] * u.y + (*point)[2]));
            run(points::Subtract<T>{{}, u, constant});
        }
        const BoundaryTerms<T> held = terms_.with_data(call.boundary);
        for_each_dirichlet_plane(
            held, problem_.grid.points(),
            [&](const Extents& begin, const Extents& end) {
                executor_.run(points::Hold<T>{{}, held, u}, begin, {end[0] - 1, end[1] - 1, end[2] - 1});
            },
            3);
        executor_.wait();
    }

    void apply(FieldView<const T> u, FieldView<T> f) override {
        T* const w = reinterpret_cast<T*>(it_.r);
        run(points::Scale<T>{{}, it_.op, points::Rows<const T>(u), w});
        const Extents points = problem_.grid.points();
        executor_.run(points::Apply<T>{{}, it_.op, w, points::Rows<T>(f)}, {0, 0, 0},
                      {points[0] - 1, points[1] - 1, points[2] - 1});
        executor_.wait();
    }

    FieldView<const N> residual_field() const override { return {it_.r, problem_.grid.points()}; }
    FieldView<N> correction_field() override { return {it_.z, problem_.grid.points()}; }
    std::size_t bytes() const noexcept override { return layout_.end; }

private:
    void place_axes() {
        double total = 1.0;
        std::byte* to = executor_.memory() + layout_.axes;
        for (int a = 0; a < 3; ++a) {
            const VariableAxis axis(problem_.grid.axes[a]);
            it_.op.points[a] = axis.points;
            AxisNumbers numbers = axis.numbers();
            const auto bring = [&]<class M>(const M*& array) {
                const std::size_t bytes = static_cast<std::size_t>(axis.points) * sizeof(M);
                executor_.upload(to, array, bytes);
                array = reinterpret_cast<const M*>(to);
                to += bytes;
            };
            bring(numbers.lower), bring(numbers.upper), bring(numbers.weight), bring(numbers.share);
            for (int side = 0; side < 2; ++side) bring(numbers.step_to[side]), bring(numbers.next[side]);
            it_.op.axis[a] = numbers;
            first_[a] = axis.first, last_[a] = axis.last;
            total *= std::accumulate(axis.weight.begin(), axis.weight.end(), 0.0);
        }
        inverse_total_ = 1.0 / total;
    }

    template <class Step>
    void run(const Step& step) {
        executor_.run(step, first_, last_);
    }
    template <class Step>
    std::array<double, 4> sum(const Step& step) {
        return executor_.sum(step, first_, last_);
    }
    [[nodiscard]] double mean(double sum) const { return inverse_total_ * sum; }
    [[nodiscard]] double typical() const { return Layout::copies ? typical_ : 1.0; }
    /// A step along p in units of w: r is the residual over σ, the operator over a mean value κ of a.
    [[nodiscard]] double step(double alpha) const { return alpha * size_ / typical(); }
    double dot(const N* x, const N* y, double constant) {
        return mean(columns(points::Dot<N>{x, y, static_cast<N>(constant)})[0]);
    }
    template <class Step>
    std::array<double, 4> columns(const Step& step) {
        return executor_.columns(step, it_.op, first_, last_);
    }

    /// A step of w along the newest direction, to be made later.
    void remember(double alpha) {
        if (waiting_ > 0 && waits_[waiting_ - 1].p == p_[newest_])
            waits_[waiting_ - 1].alpha += alpha;
        else
            waits_[waiting_++] = {p_[newest_], alpha};
    }
    void advance_all(const VariableCall<T>& call) {
        if (waiting_ == 0) return;
        points::Advance<T, N> task{points::Rows<T>(call.u), {}, {}, waiting_};
        for (int d = 0; d < waiting_; ++d) {
            task.p[d] = waits_[d].p;
            task.alpha[d] = static_cast<T>(step(waits_[d].alpha));
        }
        (void)columns(task);
        waiting_ = 0;
    }

    [[nodiscard]] points::RightHandSide<T> right_hand_side(const VariableCall<T>& call) const {
        BoundaryData<double> data;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side)
                if (!call.boundary.faces[a][side].zero())
                    data.faces[a][side] = {0.0, flux_[a][side], extents_of_face(problem_.grid.points(), a)[1]};
        return {points::Rows<const T>(call.f), call.scale, flux_terms_.with_data(data)};
    }

    /// w, the mean of f̃ and the size of r.
    void begin(const VariableCall<T>& call, Start start) {
        waiting_ = 0;  // of a call that failed
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                const FaceValues<T>& face = call.boundary.faces[a][side];
                if (face.zero()) continue;
                const Extents points = problem_.grid.points();
                Extents last{points[0] - 1, points[1] - 1, points[2] - 1};
                last[a] = 0;
                executor_.run(points::TakeFlux<T>{{}, it_.op, face, flux_[a][side], a, side}, {0, 0, 0}, last);
            }
        const auto sums = sum(points::Begin<T>{
            {}, it_.op, right_hand_side(call), points::Rows<T>(call.u), start == Start::from_zero});
        mean_ = singular_ ? mean(sums[0]) : 0.0;
        size_ = Layout::copies && sums[1] > 0.0 ? std::sqrt(mean(sums[1])) : 1.0;
    }

    ResidualNorms evaluate(const VariableCall<T>& call, bool of_zero) {
        if (of_zero) {
            const auto sums =
                columns(points::ResidualOfZero<T, N>{it_.op, right_hand_side(call), it_.r, mean_, 1.0 / size_});
            return {mean(sums[1]), mean(sums[0]), mean(sums[1]), 0.0, mean_};
        }
        const points::Coefficients<T> coefficients{it_.op.c, {it_.op.a[0], it_.op.a[1], it_.op.a[2]}};
        const auto sums = executor_.tiles(points::Residual<T, N>{it_.op,
                                                                 coefficients,
                                                                 {call.u.strides[0], call.u.strides[1]},
                                                                 call.u.data,
                                                                 right_hand_side(call),
                                                                 it_.r,
                                                                 mean_,
                                                                 1.0 / size_},
                                          points::TileGrid(first_, last_));
        return {mean(sums[0]), mean(sums[1]), mean(sums[2]), mean(sums[3]), mean_};
    }

    Problem problem_;
    Layout layout_;
    Executor executor_;
    points::Iteration<T, N> it_;
    N* p_[Layout::directions] = {};  ///< in turn
    int newest_ = 0;
    struct Wait {
        const N* p;
        double alpha;
    };
    Wait waits_[Layout::directions] = {};  ///< steps that w lacks
    int waiting_ = 0;
    double* flux_[3][2] = {};  ///< ε at walls times their data
    BoundaryTerms<T> terms_;
    BoundaryTerms<double> flux_terms_;
    Extents first_{}, last_{};  ///< unknowns
    double inverse_total_ = 1.0, shift_ = 0.0, typical_ = 1.0, mean_of_operator_ = 0.0;
    double mean_ = 0.0, size_ = 1.0;
    bool singular_ = false;
};

}  // namespace poisson3d
