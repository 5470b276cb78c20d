#include "solving/choose_place.hpp"

#include "poisson3d/error.hpp"
#include "process/machine.hpp"

namespace poisson3d::app {

namespace {

/// What `automatic` answers by solving on the processor instead.
bool may_fall_back(ErrorCode code) {
    return code == ErrorCode::out_of_memory || code == ErrorCode::device || code == ErrorCode::unsupported;
}

}  // namespace

template <class T>
ChosenPlace<T> choose_place(SolveTask task, const BoundaryData<T>& boundary) {
    const Engine wanted = task.options.engine;
    std::string fallback;
    task.options.engine = choose_engine(wanted, task.options.device);
    if (on_gpu(task.options.engine)) {
        try {
            return {solve_on_device<T>(task, boundary), {}};
        } catch (const Error& error) {
            if (wanted != Engine::automatic || !may_fall_back(error.code())) throw;
            fallback = error.what();
        }
    }
    task.options.engine = Engine::host;
    return {solve_on_host<T>(task, boundary), fallback};
}

template ChosenPlace<float> choose_place(SolveTask, const BoundaryData<float>&);
template ChosenPlace<double> choose_place(SolveTask, const BoundaryData<double>&);

}  // namespace poisson3d::app
