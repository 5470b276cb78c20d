#include "row_fft.hpp"

#include "poisson3d/error.hpp"

namespace poisson3d::host {

const char* row_fft_library() noexcept {
    return "this build has no host FFT library (POISSON3D_HOST_FFT=none)";
}
bool row_fft_available() noexcept {
    return false;
}

template <class T>
RowFft<T>::RowFft(Index, int, Index, PlanEffort) {
    throw Error(ErrorCode::unsupported, row_fft_library());
}
template <class T>
RowFft<T>::~RowFft() = default;
template <class T>
RowFft<T>::RowFft(RowFft&&) noexcept = default;
template <class T>
RowFft<T>& RowFft<T>::operator=(RowFft&&) noexcept = default;
template <class T>
RowFftCall<T> RowFft<T>::call() const noexcept {
    return {nullptr, nullptr};
}

template class RowFft<float>;
template class RowFft<double>;

}  // namespace poisson3d::host
