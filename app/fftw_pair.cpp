#include "fftw_pair.hpp"

#include <fftw3.h>

#include <array>
#include <cstddef>

#include "poisson3d/error.hpp"
#include "timing.hpp"

namespace poisson3d::app {

namespace {

/// The same calls for both precisions.
template <class T>
struct Api;

template <>
struct Api<double> {
    using Plan = fftw_plan;
    using Dimension = fftw_iodim64;
    static Plan plan(const Dimension* dims, double* in, double* out, const fftw_r2r_kind* kinds, unsigned flags) {
        return fftw_plan_guru64_r2r(3, dims, 0, nullptr, in, out, kinds, flags);
    }
    static void threads(int count) { fftw_plan_with_nthreads(count); }
    static bool start() { return fftw_init_threads() != 0; }
    static void forget() { fftw_forget_wisdom(); }
    static void run(Plan plan, double* in, double* out) { fftw_execute_r2r(plan, in, out); }
    static void destroy(Plan plan) { fftw_destroy_plan(plan); }
};

template <>
struct Api<float> {
    using Plan = fftwf_plan;
    using Dimension = fftwf_iodim64;
    static Plan plan(const Dimension* dims, float* in, float* out, const fftw_r2r_kind* kinds, unsigned flags) {
        return fftwf_plan_guru64_r2r(3, dims, 0, nullptr, in, out, kinds, flags);
    }
    static void threads(int count) { fftwf_plan_with_nthreads(count); }
    static bool start() { return fftwf_init_threads() != 0; }
    static void forget() { fftwf_forget_wisdom(); }
    static void run(Plan plan, float* in, float* out) { fftwf_execute_r2r(plan, in, out); }
    static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
};

/// What FFTW calls the transforms of one axis, and which of its points are unknowns.
struct Kind {
    fftw_r2r_kind forward;
    fftw_r2r_kind backward;
    Index first;
    Index unknowns;
};

Kind kind_of(const Axis& axis) {
    const Index n = axis.points;
    const bool lower = axis.lower == Boundary::dirichlet;
    const bool upper = axis.upper == Boundary::dirichlet;
    if (axis.periodic()) return {FFTW_R2HC, FFTW_HC2R, 0, n};
    if (axis.centering == Centering::cell) {
        if (lower && upper) return {FFTW_RODFT10, FFTW_RODFT01, 0, n};
        if (!lower && !upper) return {FFTW_REDFT10, FFTW_REDFT01, 0, n};
        return lower ? Kind{FFTW_RODFT11, FFTW_RODFT11, 0, n} : Kind{FFTW_REDFT11, FFTW_REDFT11, 0, n};
    }
    if (lower && upper) return {FFTW_RODFT00, FFTW_RODFT00, 1, n - 2};
    if (!lower && !upper) return {FFTW_REDFT00, FFTW_REDFT00, 0, n};
    return lower ? Kind{FFTW_RODFT01, FFTW_RODFT10, 1, n - 1} : Kind{FFTW_REDFT01, FFTW_REDFT10, 0, n - 1};
}

}  // namespace

template <class T>
struct FftwPair<T>::Plans {
    typename Api<T>::Plan forward = nullptr;
    typename Api<T>::Plan backward = nullptr;
    Index offset = 0;
    double seconds = 0.0;

    ~Plans() {
        if (forward != nullptr) Api<T>::destroy(forward);
        if (backward != nullptr) Api<T>::destroy(backward);
    }
};

template <class T>
FftwPair<T>::FftwPair(const Grid& grid, int threads, T* in, T* middle, T* out) : plans_(std::make_unique<Plans>()) {
    const Stopwatch watch;
    std::array<typename Api<T>::Dimension, 3> dims{};
    std::array<fftw_r2r_kind, 3> forward{};
    std::array<fftw_r2r_kind, 3> backward{};
    const Index rows = grid.axes[2].points;
    const std::array<Index, 3> strides{grid.axes[1].points * rows, rows, 1};
    for (std::size_t a = 0; a < 3; ++a) {
        const Kind kind = kind_of(grid.axes[a]);
        dims[a] = {kind.unknowns, strides[a], strides[a]};
        forward[a] = kind.forward;
        backward[a] = kind.backward;
        plans_->offset += kind.first * strides[a];
    }
    if (!Api<T>::start()) throw Error(ErrorCode::internal, "FFTW cannot start its threads");
    Api<T>::threads(threads);
    const Index offset = plans_->offset;
    plans_->forward =
        Api<T>::plan(dims.data(), in + offset, middle + offset, forward.data(), FFTW_MEASURE | FFTW_PRESERVE_INPUT);
    plans_->backward = Api<T>::plan(dims.data(), middle + offset, out + offset, backward.data(),
                                    FFTW_MEASURE | FFTW_DESTROY_INPUT);
    // The solver's plans are for one thread and must not depend on what was measured here.
    Api<T>::threads(1);
    Api<T>::forget();
    if (plans_->forward == nullptr || plans_->backward == nullptr)
        throw Error(ErrorCode::internal, "FFTW refuses to plan this problem");
    plans_->seconds = watch.seconds();
}

template <class T>
FftwPair<T>::~FftwPair() = default;

template <class T>
void FftwPair<T>::run(T* in, T* middle, T* out) const {
    const Index offset = plans_->offset;
    Api<T>::run(plans_->forward, in + offset, middle + offset);
    Api<T>::run(plans_->backward, middle + offset, out + offset);
}

template <class T>
double FftwPair<T>::plan_seconds() const noexcept {
    return plans_->seconds;
}

template class FftwPair<float>;
template class FftwPair<double>;

}  // namespace poisson3d::app
