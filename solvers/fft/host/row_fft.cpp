#include "row_fft.hpp"

#include <pthread.h>

#include <mutex>
#include <string>
#include <utility>

#include "fftw.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"
#include "wisdom.hpp"

namespace poisson3d::host {

namespace {

std::mutex planner_mutex;

/// A fork waits for the planner, so that the child finds it whole and unlocked.
std::mutex& planner_lock() {
    [[maybe_unused]] static const int at_fork = pthread_atfork(
        [] { planner_mutex.lock(); }, [] { planner_mutex.unlock(); }, [] { planner_mutex.unlock(); });
    return planner_mutex;
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
    const auto plan = [&](unsigned flags) {
        return Fftw<T>::plan(1, &line, 1, &side_by_side, re, im, re, im, flags);
    };
    const std::lock_guard lock(planner_lock());
    const PlannerWisdom<T> wisdom(effort);
    if (effort == PlanEffort::estimate) {
        plan_ = plan(FFTW_ESTIMATE);
    } else if (plan_ = plan(FFTW_MEASURE | FFTW_WISDOM_ONLY); plan_ == nullptr) {
        plan_ = plan(FFTW_MEASURE);
        wisdom.keep();
    }
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
