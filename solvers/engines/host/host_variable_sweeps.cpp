// The sweeps of a variable coefficient on a team of threads.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "iteration_fields.hpp"
#include "passes.hpp"
#include "scaled_operator.hpp"
#include "variable_sweeps.hpp"

namespace poisson3d {

using namespace host;

namespace {

/// Elements from field to field, aligned.
Index pitch_of(const Problem& problem) {
    const Extents points = problem.grid.points();
    constexpr Index step = HostBuffer::alignment / sizeof(float);
    return (points[0] * points[1] * points[2] + step - 1) / step * step;
}

template <class T, class N>
class HostVariableSweeps final : public VariableSweeps<T, N> {
public:
    using typename VariableSweeps<T, N>::Start;

    /// Bytes: the operator, the fields of the iteration, a row for each thread.
    static std::size_t bytes_of(const Problem& problem, int threads) {
        const auto field = static_cast<std::size_t>(pitch_of(problem));
        return field * (ScaledOperator<T>::fields * sizeof(T) + IterationFields<T, N>::fields * sizeof(N)) +
               static_cast<std::size_t>(threads) * row_pitch(problem) * sizeof(double);
    }

    HostVariableSweeps(const Problem& problem, int threads)
        : problem_(problem),
          memory_(threads, bytes_of(problem, threads), {}),
          rows_(problem.grid, memory_.team()),
          operator_(rows_, problem.helmholtz, reinterpret_cast<T*>(memory_.memory()), pitch_of(problem)),
          iteration_(operator_, rows_,
                     reinterpret_cast<N*>(reinterpret_cast<T*>(memory_.memory()) +
                                          ScaledOperator<T>::fields * pitch_of(problem)),
                     pitch_of(problem)),
          line_(reinterpret_cast<double*>(iteration_.end())),
          terms_(make_boundary_terms<T>(problem.grid)),
          flux_terms_(make_boundary_terms<double>(problem.grid)) {
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) flux_[a][side].resize(operator_.wall(a, side).size());
    }

    double set(const Coefficient<T>& coefficient, std::optional<double> scaling) override {
        const double theta = operator_.set(coefficient, scaling);
        Problem problem = problem_;
        problem.helmholtz = operator_.shift();
        singular_ = poisson3d::singular(problem);
        iteration_.take_operator();
        return theta;
    }

    double shift() const override { return operator_.shift(); }
    bool singular() const override { return singular_; }
    double mean_of_operator() override {
        return rows_.weighted_mean([&](Index i, Index j) {
            return [c = operator_.c(i, j)](Index k) { return static_cast<double>(c[k]); };
        }) / iteration_.typical();
    }

    ResidualNorms residual(const VariableCall<T>& call, Start start) override {
        if (start != Start::again) begin(call, start);
        ResidualNorms norms;
        norms.mean = mean_;
        evaluate(call, start == Start::from_zero, norms);
        // A guess may be larger than what f̃ gives rise to; or f̃ is 0.
        const double ratio = std::sqrt(norms.scaled) / iteration_.size();
        if (!std::is_same_v<T, N> && ratio > 0.0 && !(ratio > 1e-12 && ratio < 1e12)) {
            iteration_.set_size(std::sqrt(norms.scaled));
            evaluate(call, false, norms);
        }
        return norms;
    }

    double residual_with(double constant) override { return iteration_.residual_with(constant); }
    double residual_along() override { return iteration_.residual_along(); }
    double correction_along(double constant) override { return iteration_.correction_along(constant); }
    double direction(const VariableCall<T>& call, bool first, double alpha, double beta, double constant) override {
        return iteration_.direction(call.u, first, alpha, beta, constant);
    }
    double reduce(double alpha) override { return iteration_.reduce(alpha); }
    double unscaled() override { return iteration_.unscaled(); }
    void advance(const VariableCall<T>& call, double alpha) override { iteration_.advance(call.u, alpha); }

    void finish(const VariableCall<T>& call) override {
        const double mean = rows_.weighted_mean([&](Index i, Index j) {
            return [u = &call.u(i, j, 0), s = operator_.s(i, j)](Index k) {
                u[k] /= s[k];
                return static_cast<double>(u[k]);
            };
        });
        if (singular_) {
            const auto& point = problem_.gauge.point;
            const double constant =
                point ? static_cast<double>(call.u((*point)[0], (*point)[1], (*point)[2])) : mean;
            rows_.for_rows([&](Index i, Index j) {
                T* const u = &call.u(i, j, 0);
                for (Index k = rows_.first(); k < rows_.end(); ++k)
                    u[k] = static_cast<T>(static_cast<double>(u[k]) - constant);
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
        T* const w = iteration_.template scratch<T>();
        rows_.for_rows([&](Index i, Index j) {
            const T* const s = operator_.s(i, j);
            for (Index k = rows_.first(); k < rows_.end(); ++k) w[rows_.row(i, j) + k] = s[k] * u(i, j, k);
        });
        const Extents points = rows_.points();
        rows_.team().parallel_for(points[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i)
                for (Index j = 0; j < points[1]; ++j) {
                    T* const to = &f(i, j, 0);
                    std::fill_n(to, points[2], T(0));
                    if (!rows_.unknown(0, i) || !rows_.unknown(1, j)) continue;
                    const T* const s = operator_.s(i, j);
                    operator_.multiply_row(w, points[2], rows_.stride_x(), i, j,
                                           [=](Index k, double value, double) {
                                               to[k] = static_cast<T>(-value * static_cast<double>(s[k]));
                                           });
                }
        });
    }

    FieldView<const N> residual_field() const override { return {iteration_.r(), rows_.points()}; }
    FieldView<N> correction_field() override { return {iteration_.z(), rows_.points()}; }
    std::size_t bytes() const noexcept override { return bytes_of(problem_, memory_.size()); }

private:
    static std::size_t row_pitch(const Problem& problem) {
        return (static_cast<std::size_t>(problem.grid.axes[2].points) + 7) / 8 * 8;
    }

    /// w, the mean of f̃ and the size of r.
    void begin(const VariableCall<T>& call, Start start) {
        for (int a = 0; a < 3; ++a) multiply_faces(call.boundary, a);
        rows_.for_rows([&](Index i, Index j) {
            T* const w = &call.u(i, j, 0);
            const T* const s = operator_.s(i, j);
            for (Index k = rows_.first(); k < rows_.end(); ++k) w[k] = start == Start::from_u ? s[k] * w[k] : T(0);
        });
        mean_ = 0.0;
        iteration_.set_size(1.0);
        if (!singular_ && std::is_same_v<T, N>) return;
        const BoundaryTerms<double> terms = flux_terms(call.boundary);
        const Sums sums = rows_.sum_rows([&](Index i, Index j, Sums& all, int) {
            const auto f = right_hand_side(call, terms, i, j);
            add_along<2>(rows_.first(), rows_.end(), rows_.weight(i, j), rows_.weights(), all,
                         [&](Index k, double* value) {
                             value[0] = f(k);
                             value[1] = value[0] * value[0];
                         });
        });
        if (singular_) mean_ = rows_.mean(sums);
        if (!std::is_same_v<T, N> && sums.value[1] > 0.0) iteration_.set_size(std::sqrt(rows_.mean(sums, 1)));
    }

    /// r and its norms.
    void evaluate(const VariableCall<T>& call, bool of_zero, ResidualNorms& norms) {
        const BoundaryTerms<double> terms = flux_terms(call.boundary);
        const std::size_t pitch = row_pitch(problem_);
        const double inverse = 1.0 / iteration_.size();
        const Sums all = rows_.sum_rows([&](Index i, Index j, Sums& sums, int thread) {
            N* const r = iteration_.r() + rows_.row(i, j);
            const T* const s = operator_.s(i, j);
            const T* const w = &call.u(i, j, 0);
            double* const product = line_ + static_cast<std::size_t>(thread) * pitch;
            double diagonals = 0.0;
            if (of_zero)
                std::fill(product, product + rows_.end(), 0.0);
            else
                operator_.multiply_row(call.u.data, call.u.strides[1], call.u.strides[0], i, j,
                                       [=, &diagonals, weights = rows_.weights()](Index k, double value, double d) {
                                           product[k] = value;
                                           const double size =
                                               d * static_cast<double>(s[k]) * static_cast<double>(w[k]);
                                           diagonals += weights[k] * size * size;
                                       });
            const auto f = right_hand_side(call, terms, i, j);
            const double mean = norms.mean;
            add_along<3>(rows_.first(), rows_.end(), rows_.weight(i, j), rows_.weights(), sums,
                         [=](Index k, double* value) {
                             const auto scale = static_cast<double>(s[k]);
                             const double wanted = mean - f(k);
                             const double scaled = wanted / scale - product[k];
                             r[k] = static_cast<N>(inverse * scaled);
                             value[0] = scale * scale * scaled * scaled;
                             value[1] = scaled * scaled;
                             value[2] = wanted * wanted;
                         });
            sums.value[3] += rows_.weight(i, j) * diagonals;
        });
        norms.residual = rows_.mean(all, 0);
        norms.scaled = rows_.mean(all, 1);
        norms.rhs = rows_.mean(all, 2);
        norms.diagonal = rows_.mean(all, 3);
    }

    /// ε times the data of the faces of an axis.
    void multiply_faces(const BoundaryData<T>& boundary, int a) {
        const auto face = extents_of_face(rows_.points(), a);
        for (int side = 0; side < 2; ++side) {
            const FaceValues<T>& values = boundary.faces[a][side];
            if (values.zero()) continue;
            for (Index b = 0; b < face[0]; ++b)
                for (Index c = 0; c < face[1]; ++c) {
                    const Index place = b * face[1] + c;
                    flux_[a][side][place] =
                        operator_.wall(a, side)[place] * static_cast<double>(value_at(values, b, c));
                }
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
    /// f̃ of unknown k of a row.
    static auto right_hand_side(const VariableCall<T>& call, const BoundaryTerms<double>& terms, Index i, Index j) {
        return [f = &call.f(i, j, 0), scale = call.scale, &terms, any = terms.any, i, j](Index k) {
            const double value = scale * static_cast<double>(f[k]);
            return any ? value + terms(i, j, k) : value;
        };
    }

    Problem problem_;
    TeamMemory memory_;
    UnknownRows rows_;
    ScaledOperator<T> operator_;
    IterationFields<T, N> iteration_;
    double* line_;  ///< a row for each thread
    BoundaryTerms<T> terms_;
    BoundaryTerms<double> flux_terms_;
    bool singular_ = false;
    double mean_ = 0.0;               ///< of f̃
    std::vector<double> flux_[3][2];  ///< ε at walls times their data
};

}  // namespace

template <class T, class N>
std::unique_ptr<VariableSweeps<T, N>> make_host_variable_sweeps(const Problem& problem, int threads) {
    return std::make_unique<HostVariableSweeps<T, N>>(problem, threads);
}
template <class T, class N>
std::size_t host_variable_sweeps_bytes(const Problem& problem, int threads) {
    return HostVariableSweeps<T, N>::bytes_of(problem, threads);
}

#define POISSON3D_INSTANCE(T, N)                                                                   \
    template std::unique_ptr<VariableSweeps<T, N>> make_host_variable_sweeps(const Problem&, int); \
    template std::size_t host_variable_sweeps_bytes<T, N>(const Problem&, int)
POISSON3D_INSTANCE(float, float);
POISSON3D_INSTANCE(double, double);
POISSON3D_INSTANCE(double, float);
#undef POISSON3D_INSTANCE

}  // namespace poisson3d
