// FFTW as a peer: its own 3-D real transform of the same field, forward and back, nothing between them.
//
// With walls that is r2r of the kinds that diagonalise the axes, on the unknowns of the stored field (Dirichlet
// nodes left out, as the solver leaves them out). Of a box that is periodic in all axes it is r2c and c2r, which is
// what one would use there, and faster.
#include <fftw3.h>

#include <array>
#include <cstddef>

#include "peer.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"
#include "timing.hpp"

namespace poisson3d::app {

namespace {

/// The same calls for both precisions.
template <class T>
struct Api;

template <>
struct Api<double> {
    using Plan = fftw_plan;
    using Complex = fftw_complex;
    using Dimension = fftw_iodim64;
    static Plan r2r(const Dimension* dims, double* in, double* out, const fftw_r2r_kind* kinds, unsigned flags) {
        return fftw_plan_guru64_r2r(3, dims, 0, nullptr, in, out, kinds, flags);
    }
    static Plan r2c(const Dimension* dims, double* in, Complex* out, unsigned flags) {
        return fftw_plan_guru64_dft_r2c(3, dims, 0, nullptr, in, out, flags);
    }
    static Plan c2r(const Dimension* dims, Complex* in, double* out, unsigned flags) {
        return fftw_plan_guru64_dft_c2r(3, dims, 0, nullptr, in, out, flags);
    }
    static const char* version() { return fftw_version; }
    static void threads(int count) { fftw_plan_with_nthreads(count); }
    static bool start() { return fftw_init_threads() != 0; }
    static void forget() { fftw_forget_wisdom(); }
    static void run(Plan plan, double* in, double* out) { fftw_execute_r2r(plan, in, out); }
    static void run(Plan plan, double* in, Complex* out) { fftw_execute_dft_r2c(plan, in, out); }
    static void run(Plan plan, Complex* in, double* out) { fftw_execute_dft_c2r(plan, in, out); }
    static void destroy(Plan plan) { fftw_destroy_plan(plan); }
};

template <>
struct Api<float> {
    using Plan = fftwf_plan;
    using Complex = fftwf_complex;
    using Dimension = fftwf_iodim64;
    static Plan r2r(const Dimension* dims, float* in, float* out, const fftw_r2r_kind* kinds, unsigned flags) {
        return fftwf_plan_guru64_r2r(3, dims, 0, nullptr, in, out, kinds, flags);
    }
    static Plan r2c(const Dimension* dims, float* in, Complex* out, unsigned flags) {
        return fftwf_plan_guru64_dft_r2c(3, dims, 0, nullptr, in, out, flags);
    }
    static Plan c2r(const Dimension* dims, Complex* in, float* out, unsigned flags) {
        return fftwf_plan_guru64_dft_c2r(3, dims, 0, nullptr, in, out, flags);
    }
    static const char* version() { return fftwf_version; }
    static void threads(int count) { fftwf_plan_with_nthreads(count); }
    static bool start() { return fftwf_init_threads() != 0; }
    static void forget() { fftwf_forget_wisdom(); }
    static void run(Plan plan, float* in, float* out) { fftwf_execute_r2r(plan, in, out); }
    static void run(Plan plan, float* in, Complex* out) { fftwf_execute_dft_r2c(plan, in, out); }
    static void run(Plan plan, Complex* in, float* out) { fftwf_execute_dft_c2r(plan, in, out); }
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

bool all_periodic(const Grid& grid) {
    return grid.axes[0].periodic() && grid.axes[1].periodic() && grid.axes[2].periodic();
}

/// Two plans made with FFTW_MEASURE, out of place: from f to a field in the middle, and from there to u.
template <class T>
class FftwPeer final : public Peer<T> {
public:
    FftwPeer(const Grid& grid, int threads) : complex_(all_periodic(grid)) {
        const Stopwatch watch;
        const Extents n = grid.points();
        const Index row = complex_ ? 2 * (n[2] / 2 + 1) : n[2];
        middle_ = HostBuffer(static_cast<std::size_t>(n[0] * n[1] * row) * sizeof(T));
        const std::size_t field = static_cast<std::size_t>(grid.size()) * sizeof(T);
        const HostBuffer f(field);
        const HostBuffer u(field);
        if (!Api<T>::start()) throw Error(ErrorCode::internal, "FFTW cannot start its threads");
        Api<T>::threads(threads);
        if (complex_)
            plan_complex(n, static_cast<T*>(f.data()), static_cast<T*>(u.data()));
        else
            plan_real(grid, static_cast<T*>(f.data()), static_cast<T*>(u.data()));
        // The solver's plans are for one thread and must not depend on what was measured here.
        Api<T>::threads(1);
        Api<T>::forget();
        if (forward_ == nullptr || backward_ == nullptr) {
            destroy();
            throw Error(ErrorCode::internal, "FFTW refuses to plan this problem");
        }
        this->about_ = {Api<T>::version(), complex_ ? "r2c + c2r" : "r2r", false, watch.seconds()};
    }

    ~FftwPeer() override { destroy(); }

    double run(const T* f, T* u) override {
        T* const in = const_cast<T*>(f);  // FFTW_PRESERVE_INPUT; its interface has no const
        const Stopwatch watch;
        if (complex_) {
            Api<T>::run(forward_, in, modes());
            Api<T>::run(backward_, modes(), u);
        } else {
            Api<T>::run(forward_, in + first_, values());
            Api<T>::run(backward_, values(), u + first_);
        }
        return watch.seconds();
    }

private:
    using Dimension = typename Api<T>::Dimension;

    [[nodiscard]] typename Api<T>::Complex* modes() const {
        return static_cast<typename Api<T>::Complex*>(middle_.data());
    }
    [[nodiscard]] T* values() const { return static_cast<T*>(middle_.data()) + first_; }

    void plan_real(const Grid& grid, T* f, T* u) {
        std::array<Dimension, 3> dims{};
        std::array<fftw_r2r_kind, 3> forward{};
        std::array<fftw_r2r_kind, 3> backward{};
        const Strides strides = dense_strides(grid.points());
        for (std::size_t a = 0; a < 3; ++a) {
            const Kind kind = kind_of(grid.axes[a]);
            dims[a] = {kind.unknowns, strides[a], strides[a]};
            forward[a] = kind.forward;
            backward[a] = kind.backward;
            first_ += kind.first * strides[a];
        }
        forward_ =
            Api<T>::r2r(dims.data(), f + first_, values(), forward.data(), FFTW_MEASURE | FFTW_PRESERVE_INPUT);
        backward_ =
            Api<T>::r2r(dims.data(), values(), u + first_, backward.data(), FFTW_MEASURE | FFTW_DESTROY_INPUT);
    }

    void plan_complex(const Extents& n, T* f, T* u) {
        const Strides real = dense_strides(n);
        const Strides half = dense_strides({n[0], n[1], n[2] / 2 + 1});
        std::array<Dimension, 3> to{};
        std::array<Dimension, 3> back{};
        for (std::size_t a = 0; a < 3; ++a) {
            to[a] = {n[a], real[a], half[a]};
            back[a] = {n[a], half[a], real[a]};
        }
        forward_ = Api<T>::r2c(to.data(), f, modes(), FFTW_MEASURE | FFTW_PRESERVE_INPUT);
        backward_ = Api<T>::c2r(back.data(), modes(), u, FFTW_MEASURE | FFTW_DESTROY_INPUT);
    }

    void destroy() {
        if (forward_ != nullptr) Api<T>::destroy(forward_);
        if (backward_ != nullptr) Api<T>::destroy(backward_);
    }

    bool complex_;
    Index first_ = 0;  ///< from the first point to the first unknown
    HostBuffer middle_;
    typename Api<T>::Plan forward_ = nullptr;
    typename Api<T>::Plan backward_ = nullptr;
};

template <class T>
std::unique_ptr<Peer<T>> plan(const Problem& problem, int threads) {
    return std::make_unique<FftwPeer<T>>(problem.grid, threads);
}

}  // namespace

PeerKind fftw_peer() {
    return {"fftw",
            "FFTW",
            "its transforms alone, forward and back (r2c and c2r where all axes are periodic, else r2r)",
            [] { return std::string(); },
            plan<float>,
            plan<double>};
}

}  // namespace poisson3d::app
