// The sweeps of a variable coefficient on a team of threads. Sums are kept by plane and added in order.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "axis_kind.hpp"
#include "passes.hpp"
#include "variable_sweeps.hpp"

namespace poisson3d {

using namespace host;

namespace {

constexpr int lanes = 8;  ///< of a sum, so that its additions do not wait for each other

/// The sum of value(k), k from begin to end.
template <class Value>
double sum_along(Index begin, Index end, const Value& value) {
    double sums[lanes] = {};
    Index k = begin;
    for (; k + lanes <= end; k += lanes)
        for (int l = 0; l < lanes; ++l) sums[l] += value(k + l);
    for (; k < end; ++k) sums[0] += value(k);
    return std::accumulate(sums, sums + lanes, 0.0);
}

double power(double coefficient, double exponent) {
    if (exponent == 0.0) return 1.0;
    if (exponent == 0.5) return std::sqrt(coefficient);
    return exponent == 0.25 ? std::sqrt(std::sqrt(coefficient)) : std::pow(coefficient, exponent);
}

struct Sums {
    double value[4] = {};
};

template <class T>
class HostVariableSweeps final : public VariableSweeps<T> {
public:
    HostVariableSweeps(const Problem& problem, int threads)
        : problem_(problem),
          points_(problem.grid.points()),
          axes_{VariableAxis(problem.grid.axes[0]), VariableAxis(problem.grid.axes[1]),
                VariableAxis(problem.grid.axes[2])},
          stride_x_(points_[1] * points_[2]),
          fields_(threads, 9 * field_bytes(), {}),
          partial_(static_cast<std::size_t>(points_[0])),
          terms_(make_boundary_terms<T>(problem.grid)),
          flux_terms_(make_boundary_terms<double>(problem.grid)),
          singular_(singular(problem)) {
        T** const all[] = {&r_, &p_, &q_, &z_, &a_[0], &a_[1], &a_[2], &d_, &s_};
        for (int n = 0; n < 9; ++n)
            *all[n] = reinterpret_cast<T*>(fields_.memory() + static_cast<std::size_t>(n) * field_bytes());
        for (int a = 0; a < 3; ++a) {
            const auto face = extents_of_face(points_, a);
            for (int side = 0; side < 2; ++side) {
                wall_[a][side].resize(static_cast<std::size_t>(face[0] * face[1]));
                flux_[a][side].resize(wall_[a][side].size());
            }
        }
        double total = 1.0;
        for (const VariableAxis& axis : axes_)
            total *= std::accumulate(axis.weight.begin(), axis.weight.end(), 0.0);
        inverse_total_ = 1.0 / total;
    }

    double set(const Coefficient<T>& coefficient, std::optional<double> scaling) override {
        take_faces(coefficient);
        const double theta = scaling.value_or(is_sharp() ? 0.5 : 1.0);
        scale_faces(0.5 * theta);
        return theta;
    }

    double shift() override { return shift_; }

    double mean_of_operator() override {
        const auto all = static_cast<Index>(points_[0] * stride_x_);
        std::fill_n(p_, all, T(1));
        return inverse_total_ * sum_rows([&](Index i, Index j, Sums& sums) {
                                    operator_row<T>(p_, points_[2], stride_x_, i, j, [&](Index k, T value) {
                                        sums.value[0] += weight(i, j) * axes_[2].weight[k] * value;
                                    });
                                }).value[0];
    }

    void begin(const VariableCall<T>& call, bool from_u) override {
        for (int a = 0; a < 3; ++a) multiply_faces(call.boundary, a);
        for_rows([&](Index i, Index j) {
            T* const w = &call.u(i, j, 0);
            const T* const s = s_ + row(i, j);
            for (Index k = first(); k < end(); ++k) w[k] = from_u ? s[k] * w[k] : T(0);
        });
    }

    ResidualNorms residual(const VariableCall<T>& call) override {
        const BoundaryTerms<double> terms = flux_terms(call.boundary);
        ResidualNorms norms;
        if (singular_)
            norms.mean = inverse_total_ * sum_rows([&](Index i, Index j, Sums& sums) {
                                              right_hand_side(call, terms, i, j, [&](Index k, double f) {
                                                  sums.value[0] += weight(i, j) * axes_[2].weight[k] * f;
                                              });
                                          }).value[0];
        const Sums all = sum_rows([&](Index i, Index j, Sums& sums) {
            T* const r = r_ + row(i, j);
            const T* const s = s_ + row(i, j);
            const T* const d = d_ + row(i, j);
            const T* const w = &call.u(i, j, 0);
            operator_row<double>(static_cast<const T*>(call.u.data), call.u.strides[1], call.u.strides[0], i, j,
                                 [&](Index k, double value) { q_[row(i, j) + k] = static_cast<T>(value); });
            right_hand_side(call, terms, i, j, [&](Index k, double f) {
                const auto scale = static_cast<double>(s[k]);
                const double wanted = norms.mean - f;
                const double scaled = wanted / scale - static_cast<double>(q_[row(i, j) + k]);
                const double v = weight(i, j) * axes_[2].weight[k];
                const double diagonal = scale * static_cast<double>(d[k]) * static_cast<double>(w[k]);
                r[k] = static_cast<T>(scaled);
                sums.value[0] += v * scale * scale * scaled * scaled;
                sums.value[1] += v * scaled * scaled;
                sums.value[2] += v * wanted * wanted;
                sums.value[3] += v * diagonal * diagonal;
            });
        });
        norms.residual = inverse_total_ * all.value[0];
        norms.scaled = inverse_total_ * all.value[1];
        norms.rhs = inverse_total_ * all.value[2];
        norms.diagonal = inverse_total_ * all.value[3];
        return norms;
    }

    double residual_with(double constant) override {
        const T c = static_cast<T>(constant);
        return weighted_sum([&](Index at, const double* wz) {
            const T* const r = r_ + at;
            const T* const z = z_ + at;
            return sum_along(first(), end(),
                             [=](Index k) { return wz[k] * static_cast<double>(r[k] * (z[k] + c)); });
        });
    }

    double direction(const VariableCall<T>& call, bool first_time, double alpha, double beta,
                     double constant) override {
        const auto step = [&](Index i) {
            for (Index j = axes_[1].first; j <= axes_[1].last; ++j)
                first_time ? new_row<true>(call, i, j, alpha, beta, constant)
                           : new_row<false>(call, i, j, alpha, beta, constant);
        };
        // Slabs of planes. Their first and last planes come before all others, since neighbours read them.
        const Index planes = axes_[0].last - axes_[0].first + 1;
        const Index slabs = std::clamp<Index>(planes / 8, 1, Index{4} * fields_.size());
        const auto slab = [&](Index n) { return axes_[0].first + n * planes / slabs; };
        fields_.team().parallel_for(2 * slabs, 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const Index low = slab(n / 2), high = slab(n / 2 + 1) - 1;
                if (n % 2 == 0) step(low);
                if (n % 2 == 1 && high > low) step(high);
            }
        });
        fields_.team().parallel_for(slabs, 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const Index low = slab(n), high = slab(n + 1) - 1;
                for (Index i = low; i <= high; ++i) {
                    if (i + 1 < high) step(i + 1);
                    plane_product(i);
                }
            }
        });
        return inverse_total_ * total().value[0];
    }

    double reduce(double alpha) override {
        const T step = static_cast<T>(alpha);
        return weighted_sum([&](Index at, const double* wz) {
            T* const r = r_ + at;
            const T* const q = q_ + at;
            return sum_along(first(), end(), [=](Index k) {
                r[k] -= step * q[k];
                return wz[k] * static_cast<double>(r[k]) * static_cast<double>(r[k]);
            });
        });
    }

    double unscaled() override {
        return weighted_sum([&](Index at, const double* wz) {
            const T* const r = r_ + at;
            const T* const s = s_ + at;
            return sum_along(first(), end(), [=](Index k) {
                const double value = static_cast<double>(r[k]) * static_cast<double>(s[k]);
                return wz[k] * value * value;
            });
        });
    }

    void advance(const VariableCall<T>& call, double alpha) override {
        const T step = static_cast<T>(alpha);
        for_rows([&](Index i, Index j) {
            T* const w = &call.u(i, j, 0);
            const T* const p = p_ + row(i, j);
            for (Index k = first(); k < end(); ++k) w[k] += step * p[k];
        });
    }

    void finish(const VariableCall<T>& call) override {
        const double mean = weighted_sum([&](Index at, const double* wz) {
            T* const w =
                call.u.data + at / stride_x_ * call.u.strides[0] + at % stride_x_ / points_[2] * call.u.strides[1];
            const T* const s = s_ + at;
            return sum_along(first(), end(), [=](Index k) {
                w[k] /= s[k];
                return wz[k] * static_cast<double>(w[k]);
            });
        });
        if (singular_) {
            const auto& point = problem_.gauge.point;
            const double constant =
                point ? static_cast<double>(call.u((*point)[0], (*point)[1], (*point)[2])) : mean;
            for_rows([&](Index i, Index j) {
                T* const u = &call.u(i, j, 0);
                for (Index k = first(); k < end(); ++k) u[k] = static_cast<T>(static_cast<double>(u[k]) - constant);
            });
        }
        const BoundaryTerms<T> held = terms_.with_data(call.boundary);
        for_each_dirichlet_plane(
            held, points_,
            [&](const Extents& begin, const Extents& end) {
                for (Index i = begin[0]; i < end[0]; ++i)
                    for (Index j = begin[1]; j < end[1]; ++j)
                        for (Index k = begin[2]; k < end[2]; ++k) call.u(i, j, k) = held.held(i, j, k);
            },
            3);
    }

    void apply(FieldView<const T> u, FieldView<T> f) override {
        for_rows([&](Index i, Index j) {
            for (Index k = 0; k < points_[2]; ++k) p_[row(i, j) + k] = s_[row(i, j) + k] * u(i, j, k);
        });
        fields_.team().parallel_for(points_[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i)
                for (Index j = 0; j < points_[1]; ++j) {
                    std::fill_n(&f(i, j, 0), points_[2], T(0));
                    if (!unknown(0, i) || !unknown(1, j)) continue;
                    operator_row<double>(p_, points_[2], stride_x_, i, j, [&](Index k, double value) {
                        f(i, j, k) = static_cast<T>(-value * static_cast<double>(s_[row(i, j) + k]));
                    });
                }
        });
    }

    FieldView<const T> residual_field() const override { return {r_, points_}; }
    FieldView<T> correction_field() override { return {z_, points_}; }
    std::size_t bytes() const noexcept override { return 9 * field_bytes(); }

private:
    [[nodiscard]] std::size_t field_bytes() const {
        const auto bytes = static_cast<std::size_t>(points_[0] * points_[1] * points_[2]) * sizeof(T);
        return (bytes + HostBuffer::alignment - 1) / HostBuffer::alignment * HostBuffer::alignment;
    }
    [[nodiscard]] Index row(Index i, Index j) const noexcept { return i * stride_x_ + j * points_[2]; }
    [[nodiscard]] Index first() const noexcept { return axes_[2].first; }
    [[nodiscard]] Index end() const noexcept { return axes_[2].last + 1; }
    [[nodiscard]] bool unknown(std::size_t a, Index j) const noexcept {
        return j >= axes_[a].first && j <= axes_[a].last;
    }
    [[nodiscard]] double weight(Index i, Index j) const noexcept { return axes_[0].weight[i] * axes_[1].weight[j]; }

    /// body(i, j) for all rows of unknowns.
    template <class Body>
    void for_rows(const Body& body) {
        fields_.team().parallel_for(points_[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i)
                for (Index j = axes_[1].first; unknown(0, i) && j <= axes_[1].last; ++j) body(i, j);
        });
    }
    /// The same with sums that body(i, j, sums) adds to.
    template <class Body>
    Sums sum_rows(const Body& body) {
        fields_.team().parallel_for(points_[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) {
                Sums plane;
                for (Index j = axes_[1].first; unknown(0, i) && j <= axes_[1].last; ++j) body(i, j, plane);
                partial_[i] = plane;
            }
        });
        return total();
    }
    /// The weighted mean of what body(offset of the row, weights along z) sums in each row.
    template <class Body>
    double weighted_sum(const Body& body) {
        return inverse_total_ * sum_rows([&](Index i, Index j, Sums& sums) {
                                    sums.value[0] += weight(i, j) * body(row(i, j), axes_[2].weight.data());
                                }).value[0];
    }
    [[nodiscard]] Sums total() const {
        Sums all;
        for (Index i = axes_[0].first; i <= axes_[0].last; ++i)
            for (int n = 0; n < 4; ++n) all.value[n] += partial_[i].value[n];
        return all;
    }

    /// ε on lower faces into a, its mean by the diagonal into s, at walls into their arrays.
    void take_faces(const Coefficient<T>& coefficient) {
        for_rows([&](Index i, Index j) {
            for (Index k = first(); k < end(); ++k) {
                const Index at[3] = {i, j, k};
                double sum = 0.0, steps = 0.0;
                for (int a = 0; a < 3; ++a) {
                    const double below = coefficient.face(axes_, a, i, j, k, 0);
                    const double above = coefficient.face(axes_, a, i, j, k, 1);
                    a_[a][row(i, j) + k] = static_cast<T>(below);
                    sum += axes_[a].lower[at[a]] * below + axes_[a].upper[at[a]] * above;
                    steps += axes_[a].lower[at[a]] + axes_[a].upper[at[a]];
                    const auto [b, c] = across(a);
                    const Index place = at[b] * points_[c] + at[c];
                    if (at[a] == axes_[a].first) wall_[a][0][place] = below;
                    if (at[a] == axes_[a].last) wall_[a][1][place] = above;
                }
                s_[row(i, j) + k] = static_cast<T>(steps > 0.0 ? sum / steps : 1.0);
            }
        });
    }

    /// Whether ln ε jumps from point to point rather than to vary over several; some rows tell.
    [[nodiscard]] bool is_sharp() {
        double sum = 0.0, squares = 0.0, least = std::numeric_limits<double>::infinity(), most = 0.0;
        for (Index i = axes_[0].first; i <= axes_[0].last; ++i)
            for (Index j = axes_[1].first + i % 4; j <= axes_[1].last; j += 4)
                for (Index k = first(); k < end(); ++k) {
                    const auto here = static_cast<double>(s_[row(i, j) + k]);
                    least = std::min(least, here);
                    most = std::max(most, here);
                    const Index at[3] = {i, j, k}, stride[3] = {stride_x_, points_[2], 1};
                    for (int a = 0; a < 3; ++a) {
                        if (at[a] == axes_[a].last) continue;
                        const double ratio = static_cast<double>(s_[row(i, j) + k + stride[a]]) / here;
                        if (ratio > 0.99 && ratio < 1.01) continue;
                        const double jump = std::abs(std::log(ratio));
                        sum += jump;
                        squares += jump * jump;
                    }
                }
        return squares > 0.4 * sum * std::log(most / least);
    }

    /// From ε on faces and at points to a, d and s.
    void scale_faces(double exponent) {
        const double helmholtz = problem_.helmholtz;
        for_rows([&](Index i, Index j) {
            for (Index k = first(); k < end(); ++k) {
                const Index at[3] = {i, j, k}, stride[3] = {stride_x_, points_[2], 1};
                const auto here = static_cast<double>(s_[row(i, j) + k]);
                for (int a = 0; a < 3; ++a) {
                    T& face = a_[a][row(i, j) + k];
                    if (!axes_[a].linked(at[a], 0)) {
                        face = T(0);
                        continue;
                    }
                    const Index there = row(i, j) + k + (axes_[a].beside(at[a], 0) - at[a]) * stride[a];
                    face = static_cast<T>(static_cast<double>(face) /
                                          power(here * static_cast<double>(s_[there]), exponent));
                }
            }
        });
        const Sums sums = sum_rows([&](Index i, Index j, Sums& plane) {
            for (Index k = first(); k < end(); ++k) {
                const auto mean = static_cast<double>(s_[row(i, j) + k]);
                const double steps = axes_[0].lower[i] + axes_[0].upper[i] + axes_[1].lower[j] + axes_[1].upper[j] +
                                     axes_[2].lower[k] + axes_[2].upper[k];
                const double s = power(mean, exponent);
                s_[row(i, j) + k] = static_cast<T>(s);
                d_[row(i, j) + k] = static_cast<T>((steps * mean + helmholtz) / (s * s));
                const double v = weight(i, j) * axes_[2].weight[k];
                plane.value[0] += v * helmholtz / (s * s);
                plane.value[1] += v * mean / (s * s);
            }
        });
        shift_ = sums.value[0] / sums.value[1];
    }

    /// body(k, (B w)(i, j, k)) for all unknowns of a row; w has these strides.
    template <class Number, class Body>
    void operator_row(const T* w, Index stride_y, Index stride_x, Index i, Index j, const Body& body) const {
        const VariableAxis &x = axes_[0], &y = axes_[1], &z = axes_[2];
        const auto beside = [](const VariableAxis& axis, Index n, int side, Index otherwise) {
            return axis.linked(n, side) ? axis.beside(n, side) : otherwise;
        };
        const auto factor = [](const VariableAxis& axis, Index n, int side) {
            return static_cast<Number>(!axis.linked(n, side) ? 0.0 : side == 0 ? axis.lower[n] : axis.upper[n]);
        };
        const Index below = beside(x, i, 0, i), above = beside(x, i, 1, i);
        const Index left = beside(y, j, 0, j), right = beside(y, j, 1, j);
        const Number x_lower = factor(x, i, 0), x_upper = factor(x, i, 1);
        const Number y_lower = factor(y, j, 0), y_upper = factor(y, j, 1);
        const T* const c = w + i * stride_x + j * stride_y;
        const T* const w_below = w + below * stride_x + j * stride_y;
        const T* const w_above = w + above * stride_x + j * stride_y;
        const T* const w_left = w + i * stride_x + left * stride_y;
        const T* const w_right = w + i * stride_x + right * stride_y;
        const T* const d = d_ + row(i, j);
        const T* const a_below = a_[0] + row(i, j);
        const T* const a_above = a_[0] + row(above, j);
        const T* const a_left = a_[1] + row(i, j);
        const T* const a_right = a_[1] + row(i, right);
        const T* const a_z = a_[2] + row(i, j);
        const double* const z_lower = z.lower.data();
        const double* const z_upper = z.upper.data();
        const auto n = [](T value) { return static_cast<Number>(value); };
        const auto across_z = [&](Index k) {
            return n(d[k]) * n(c[k]) - x_lower * n(a_below[k]) * n(w_below[k]) -
                   x_upper * n(a_above[k]) * n(w_above[k]) - y_lower * n(a_left[k]) * n(w_left[k]) -
                   y_upper * n(a_right[k]) * n(w_right[k]);
        };
        const auto at_end = [&](Index k) {
            const Index lower = beside(z, k, 0, k), upper = beside(z, k, 1, k);
            return across_z(k) - factor(z, k, 0) * n(a_z[k]) * n(c[lower]) -
                   factor(z, k, 1) * n(a_z[upper]) * n(c[upper]);
        };
        body(z.first, at_end(z.first));
        for (Index k = z.first + 1; k < z.last; ++k)
            body(k, across_z(k) - static_cast<Number>(z_lower[k]) * n(a_z[k]) * n(c[k - 1]) -
                        static_cast<Number>(z_upper[k]) * n(a_z[k + 1]) * n(c[k + 1]));
        if (z.last > z.first) body(z.last, at_end(z.last));
    }

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
        for (Index j = axes_[1].first; j <= axes_[1].last; ++j) {
            T* __restrict const q = q_ + row(i, j);
            operator_row<T>(p_, points_[2], stride_x_, i, j, [q](Index k, T value) { q[k] = value; });
            const T* const p = p_ + row(i, j);
            const double* const wz = axes_[2].weight.data();
            plane += weight(i, j) * sum_along(first(), end(), [=](Index k) {
                         return wz[k] * static_cast<double>(p[k]) * static_cast<double>(q[k]);
                     });
        }
        partial_[i] = {{plane}};
    }

    /// ε times the data of the faces of an axis.
    void multiply_faces(const BoundaryData<T>& boundary, int a) {
        const auto face = extents_of_face(points_, a);
        for (int side = 0; side < 2; ++side) {
            const FaceValues<T>& values = boundary.faces[a][side];
            if (values.zero()) continue;
            for (Index b = 0; b < face[0]; ++b)
                for (Index c = 0; c < face[1]; ++c)
                    flux_[a][side][b * face[1] + c] =
                        wall_[a][side][b * face[1] + c] * static_cast<double>(value_at(values, b, c));
        }
    }
    [[nodiscard]] BoundaryTerms<double> flux_terms(const BoundaryData<T>& boundary) const {
        BoundaryData<double> data;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side)
                if (!boundary.faces[a][side].zero())
                    data.faces[a][side] = {0.0, flux_[a][side].data(), extents_of_face(points_, a)[1]};
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
    Extents points_;
    std::array<VariableAxis, 3> axes_;
    Index stride_x_;
    TeamMemory fields_;
    std::vector<Sums> partial_;  ///< by plane
    BoundaryTerms<T> terms_;
    BoundaryTerms<double> flux_terms_;
    bool singular_;
    std::vector<double> wall_[3][2], flux_[3][2];  ///< ε at walls, and times their data
    T *r_ = nullptr, *p_ = nullptr, *q_ = nullptr, *z_ = nullptr, *d_ = nullptr, *s_ = nullptr, *a_[3] = {};
    double inverse_total_ = 1.0, shift_ = 0.0;
};

}  // namespace

template <class T>
std::unique_ptr<VariableSweeps<T>> make_host_variable_sweeps(const Problem& problem, int threads) {
    return std::make_unique<HostVariableSweeps<T>>(problem, threads);
}

template std::unique_ptr<VariableSweeps<float>> make_host_variable_sweeps(const Problem&, int);
template std::unique_ptr<VariableSweeps<double>> make_host_variable_sweeps(const Problem&, int);

}  // namespace poisson3d
