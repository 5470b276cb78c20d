// The sweeps of mixed precision on a team of threads.
#include <algorithm>

#include "passes.hpp"
#include "refiner.hpp"

namespace poisson3d {

using namespace host;

namespace {

class HostRefiner final : public Refiner {
public:
    HostRefiner(const Extents& points, int threads, std::span<std::byte> memory)
        : points_(points), team_(threads, refiner_bytes(points), memory) {
        bind(team_.memory(), points);
    }

    void measure(const Refinement& r, Stream) override {
        for_each_part([&](Rows rows) {
            Partial partial;
            for_each_row_of_unknowns(r, rows, [&](Index i, Index j) { add_row(r, i, j, partial); });
            return partial;
        });
        *scalars_ = measured(r, sum());
    }

    void residual(const Refinement& r, bool first, Stream) override {
        const Scalars s = *scalars_;
        const auto leave = [&](Index i, Index j, Index k, double operated) {
            const double rhs = right_hand_side(r, r.f[i * r.f_x + j * r.f_y + k], i, j, k);
            row_of_single(r, i, j)[k] = residual_of(r, s, first, rhs, operated);
        };
        for_each_part([&](Rows rows) {
            for_each_row_of_unknowns(r, rows, [&](Index i, Index j) {
                if (first)
                    for (Index k = r.op.axis[2].first; k <= r.op.axis[2].last; ++k) leave(i, j, k, 0.0);
                else
                    r.op.along(r.op.row<double>(r.u, r.u_x, r.u_y, i, j),
                               [&](Index k, double operated) { leave(i, j, k, operated); });
            });
            return Partial{};
        });
    }

    void centre(const Refinement& r, Stream) override {
        for_each_part([&](Rows rows) {
            Partial partial;
            for_each_row(rows, [&](Index i, Index j) {
                const float* const c = row_of_single(r, i, j);
                partial.sum += weighted_row(r, i, j, [c](Index k) { return static_cast<double>(c[k]); });
            });
            return partial;
        });
        scalars_->excess = sum().sum / r.total;
    }

    void correct(const Refinement& r, bool first, Stream) override {
        const Scalars s = *scalars_;
        for_each_part([&](Rows rows) {
            for_each_row(rows, [&](Index i, Index j) {
                double* const u = r.u + i * r.u_x + j * r.u_y;
                if (!r.op.axis[0].unknown(i) || !r.op.axis[1].unknown(j)) {
                    if (first) hold(r, i, j, u, 0, points_[2]);
                    return;
                }
                const float* const c = row_of_single(r, i, j);
                const Index begin = r.op.axis[2].first;
                const Index end = r.op.axis[2].last + 1;
                for (Index k = begin; k < end; ++k) u[k] = corrected(s, first, first ? 0.0 : u[k], c[k]);
                if (!first) return;
                hold(r, i, j, u, 0, begin);
                hold(r, i, j, u, end, points_[2]);
            });
            return Partial{};
        });
    }

    [[nodiscard]] double mean(Stream) const override { return scalars_->mean; }

private:
    /// body(rows) for every part; what it returns is kept for sum().
    template <class Body>
    void for_each_part(const Body& body) {
        team_.team().parallel_for(parts(points_), 1, [&](Index begin, Index end, int) {
            for (Index part = begin; part < end; ++part) partials_[part] = body(rows_of_part(points_, part));
        });
    }

    template <class Body>
    void for_each_row(Rows rows, const Body& body) const {
        for (Index row = rows.first; row < rows.end; ++row) body(row / points_[1], row % points_[1]);
    }

    template <class Body>
    void for_each_row_of_unknowns(const Refinement& r, Rows rows, const Body& body) const {
        for_each_row(rows, [&](Index i, Index j) {
            if (r.op.axis[0].unknown(i) && r.op.axis[1].unknown(j)) body(i, j);
        });
    }

    [[nodiscard]] float* row_of_single(const Refinement& r, Index i, Index j) const {
        return r.single + (i * points_[1] + j) * points_[2];
    }

    static void add_row(const Refinement& r, Index i, Index j, Partial& partial) {
        const double* const f = r.f + i * r.f_x + j * r.f_y;
        const auto value = [&](Index k) { return right_hand_side(r, f[k], i, j, k); };
        double largest = partial.largest;
        for (Index k = r.op.axis[2].first; k <= r.op.axis[2].last; ++k)
            largest = std::max(largest, std::abs(value(k)));
        partial.largest = largest;
        if (r.closed) partial.sum += weighted_row(r, i, j, value);
    }

    template <class Value>
    static double weighted_row(const Refinement& r, Index i, Index j, const Value& value) {
        double row = 0.0;
        for (Index k = r.op.axis[2].first; k <= r.op.axis[2].last; ++k) row += weight_along(r, 2, k) * value(k);
        return weight_along(r, 0, i) * weight_along(r, 1, j) * row;
    }

    static void hold(const Refinement& r, Index i, Index j, double* u, Index begin, Index end) {
        for (Index k = begin; k < end; ++k) u[k] = r.terms.held(i, j, k);
    }

    [[nodiscard]] Partial sum() const {
        Partial all;
        for (Index part = 0; part < parts(points_); ++part) {
            all.largest = std::max(all.largest, partials_[part].largest);
            all.sum += partials_[part].sum;
        }
        return all;
    }

    Extents points_;
    TeamMemory team_;
};

}  // namespace

std::unique_ptr<Refiner> make_host_refiner(const Extents& points, int threads, std::span<std::byte> memory) {
    return std::make_unique<HostRefiner>(points, threads, memory);
}

}  // namespace poisson3d
