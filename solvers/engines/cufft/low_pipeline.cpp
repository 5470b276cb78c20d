// Memory mode low on a device: not there yet.
#include "pipeline.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::cufft {

template <class T>
std::unique_ptr<Pipeline<T>> make_low_pipeline(const Problem&) {
    throw Error(ErrorCode::unsupported, "memory low on a GPU is not in this version: use standard or fast");
}

template std::unique_ptr<Pipeline<float>> make_low_pipeline(const Problem&);
template std::unique_ptr<Pipeline<double>> make_low_pipeline(const Problem&);

}  // namespace poisson3d::cufft
