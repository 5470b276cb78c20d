#include "row_fft.hpp"

#include <fftw3.h>

#include <mutex>
#include <string>
#include <utility>

#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d::host {

namespace {

/// FFTW's two precisions under one set of names.
template <class T>
struct Fftw;

template <>
struct Fftw<double> {
    using Plan = fftw_plan;
    using Number = fftw_complex;
    static constexpr auto plan_many = fftw_plan_many_dft;
    static constexpr auto execute = fftw_execute_dft;
    static constexpr auto destroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Number = fftwf_complex;
    static constexpr auto plan_many = fftwf_plan_many_dft;
    static constexpr auto execute = fftwf_execute_dft;
    static constexpr auto destroy = fftwf_destroy_plan;
};

std::mutex& planner_lock() {
    static std::mutex mutex;
    return mutex;
}

template <class T>
typename Fftw<T>::Plan as_plan(const void* plan) {
    return static_cast<typename Fftw<T>::Plan>(const_cast<void*>(plan));
}

template <class T>
void execute(const void* plan, T* in, T* out) {
    using Number = typename Fftw<T>::Number;
    Fftw<T>::execute(as_plan<T>(plan), reinterpret_cast<Number*>(in), reinterpret_cast<Number*>(out));
}

}  // namespace

template <class T>
RowFft<T>::RowFft(Index length, int width, PlanEffort effort) {
    using Number = typename Fftw<T>::Number;
    const std::size_t bytes = static_cast<std::size_t>(length) * width * sizeof(Number);
    // The planner overwrites its arrays when it measures, so they are its own.
    const HostBuffer in(bytes);
    const HostBuffer out(bytes);
    const int n = static_cast<int>(length);
    const std::lock_guard lock(planner_lock());
    plan_ = Fftw<T>::plan_many(1, &n, width, static_cast<Number*>(in.data()), nullptr, width, 1,
                               static_cast<Number*>(out.data()), nullptr, width, 1, FFTW_FORWARD,
                               FFTW_DESTROY_INPUT | (effort == PlanEffort::measure ? FFTW_MEASURE : FFTW_ESTIMATE));
    if (plan_ == nullptr)
        throw Error(ErrorCode::internal, "FFTW made no plan for " + std::to_string(width) +
                                             " transforms of length " + std::to_string(length));
}

template <class T>
RowFft<T>::~RowFft() {
    if (plan_ == nullptr) return;
    const std::lock_guard lock(planner_lock());
    Fftw<T>::destroy(as_plan<T>(plan_));
}

template <class T>
RowFft<T>::RowFft(RowFft&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}

template <class T>
RowFft<T>& RowFft<T>::operator=(RowFft&& other) noexcept {
    std::swap(plan_, other.plan_);
    return *this;
}

template <class T>
RowFftCall<T> RowFft<T>::call() const noexcept {
    return {&execute<T>, plan_};
}

const char* row_fft_library() noexcept {
    return fftw_version;
}
bool row_fft_available() noexcept {
    return true;
}

template class RowFft<float>;
template class RowFft<double>;

}  // namespace poisson3d::host
