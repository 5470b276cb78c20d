// What C holds of a planned class of C++, and the functions that every kind of plan has.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "error_guard.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::c {

/// `Planned`: Solver, MixedSolver, VariableSolver or Gradient.
template <class Planned, Tag tag>
struct Plan {
    static constexpr Tag kind = tag;
    using Class = Planned;

    Tag found = kind;  // first: require_tag
    Grid grid;
    Planned planned;
    Description description;

    template <class... More>
    Plan(const Problem& problem, const Options& options, const More&... more)
        : grid(problem.grid), planned(problem, options, more...) {
        description.engine = planned.engine();
        description.threads = planned.threads();
        description.workspace = planned.workspace();
        if constexpr (requires { planned.memory(); }) {
            description.batch = options.batch;
            description.memory = planned.memory();
        }
        if constexpr (requires { planned.description(); }) {
            description.text = planned.description();
        } else {
            description.text =
                std::string("gradient, ") + name(problem.discretization) + ", " + name(planned.engine());
        }
        if constexpr (requires { planned.refinements(); }) description.refinements = planned.refinements();
    }
};

/// A plan of the caller's; null until it is there.
template <class Plan, class... More>
int make_plan(const poisson3d_problem* problem, const poisson3d_options* options, Plan** plan, const char* what,
              const More&... more) {
    return guarded([&] {
        require_pointer(plan, what);
        *plan = nullptr;
        *plan = new Plan(read_problem(problem), read_options(options), more...);
    });
}

/// Bytes that a call tells through a pointer.
template <class Planned>
int tell_workspace_bytes(const poisson3d_problem* problem, const poisson3d_options* options, std::size_t* bytes) {
    return guarded([&] {
        require_pointer(bytes, "bytes");
        *bytes = 0;
        *bytes = Planned::workspace_bytes(read_problem(problem), read_options(options));
    });
}

inline poisson3d_result to_c(const Result& result) {
    return {result.singular ? 1 : 0, 0, result.mean_removed};
}

/// The first `count` results of the last solve.
inline void tell_results(const std::vector<Result>& found, poisson3d_result* results, std::int64_t count) {
    require_pointer(results, "results");
    const auto there = static_cast<std::int64_t>(found.size());
    if (count < 1 || count > there)
        throw Error(ErrorCode::usage, "found count " + std::to_string(count) + ", the last solve had " +
                                          std::to_string(there) + (there == 1 ? " field" : " fields"));
    for (std::int64_t n = 0; n < count; ++n) results[n] = to_c(found[n]);
}

}  // namespace poisson3d::c

/// What needs no more than the plan. `name` makes the name of a function, `what` is that of the argument.
#define POISSON3D_PLAN_FUNCTIONS(Plan, name, what)                                                                 \
    void name(destroy)(Plan * plan) {                                                                              \
        delete plan;                                                                                               \
    }                                                                                                              \
    int name(workspace_bytes)(const poisson3d_problem* problem, const poisson3d_options* options, size_t* bytes) { \
        return poisson3d::c::tell_workspace_bytes<Plan::Class>(problem, options, bytes);                           \
    }                                                                                                              \
    int name(get_info)(const Plan* plan, poisson3d_info* info) {                                                   \
        return poisson3d::c::guarded([&] { write_info(poisson3d::c::checked(plan, what).description, info); });    \
    }
