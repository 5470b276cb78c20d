#include "solving/solve_backend.hpp"

#include "process/machine.hpp"
#include "solving/device_backend.hpp"
#include "solving/device_members.hpp"
#include "solving/disk_backend.hpp"
#include "solving/host_backend.hpp"
#include "solving/host_members.hpp"
#include "solving/rank_on_device.hpp"

namespace poisson3d::app {

namespace {

/// What `automatic` answers by solving on the processor instead.
bool may_fall_back(ErrorCode code) {
    return code == ErrorCode::out_of_memory || code == ErrorCode::device || code == ErrorCode::unsupported;
}

template <template <class> class Backend, class T>
std::unique_ptr<SolveBackend<T>> make(const SolveTask& task, const BoundaryData<T>& boundary) {
    if constexpr (std::is_same_v<T, double>)
        if (task.mixed) return std::make_unique<Backend<MixedSolver>>(task, boundary);
    return std::make_unique<Backend<Solver<T>>>(task, boundary);
}

template <class T>
bool fits_host(const SolveTask& task) {
    const std::size_t memory = host_memory_for(task);
    const bool mixed = std::is_same_v<T, double> && task.mixed;
    return memory == 0 || (mixed ? bytes_on_host<MixedSolver>(task) : bytes_on_host<Solver<T>>(task)) <= memory;
}

}  // namespace

template <class T>
ChosenBackend<T> choose_backend(Ranks& ranks, SolveTask task, const BoundaryData<T>& boundary) {
    if (!task.devices.empty()) return {std::make_unique<DeviceMembers<T>>(ranks, task, boundary), {}};
    if (task.shape[0] > 0 && ranks.size() > 1 && task.options.engine == Engine::fused)
        return {std::make_unique<HostMembers<T, RankOnDevice>>(ranks, task, boundary), {}};
    if (task.shape[0] > 0) return {std::make_unique<HostMembers<T>>(ranks, task, boundary), {}};
    if (task.disk) return {std::make_unique<DiskBackend<T>>(task, boundary), {}};
    const Engine wanted = task.options.engine;
    std::string fallback;
    task.options.engine = choose_engine(wanted, task.options.device);
    if (on_gpu(task.options.engine)) {
        try {
            return {make<DeviceBackend>(task, boundary), {}};
        } catch (const Error& error) {
            if (wanted != Engine::automatic || !may_fall_back(error.code())) throw;
            fallback = error.what();
        }
    }
    task.options.engine = Engine::host;
    if (task.options.memory != Memory::automatic || fits_host<T>(task))
        return {make<HostBackend>(task, boundary), fallback};
    std::string no_file;
    try {
        return {std::make_unique<DiskBackend<T>>(task, boundary), fallback};
    } catch (const Error& error) {
        no_file = error.what();
    }
    try {
        return {make<HostBackend>(task, boundary), fallback};
    } catch (const Error& error) {
        throw Error(error.code(), std::string(error.what()) + "; nor is there a way through a file: " + no_file);
    }
}

template ChosenBackend<float> choose_backend(Ranks&, SolveTask, const BoundaryData<float>&);
template ChosenBackend<double> choose_backend(Ranks&, SolveTask, const BoundaryData<double>&);

}  // namespace poisson3d::app
