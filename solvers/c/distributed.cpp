// DistributedSolver<T> as C sees it: each function once for both precisions, and the names that C calls.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "communicator.hpp"
#include "error_guard.hpp"
#include "plan.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::c {

namespace {

template <class T, Tag tag>
struct Distributed {
    static constexpr Tag kind = tag;
    using Value = T;

    Tag found = kind;  // first: require_tag
    Grid grid;
    Decomposition parts;
    Communicator members;
    DistributedSolver<T> solver;
    Index batch;
    std::string description;

    Distributed(const Problem& problem, const Decomposition& decomposition, const Communicator& all,
                const DistributedOptions& options)
        : grid(problem.grid),
          parts(decomposition),
          members(all),
          solver(problem, parts, members, options),
          batch(options.batch),
          description(solver.description()) {}
};

}  // namespace

}  // namespace poisson3d::c

struct poisson3d_distributed : poisson3d::c::Distributed<double, poisson3d::c::Tag::distributed> {
    using Distributed::Distributed;
};
struct poisson3d_distributed_float : poisson3d::c::Distributed<float, poisson3d::c::Tag::distributed_float> {
    using Distributed::Distributed;
};

namespace poisson3d::c {

namespace {

static_assert(static_cast<int>(Method::eliminate) == POISSON3D_METHOD_ELIMINATE &&
              static_cast<int>(Method::transpose) == POISSON3D_METHOD_TRANSPOSE);

DistributedOptions read_options(const poisson3d_distributed_options* given) {
    if (given == nullptr) return {};
    const poisson3d_distributed_options read = read_sized(given, "options");
    if (read.batch < 0)
        throw Error(ErrorCode::usage,
                    "found " + std::to_string(read.batch) + " in options.batch, wanted at least 0");
    return {read_enum(read.method, Method::transpose, "options.method"), read.threads,
            read.batch == 0 ? 1 : read.batch};
}

Decomposition read_planes(const Grid& grid, const Communicator& members, const std::int64_t* planes) {
    if (planes == nullptr) return Decomposition::slabs(grid.points(), members.size());
    return Decomposition::slabs(grid.points(), std::vector<Index>(planes, planes + members.size()));
}

template <class Plan>
void create(const poisson3d_problem* given, const poisson3d_communicator* communicator, const std::int64_t* planes,
            const poisson3d_distributed_options* options, Plan** plan) {
    require_pointer(plan, "plan");
    *plan = nullptr;
    const Communicator& members = checked(communicator, "communicator").members;
    const Problem problem = read_problem(given);
    *plan = new Plan(problem, read_planes(problem.grid, members, planes), members, read_options(options));
}

template <class Plan>
void get_planes(const Plan* plan, int member, std::int64_t* first, std::int64_t* planes) {
    const Plan& p = checked(plan, "plan");
    require_enum(member, p.parts.members() - 1, "member");
    if (first != nullptr) *first = p.parts.first(member);
    if (planes != nullptr) *planes = p.parts.planes(member);
}

template <class Plan>
void get_info(const Plan* plan, poisson3d_distributed_info* info) {
    const Plan& p = checked(plan, "plan");
    poisson3d_distributed_info known{};
    read_sized(info, "info");
    known.size = info->size;
    known.method = static_cast<int>(p.solver.method());
    known.threads = p.solver.threads();
    known.messages = p.solver.traffic().messages;
    known.message_bytes = p.solver.traffic().bytes;
    known.workspace_bytes = p.solver.workspace();
    known.batch = p.batch;
    known.method_name = name(p.solver.method());
    known.description = p.description.c_str();
    std::memcpy(info, &known, sizeof known);
}

/// One of each of my members, from the arrays of pointers that C hands over.
template <class T>
std::vector<FieldBatch<T>> read_parts(const Decomposition& parts, const std::vector<int>& mine, T* const* pointers,
                                      const std::int64_t* strides, Index count, std::int64_t step,
                                      const char* what) {
    require_pointer(pointers, what);
    std::vector<FieldBatch<T>> batches;
    for (std::size_t m = 0; m < mine.size(); ++m)
        batches.emplace_back(read_field(parts.box(mine[m]).points, pointers[m], strides), count, step);
    return batches;
}

template <class T>
std::vector<BoundaryData<T>> read_boundaries(const Grid& grid, std::size_t mine,
                                             const Boundaries<T>* const* boundaries) {
    std::vector<BoundaryData<T>> all;
    for (std::size_t m = 0; boundaries != nullptr && m < mine; ++m)
        all.push_back(read_boundary<T>(grid, boundaries[m]));
    return all;
}

template <class Plan, class T>
void solve(Plan* plan, std::int64_t count, const T* const* f, const std::int64_t* f_strides, std::int64_t f_step,
           T* const* u, const std::int64_t* u_strides, std::int64_t u_step, const Boundaries<T>* const* boundaries,
           T scale) {
    Plan& p = checked(plan, "plan");
    const std::vector<int>& mine = p.members.mine();
    const auto from = read_parts<const T>(p.parts, mine, f, f_strides, count, f_step, "f");
    const auto to = read_parts<T>(p.parts, mine, u, u_strides, count, u_step, "u");
    const auto walls = read_boundaries<T>(p.grid, mine.size(), boundaries);
    p.solver.solve(std::span(from), std::span(to), std::span(walls), scale);
}

template <class Plan, class T>
void apply(Plan* plan, const T* const* f, const std::int64_t* f_strides, T* const* u, const std::int64_t* u_strides,
           T scale) {
    Plan& p = checked(plan, "plan");
    const std::vector<int>& mine = p.members.mine();
    std::vector<FieldView<const T>> from;
    std::vector<FieldView<T>> to;
    for (const auto& one : read_parts<const T>(p.parts, mine, f, f_strides, 1, 0, "f")) from.push_back(one.first);
    for (const auto& one : read_parts<T>(p.parts, mine, u, u_strides, 1, 0, "u")) to.push_back(one.first);
    p.solver.apply(std::span(std::as_const(from)), std::span(std::as_const(to)), scale);
}

template <class Plan>
void get_results(const Plan* plan, poisson3d_result* results, std::int64_t count) {
    tell_results(checked(plan, "plan").solver.results(), results, count);
}

}  // namespace

}  // namespace poisson3d::c

using poisson3d::c::guarded;

// Both families. C has no overloads: the name says the precision.
#define POISSON3D_DISTRIBUTED_FUNCTIONS(Real, Plan, BoundaryStruct, name)                                    \
    int name(create)(const poisson3d_problem* problem, const poisson3d_communicator* communicator,           \
                     const int64_t* planes, const poisson3d_distributed_options* options, Plan** plan) {     \
        return guarded([&] { poisson3d::c::create(problem, communicator, planes, options, plan); });         \
    }                                                                                                        \
    void name(destroy)(Plan * plan) {                                                                        \
        delete plan;                                                                                         \
    }                                                                                                        \
    int name(get_planes)(const Plan* plan, int member, int64_t* first, int64_t* planes) {                    \
        return guarded([&] { poisson3d::c::get_planes(plan, member, first, planes); });                      \
    }                                                                                                        \
    int name(get_info)(const Plan* plan, poisson3d_distributed_info* info) {                                 \
        return guarded([&] { poisson3d::c::get_info(plan, info); });                                         \
    }                                                                                                        \
    int name(solve)(Plan * plan, const Real* const f[], const int64_t f_strides[3], Real* const u[],         \
                    const int64_t u_strides[3], const BoundaryStruct* const boundaries[], Real scale) {      \
        return guarded(                                                                                      \
            [&] { poisson3d::c::solve(plan, 1, f, f_strides, 0, u, u_strides, 0, boundaries, scale); });     \
    }                                                                                                        \
    int name(solve_batch)(Plan * plan, int64_t count, const Real* const f[], const int64_t f_strides[3],     \
                          int64_t f_step, Real* const u[], const int64_t u_strides[3], int64_t u_step,       \
                          const BoundaryStruct* const boundaries[], Real scale) {                            \
        return guarded([&] {                                                                                 \
            poisson3d::c::solve(plan, count, f, f_strides, f_step, u, u_strides, u_step, boundaries, scale); \
        });                                                                                                  \
    }                                                                                                        \
    int name(apply)(Plan * plan, const Real* const f[], const int64_t f_strides[3], Real* const u[],         \
                    const int64_t u_strides[3], Real scale) {                                                \
        return guarded([&] { poisson3d::c::apply(plan, f, f_strides, u, u_strides, scale); });               \
    }                                                                                                        \
    int name(get_results)(const Plan* plan, poisson3d_result* results, int64_t count) {                      \
        return guarded([&] { poisson3d::c::get_results(plan, results, count); });                            \
    }

#define POISSON3D_OF_DOUBLE(function) poisson3d_distributed_##function
#define POISSON3D_OF_FLOAT(function) poisson3d_distributed_##function##_float
POISSON3D_DISTRIBUTED_FUNCTIONS(double, poisson3d_distributed, poisson3d_boundary, POISSON3D_OF_DOUBLE)
POISSON3D_DISTRIBUTED_FUNCTIONS(float, poisson3d_distributed_float, poisson3d_boundary_float, POISSON3D_OF_FLOAT)
