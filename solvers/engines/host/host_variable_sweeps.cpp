// The sweeps of a variable coefficient on a team of threads. Sums are kept by plane and added in order.
#include <algorithm>
#include <vector>

#include "passes.hpp"
#include "scaled_operator.hpp"
#include "variable_sweeps.hpp"

namespace poisson3d {

using namespace host;

namespace {

template <class T>
class HostVariableSweeps final : public VariableSweeps<T> {
public:
    HostVariableSweeps(const Problem& problem, int threads)
        : problem_(problem),
          fields_(threads, fields * pitch() * sizeof(T), {}),
          rows_(problem.grid, fields_.team()),
          operator_(rows_, problem.helmholtz, field(4), pitch()),
          terms_(make_boundary_terms<T>(problem.grid)),
          flux_terms_(make_boundary_terms<double>(problem.grid)),
          singular_(singular(problem)),
          r_(field(0)),
          p_(field(1)),
          q_(field(2)),
          z_(field(3)) {
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) flux_[a][side].resize(operator_.wall(a, side).size());
    }

    double set(const Coefficient<T>& coefficient, std::optional<double> scaling) override {
        return operator_.set(coefficient, scaling);
    }

    double shift() override { return operator_.shift(); }

    double mean_of_operator() override {
        std::fill_n(p_, rows_.points()[0] * rows_.stride_x(), T(1));
        return rows_.weighted_mean([&](Index i, Index j) {
            double sum = 0.0;
            operator_.template multiply_row<T>(p_, rows_.points()[2], rows_.stride_x(), i, j,
                                               [&](Index k, T value) { sum += rows_.weights()[k] * value; });
            return sum;
        });
    }

    void begin(const VariableCall<T>& call, bool from_u) override {
        for (int a = 0; a < 3; ++a) multiply_faces(call.boundary, a);
        rows_.for_rows([&](Index i, Index j) {
            T* const w = &call.u(i, j, 0);
            const T* const s = operator_.s(i, j);
            for (Index k = first(); k < end(); ++k) w[k] = from_u ? s[k] * w[k] : T(0);
        });
    }

    ResidualNorms residual(const VariableCall<T>& call) override {
        const BoundaryTerms<double> terms = flux_terms(call.boundary);
        ResidualNorms norms;
        if (singular_)
            norms.mean = rows_.weighted_mean([&](Index i, Index j) {
                double sum = 0.0;
                right_hand_side(call, terms, i, j, [&](Index k, double f) { sum += rows_.weights()[k] * f; });
                return sum;
            });
        const Sums all = rows_.sum_rows([&](Index i, Index j, Sums& sums) {
            T* const r = r_ + row(i, j);
            const T* const s = operator_.s(i, j);
            const T* const d = operator_.d(i, j);
            const T* const w = &call.u(i, j, 0);
            T* const q = q_ + row(i, j);
            operator_.template multiply_row<double>(call.u.data, call.u.strides[1], call.u.strides[0], i, j,
                                                    [q](Index k, double value) { q[k] = static_cast<T>(value); });
            right_hand_side(call, terms, i, j, [&](Index k, double f) {
                const auto scale = static_cast<double>(s[k]);
                const double wanted = norms.mean - f;
                const double scaled = wanted / scale - static_cast<double>(q[k]);
                const double v = rows_.weight(i, j) * rows_.weights()[k];
                const double diagonal = scale * static_cast<double>(d[k]) * static_cast<double>(w[k]);
                r[k] = static_cast<T>(scaled);
                sums.value[0] += v * scale * scale * scaled * scaled;
                sums.value[1] += v * scaled * scaled;
                sums.value[2] += v * wanted * wanted;
                sums.value[3] += v * diagonal * diagonal;
            });
        });
        norms.residual = rows_.mean(all, 0);
        norms.scaled = rows_.mean(all, 1);
        norms.rhs = rows_.mean(all, 2);
        norms.diagonal = rows_.mean(all, 3);
        return norms;
    }

    double residual_with(double constant) override {
        const T c = static_cast<T>(constant);
        return rows_.weighted_mean([&, wz = rows_.weights()](Index i, Index j) {
            const T* const r = r_ + row(i, j);
            const T* const z = z_ + row(i, j);
            return sum_along(first(), end(),
                             [=](Index k) { return wz[k] * static_cast<double>(r[k] * (z[k] + c)); });
        });
    }

    double direction(const VariableCall<T>& call, bool first_time, double alpha, double beta,
                     double constant) override {
        const auto& [x, y, z] = rows_.axes();
        const auto step = [&, first_j = y.first, last_j = y.last](Index i) {
            for (Index j = first_j; j <= last_j; ++j)
                first_time ? new_row<true>(call, i, j, alpha, beta, constant)
                           : new_row<false>(call, i, j, alpha, beta, constant);
        };
        // Slabs of planes. Their first and last planes come before all others, since neighbours read them.
        const Index planes = x.last - x.first + 1;
        const Index slabs = std::clamp<Index>(planes / 8, 1, Index{4} * fields_.size());
        const auto slab = [=, from = x.first](Index n) { return from + n * planes / slabs; };
        rows_.team().parallel_for(2 * slabs, 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const Index low = slab(n / 2), high = slab(n / 2 + 1) - 1;
                if (n % 2 == 0) step(low);
                if (n % 2 == 1 && high > low) step(high);
            }
        });
        rows_.team().parallel_for(slabs, 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const Index low = slab(n), high = slab(n + 1) - 1;
                for (Index i = low; i <= high; ++i) {
                    if (i + 1 < high) step(i + 1);
                    plane_product(i);
                }
            }
        });
        return rows_.mean(rows_.total());
    }

    double reduce(double alpha) override {
        const T step = static_cast<T>(alpha);
        return rows_.weighted_mean([&, wz = rows_.weights()](Index i, Index j) {
            T* const r = r_ + row(i, j);
            const T* const q = q_ + row(i, j);
            return sum_along(first(), end(), [=](Index k) {
                r[k] -= step * q[k];
                return wz[k] * static_cast<double>(r[k]) * static_cast<double>(r[k]);
            });
        });
    }

    double unscaled() override {
        return rows_.weighted_mean([&, wz = rows_.weights()](Index i, Index j) {
            const T* const r = r_ + row(i, j);
            const T* const s = operator_.s(i, j);
            return sum_along(first(), end(), [=](Index k) {
                const double value = static_cast<double>(r[k]) * static_cast<double>(s[k]);
                return wz[k] * value * value;
            });
        });
    }

    void advance(const VariableCall<T>& call, double alpha) override {
        const T step = static_cast<T>(alpha);
        rows_.for_rows([&](Index i, Index j) {
            T* const w = &call.u(i, j, 0);
            const T* const p = p_ + row(i, j);
            for (Index k = first(); k < end(); ++k) w[k] += step * p[k];
        });
    }

    void finish(const VariableCall<T>& call) override {
        const double mean = rows_.weighted_mean([&, wz = rows_.weights()](Index i, Index j) {
            T* const w = &call.u(i, j, 0);
            const T* const s = operator_.s(i, j);
            return sum_along(first(), end(), [=](Index k) {
                w[k] /= s[k];
                return wz[k] * static_cast<double>(w[k]);
            });
        });
        if (singular_) {
            const auto& point = problem_.gauge.point;
            const double constant =
                point ? static_cast<double>(call.u((*point)[0], (*point)[1], (*point)[2])) : mean;
            rows_.for_rows([&](Index i, Index j) {
                T* const u = &call.u(i, j, 0);
                for (Index k = first(); k < end(); ++k) u[k] = static_cast<T>(static_cast<double>(u[k]) - constant);
            });
        }
        const BoundaryTerms<T> held = terms_.with_data(call.boundary);
        for_each_dirichlet_plane(
            held, rows_.points(),
            [&](const Extents& begin, const Extents& end) {
                for (Index i = begin[0]; i < end[0]; ++i)
                    for (Index j = begin[1]; j < end[1]; ++j)
                        for (Index k = begin[2]; k < end[2]; ++k) call.u(i, j, k) = held.held(i, j, k);
            },
            3);
    }

    void apply(FieldView<const T> u, FieldView<T> f) override {
        rows_.for_rows([&](Index i, Index j) {
            const T* const s = operator_.s(i, j);
            for (Index k = first(); k < end(); ++k) p_[row(i, j) + k] = s[k] * u(i, j, k);
        });
        const Extents points = rows_.points();
        rows_.team().parallel_for(points[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i)
                for (Index j = 0; j < points[1]; ++j) {
                    T* const to = &f(i, j, 0);
                    std::fill_n(to, points[2], T(0));
                    if (!rows_.unknown(0, i) || !rows_.unknown(1, j)) continue;
                    const T* const s = operator_.s(i, j);
                    operator_.template multiply_row<double>(
                        p_, points[2], rows_.stride_x(), i, j,
                        [=](Index k, double value) { to[k] = static_cast<T>(-value * static_cast<double>(s[k])); });
                }
        });
    }

    FieldView<const T> residual_field() const override { return {r_, rows_.points()}; }
    FieldView<T> correction_field() override { return {z_, rows_.points()}; }
    std::size_t bytes() const noexcept override { return fields * pitch() * sizeof(T); }

private:
    static constexpr std::size_t fields = 4 + ScaledOperator<T>::fields;

    /// Elements from field to field, aligned.
    [[nodiscard]] std::size_t pitch() const {
        const Extents points = problem_.grid.points();
        constexpr std::size_t step = HostBuffer::alignment / sizeof(T);
        return (static_cast<std::size_t>(points[0] * points[1] * points[2]) + step - 1) / step * step;
    }
    [[nodiscard]] T* field(std::size_t number) const {
        return reinterpret_cast<T*>(fields_.memory()) + number * pitch();
    }
    [[nodiscard]] Index row(Index i, Index j) const noexcept { return rows_.row(i, j); }
    [[nodiscard]] Index first() const noexcept { return rows_.first(); }
    [[nodiscard]] Index end() const noexcept { return rows_.end(); }

    template <bool first_time>
    void new_row(const VariableCall<T>& call, Index i, Index j, double alpha, double beta, double constant) {
        const auto a = static_cast<T>(alpha), b = static_cast<T>(beta), c = static_cast<T>(constant);
        const T* const z = z_ + row(i, j);
        T* __restrict const p = p_ + row(i, j);
        T* __restrict const w = &call.u(i, j, 0);
        for (Index k = first(); k < end(); ++k) {
            if constexpr (first_time) {
                p[k] = z[k] + c;
            } else {
                w[k] += a * p[k];
                p[k] = z[k] + c + b * p[k];
            }
        }
    }

    void plane_product(Index i) {
        double plane = 0.0;
        const auto& [x, y, z] = rows_.axes();
        for (Index j = y.first; j <= y.last; ++j) {
            T* __restrict const q = q_ + row(i, j);
            operator_.template multiply_row<T>(p_, rows_.points()[2], rows_.stride_x(), i, j,
                                               [q](Index k, T value) { q[k] = value; });
            const T* const p = p_ + row(i, j);
            const double* const wz = rows_.weights();
            plane += rows_.weight(i, j) * sum_along(first(), end(), [=](Index k) {
                         return wz[k] * static_cast<double>(p[k]) * static_cast<double>(q[k]);
                     });
        }
        rows_.set_partial(i, {{plane}});
    }

    /// ε times the data of the faces of an axis.
    void multiply_faces(const BoundaryData<T>& boundary, int a) {
        const auto face = extents_of_face(rows_.points(), a);
        for (int side = 0; side < 2; ++side) {
            const FaceValues<T>& values = boundary.faces[a][side];
            if (values.zero()) continue;
            for (Index b = 0; b < face[0]; ++b)
                for (Index c = 0; c < face[1]; ++c)
                    flux_[a][side][b * face[1] + c] =
                        operator_.wall(a, side)[b * face[1] + c] * static_cast<double>(value_at(values, b, c));
        }
    }
    [[nodiscard]] BoundaryTerms<double> flux_terms(const BoundaryData<T>& boundary) const {
        BoundaryData<double> data;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side)
                if (!boundary.faces[a][side].zero())
                    data.faces[a][side] = {0.0, flux_[a][side].data(), extents_of_face(rows_.points(), a)[1]};
        return flux_terms_.with_data(data);
    }
    /// body(k, f̃) for all unknowns of a row.
    template <class Body>
    void right_hand_side(const VariableCall<T>& call, const BoundaryTerms<double>& terms, Index i, Index j,
                         const Body& body) const {
        const T* const f = &call.f(i, j, 0);
        for (Index k = first(); k < end(); ++k)
            body(k, call.scale * static_cast<double>(f[k]) + (terms.any ? terms(i, j, k) : 0.0));
    }

    Problem problem_;
    TeamMemory fields_;
    UnknownRows rows_;
    ScaledOperator<T> operator_;
    BoundaryTerms<T> terms_;
    BoundaryTerms<double> flux_terms_;
    bool singular_;
    std::vector<double> flux_[3][2];  ///< ε at walls times their data
    T *r_, *p_, *q_, *z_;
};

}  // namespace

template <class T>
std::unique_ptr<VariableSweeps<T>> make_host_variable_sweeps(const Problem& problem, int threads) {
    return std::make_unique<HostVariableSweeps<T>>(problem, threads);
}

template std::unique_ptr<VariableSweeps<float>> make_host_variable_sweeps(const Problem&, int);
template std::unique_ptr<VariableSweeps<double>> make_host_variable_sweeps(const Problem&, int);

}  // namespace poisson3d
