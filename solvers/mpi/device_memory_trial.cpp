#include "device_memory_trial.hpp"

#include <array>
#include <cstdint>

#include "mpi_calls.hpp"
#include "poisson3d/device_memory.hpp"

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace poisson3d {

namespace {

bool claims() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)  // Open MPI
    return MPIX_Query_cuda_support() == 1;
#elif defined(MPIX_GPU_SUPPORT_CUDA)  // MPICH
    int supported = 0;
    return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported) == MPI_SUCCESS && supported != 0;
#else
    return false;
#endif
}

/// What rank `from` sends in the trial.
std::uint64_t number(int from, std::size_t i) {
    return (static_cast<std::uint64_t>(from) + 1) * 0x9e3779b97f4a7c15ULL + i;
}

bool arrives(MPI_Comm ranks, int device) {
    int size = 0, rank = 0;
    check(MPI_Comm_size(ranks, &size), "size of the communicator");
    check(MPI_Comm_rank(ranks, &rank), "rank");
    const DeviceScope scope(device);
    std::array<std::uint64_t, 4096> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number(rank, i);
    const DeviceBuffer sent(sizeof numbers), received(sizeof numbers);
    copy_to_device(sent.data(), numbers.data(), sizeof numbers);
    fill_on_device(received.data(), 0, sizeof numbers);
    synchronize();
    const int before = (rank + size - 1) % size, after = (rank + 1) % size;
    if (MPI_Sendrecv(sent.data(), sizeof numbers, MPI_BYTE, after, 0, received.data(), sizeof numbers, MPI_BYTE,
                     before, 0, ranks, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    copy_to_host(numbers.data(), received.data(), sizeof numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != number(before, i)) return false;
    return true;
}

bool on_all(MPI_Comm ranks, bool here) {
    int all = here ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, ranks), "reduction");
    return all == 1;
}

}  // namespace

bool reads_device_memory(MPI_Comm ranks, int device) {
    return on_all(ranks, claims()) && on_all(ranks, arrives(ranks, device));
}

}  // namespace poisson3d
