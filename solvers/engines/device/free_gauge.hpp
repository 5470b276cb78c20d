// The constant that a problem with free faces leaves open (gauge_applies), when it is not to be that of far away:
// the weighted mean of u, or its value at a point, is taken from u and from the values of its free faces.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"
#include "workspace.hpp"

namespace poisson3d::device {

/// mean := Σ w_i w_j w_k u(i, j, k) / total, on the device, in double: rows by parts, whose sums are added up in
/// one order.
template <class T>
struct WeightedMean {
    FieldView<const T> u;
    const double* weights[3] = {};
    double total = 1;
    double* partials = nullptr;  ///< one for each part
    Index parts = 1;
    T* mean = nullptr;
    T* low = nullptr;  ///< what mean was rounded by, if that is wanted
};

/// Asynchronous on `stream`; throw Error{device} when refused.
template <class T>
void launch_mean(const WeightedMean<T>& task, Stream stream);
/// mean := Σ (sums[2 m] + sums[2 m + 1]) / total.
template <class T>
void launch_mean_of_sums(const T* sums, int count, double total, T* mean, Stream stream);

/// The weights of the points of a box, and what else their sum takes.
template <class T>
class WeightedSum {
public:
    /// Of no points: nothing is asked for.
    explicit WeightedSum(std::array<std::vector<double>, 3> weights);

    void reserve(WorkspaceLayout& layout);
    /// Synchronises.
    void upload(std::byte* workspace);
    /// Σ w_i w_j w_k u(i, j, k), which is still to be told where to go.
    [[nodiscard]] WeightedMean<T> task(const FieldView<T>& u) const;

private:
    std::array<std::vector<double>, 3> weights_;  ///< until they are on the device
    Index parts_ = 1;
    std::array<std::size_t, 3> offset_{};
    std::size_t partials_offset_ = 0;
    std::array<const double*, 3> there_{};
    double* partials_ = nullptr;
};

template <class T>
class FreeGauge {
public:
    explicit FreeGauge(const Problem& problem);

    void reserve(WorkspaceLayout& layout);
    /// Synchronises.
    void upload(std::byte* workspace);
    /// u of one field, all its points, and `count` values on faces, if there are any. Asynchronous; allocates
    /// nothing.
    void apply(const FieldView<T>& u, T* faces, Index count, Stream stream) const;

private:
    Gauge gauge_;
    bool asked_;
    double total_ = 1;
    WeightedSum<T> sum_;
    std::size_t value_offset_ = 0;
    T* value_ = nullptr;
};

}  // namespace poisson3d::device
