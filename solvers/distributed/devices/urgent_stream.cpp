#include "urgent_stream.hpp"

#include "cuda/check.hpp"

namespace poisson3d {

UrgentStream::UrgentStream() {
    int least = 0, greatest = 0;
    cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "priorities of streams");
    cudaStream_t stream = nullptr;
    cuda::check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), "stream on the device");
    handle_ = stream;
}

UrgentStream::~UrgentStream() {
    cuda::release([&] { return cudaStreamSynchronize(cuda::queue(get())); });
    cuda::release([&] { return cudaStreamDestroy(cuda::queue(get())); });
}

}  // namespace poisson3d
