// Stands in for fftw_pair.cpp where FFTW, or its threads, are not there.
#include "fftw_pair.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

template <class T>
struct FftwPair<T>::Plans {};

template <class T>
FftwPair<T>::FftwPair(const Grid&, int, T*, T*, T*) {
    throw Error(ErrorCode::unsupported, "--compare fftw: this build has no FFTW with threads to compare with");
}

template <class T>
FftwPair<T>::~FftwPair() = default;

template <class T>
void FftwPair<T>::run(T*, T*, T*) const {}

template <class T>
double FftwPair<T>::plan_seconds() const noexcept {
    return 0.0;
}

template class FftwPair<float>;
template class FftwPair<double>;

}  // namespace poisson3d::app
