#include "solving/solve_backend.hpp"

#include "process/machine.hpp"

namespace poisson3d::app {

namespace {

/// What `automatic` answers by solving on the processor instead.
bool may_fall_back(ErrorCode code) {
    return code == ErrorCode::out_of_memory || code == ErrorCode::device || code == ErrorCode::unsupported;
}

}  // namespace

template <class T>
ChosenBackend<T> choose_backend(SolveTask task, const BoundaryData<T>& boundary) {
    const Engine wanted = task.options.engine;
    std::string fallback;
    task.options.engine = choose_engine(wanted, task.options.device);
    if (on_gpu(task.options.engine)) {
        try {
            return {make_device_backend<T>(task, boundary), {}};
        } catch (const Error& error) {
            if (wanted != Engine::automatic || !may_fall_back(error.code())) throw;
            fallback = error.what();
        }
    }
    task.options.engine = Engine::host;
    return {make_host_backend<T>(task, boundary), fallback};
}

template ChosenBackend<float> choose_backend(SolveTask, const BoundaryData<float>&);
template ChosenBackend<double> choose_backend(SolveTask, const BoundaryData<double>&);

}  // namespace poisson3d::app
