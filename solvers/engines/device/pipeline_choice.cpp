#include "pipeline_choice.hpp"

#include "axis_kind.hpp"
#include "free_faces.hpp"
#include "kept_planes.hpp"
#include "middle_axis.hpp"
#include "pipelines.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::device {

bool pads_lines(const Problem& problem, const Options& options) {
    return !closes_free_axes(problem, options.middle) && pads_free_axes(problem, options.middle);
}

namespace {

template <class T>
std::size_t whole_bytes(const Problem& problem, const Pipeline<T>& pipeline, const Options& options) {
    const Index batch = options.batch;
    const Index kept = pads_lines(problem, options) ? 0 : KeptPlanes<T>::elements(problem);
    WorkspaceLayout layout;
    layout.take(pipeline.workspace_bytes());
    layout.take(static_cast<std::size_t>(batch * kept) * sizeof(T));
    layout.take(static_cast<std::size_t>(batch) * sizeof(typename Pipeline<T>::Removed));
    return layout.end();
}

/// The axis that the engine eliminates; −1 if there is none.
int eliminated_by(Engine kind, const Problem& problem, Middle middle) {
    if (kind != Engine::fused) return -1;
    const int axis = eliminated_axis(problem, middle, &fused::pass_copies);
    if (axis < 0 || axis_kind(problem.grid.axes[axis]).unknowns <= fused::max_eliminated) return axis;
    return -1;
}

/// Engine fused leaves to cuFFT lines of more than some 10⁸ elements.
template <class T>
std::unique_ptr<Pipeline<T>> make_pipeline(Engine kind, const Problem& problem, const Options& options,
                                           Memory memory) {
    if (pads_lines(problem, options)) {
        auto padded = fused::make_padded_pipeline<T>(problem, memory);
        if (padded != nullptr) return padded;
        throw Error(ErrorCode::unsupported,
                    std::string("engine ") + name(kind) +
                        " has no kernels for lines as long as those of free axes, padded: use engine host");
    }
    if (unbounded_axes(problem.grid) > 1) {
        Options one = options;
        one.batch = 1;
        const Problem closed = walled::between_walls(problem);
        // A node more than u has lines that cuFFT's way would have in u.
        if (closed.grid.points() != problem.grid.points() &&
            fused::make_fused_pipeline<T>(closed, memory) == nullptr)
            throw Error(
                ErrorCode::unsupported,
                std::string("engine ") + name(kind) +
                    " has no kernels for lines as long as those of nodes with one free face: use engine host");
        return walled::make_walled_pipeline<T>(problem, options.batch, make_pipeline<T>(kind, closed, one, memory));
    }
    const int eliminated = eliminated_by(kind, problem, options.middle);
    const bool must_eliminate = first_uneven_axis(problem.grid) >= 0 || options.middle == Middle::eliminate;
    if (kind == Engine::fused) {
        auto fused = fused::make_fused_pipeline<T>(problem, memory, options.batch, eliminated);
        if (fused == nullptr && eliminated >= 0 && !must_eliminate)
            fused = fused::make_fused_pipeline<T>(problem, memory, options.batch);
        if (fused != nullptr) return fused;
    }
    if (must_eliminate)
        throw Error(ErrorCode::unsupported,
                    std::string("engine ") + name(kind) +
                        " has no kernels for lines as long as those across the axis that is "
                        "to be eliminated: use engine host");
    return cufft::make_cufft_pipeline<T>(problem, memory);
}

}  // namespace

std::string refused(Engine kind, const Problem& problem, const Options& options) {
    if (kind == Engine::fused && pads_lines(problem, options)) {
        // Whoever asks for it by name is told when it is planned.
        if (options.engine == kind || fused::has_padded_pipeline(problem)) return {};
        return std::string("engine ") + name(kind) +
               " has no kernels for lines as long as those of free axes, padded";
    }
    const bool eliminates = kind == Engine::fused;
    return refused_by_device(problem, options.middle,
                             {kind, eliminates ? fused::max_eliminated : 0, &fused::pass_copies});
}

template <class T>
PipelineChoice<T> choose_pipeline(Engine kind, const Problem& problem, const Options& options) {
    const auto make = [&](Memory memory) -> PipelineChoice<T> {
        auto pipeline = make_pipeline<T>(kind, problem, options, memory);
        const std::size_t bytes = whole_bytes(problem, *pipeline, options);
        return {memory, std::move(pipeline), bytes};
    };
    if (options.memory != Memory::automatic) return make(options.memory);
    const std::size_t room = options.workspace.empty() ? free_device_memory() : options.workspace.size();
    PipelineChoice<T> choice = make(Memory::fast);
    for (const Memory memory : {Memory::standard, Memory::low}) {
        if (choice.bytes <= room) break;
        // Tables and lines of a tiny box may be more than a field of it.
        if (PipelineChoice<T> next = make(memory); next.bytes < choice.bytes) choice = std::move(next);
    }
    return choice;
}

template PipelineChoice<float> choose_pipeline(Engine, const Problem&, const Options&);
template PipelineChoice<double> choose_pipeline(Engine, const Problem&, const Options&);

}  // namespace poisson3d::device
