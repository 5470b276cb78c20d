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
    using Dimension = fftw_iodim64;
    static constexpr auto plan = fftw_plan_guru64_split_dft;
    static constexpr auto execute = fftw_execute_split_dft;
    static constexpr auto destroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Dimension = fftwf_iodim64;
    static constexpr auto plan = fftwf_plan_guru64_split_dft;
    static constexpr auto execute = fftwf_execute_split_dft;
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
void execute(const void* plan, T* re, T* im) {
    Fftw<T>::execute(as_plan<T>(plan), re, im, re, im);
}

}  // namespace

template <class T>
RowFft<T>::RowFft(Index length, int lanes, Index pitch, PlanEffort effort) {
    // The planner overwrites its arrays when it measures, so they are its own.
    const HostBuffer memory(static_cast<std::size_t>(length) * pitch * sizeof(T));
    T* const re = static_cast<T*>(memory.data());
    T* const im = re + lanes;
    const typename Fftw<T>::Dimension line{length, pitch, pitch};
    const typename Fftw<T>::Dimension side_by_side{lanes, 1, 1};
    const std::lock_guard lock(planner_lock());
    plan_ = Fftw<T>::plan(1, &line, 1, &side_by_side, re, im, re, im,
                          effort == PlanEffort::measure ? FFTW_MEASURE : FFTW_ESTIMATE);
    if (plan_ == nullptr)
        throw Error(ErrorCode::internal, "FFTW made no plan for " + std::to_string(lanes) +
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
