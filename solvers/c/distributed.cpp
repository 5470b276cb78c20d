// DistributedSolver<T> as C sees it: each function once for both precisions, and the names that C calls.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "communicator.hpp"
#include "distributed_options.hpp"
#include "error_guard.hpp"
#include "member_fields.hpp"
#include "plan.hpp"
#include "poisson3d/distributed_gradient.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::c {

namespace {

template <class T, Tag tag>
struct Distributed {
    static constexpr Tag kind = tag;
    using Value = T;

    Tag found = kind;  // first: require_tag
    Problem problem;
    DistributedOptions options;
    Decomposition parts;
    Communicator members;
    DistributedSolver<T> solver;
    std::optional<DistributedGradient<T>> gradient;  ///< since the first one
    std::vector<Stream> streams;                     ///< of my members; none: the default ones
    std::string description;

    Distributed(const Problem& wanted, const Decomposition& decomposition, const Communicator& all,
                const DistributedOptions& asked)
        : problem(wanted),
          options(asked),
          parts(decomposition),
          members(all),
          solver(problem, parts, members, options),
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

template <class Plan>
void create(const poisson3d_problem* given, const poisson3d_communicator* communicator, const std::int64_t* planes,
            const poisson3d_distributed_options* options, Plan** plan) {
    const Communicator& members = checked(communicator, "communicator").members;
    Problem problem;
    ReadOptions read;
    alone_before(members, [&] {
        require_pointer(plan, "plan");
        *plan = nullptr;
        problem = read_problem(given);
        read = read_options(options, problem.grid.points(), members, planes);
    });
    const Decomposition parts =
        read.parts ? *read.parts : Decomposition::boxes(problem.grid.points(), read.own, members);
    *plan = new Plan(problem, parts, members, read.options);
}

template <class Plan>
void get_planes(const Plan* plan, int member, std::int64_t* first, std::int64_t* planes) {
    const Plan& p = checked(plan, "plan");
    require_enum(member, p.parts.members() - 1, "member");
    if (first != nullptr) *first = p.parts.first(member);
    if (planes != nullptr) *planes = p.parts.planes(member);
}

template <class Plan>
void get_box(const Plan* plan, int member, poisson3d_box* box) {
    const Plan& p = checked(plan, "plan");
    require_pointer(box, "box");
    require_enum(member, p.parts.members() - 1, "member");
    const Box found = p.parts.box(member);
    for (std::size_t a = 0; a < 3; ++a) box->first[a] = found.first[a], box->points[a] = found.points[a];
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
    known.batch = p.options.batch;
    known.method_name = name(p.solver.method());
    known.description = p.description.c_str();
    std::memcpy(info, &known, sizeof known);
}

template <class Plan>
void get_sent(const Plan* plan, int member, std::int64_t* messages, double* bytes) {
    const Plan& p = checked(plan, "plan");
    require_enum(member, p.parts.members() - 1, "member");
    const Traffic sent = p.solver.sent_by(member);
    if (messages != nullptr) *messages = sent.messages;
    if (bytes != nullptr) *bytes = sent.bytes;
}

template <class Plan, class T>
void solve(Plan* plan, std::int64_t count, const T* const* f, const std::int64_t* f_strides, std::int64_t f_step,
           T* const* u, const std::int64_t* u_strides, std::int64_t u_step, const Boundaries<T>* const* boundaries,
           T scale) {
    Plan& p = checked(plan, "plan");
    const std::vector<int>& mine = p.members.mine();
    std::vector<FieldBatch<const T>> from;
    std::vector<FieldBatch<T>> to;
    std::vector<BoundaryData<T>> walls;
    alone_before(p.members, [&] {
        from = read_fields<const T>(p.parts, mine, f, f_strides, count, f_step, "f");
        to = read_fields<T>(p.parts, mine, u, u_strides, count, u_step, "u");
        walls = read_boundaries<T>(p.problem.grid, p.parts, mine, boundaries);
    });
    p.solver.solve(std::span(from), std::span(to), std::span(walls), scale, p.streams);
}

template <class Plan, class T>
void apply(Plan* plan, const T* const* f, const std::int64_t* f_strides, T* const* u, const std::int64_t* u_strides,
           T scale) {
    Plan& p = checked(plan, "plan");
    const std::vector<int>& mine = p.members.mine();
    std::vector<FieldView<const T>> from;
    std::vector<FieldView<T>> to;
    alone_before(p.members, [&] {
        for (const auto& one : read_fields<const T>(p.parts, mine, f, f_strides, 1, 0, "f"))
            from.push_back(one.first);
        for (const auto& one : read_fields<T>(p.parts, mine, u, u_strides, 1, 0, "u")) to.push_back(one.first);
    });
    p.solver.apply(std::span(std::as_const(from)), std::span(std::as_const(to)), scale, p.streams);
}

/// `f`: null without it.
template <class Plan, class T>
void gradient(Plan* plan, const T* const* u, const std::int64_t* u_strides, const T* const* f,
              const std::int64_t* f_strides, T scale, T* const* components, const std::int64_t* strides,
              const Boundaries<T>* const* boundaries) {
    Plan& p = checked(plan, "plan");
    const std::vector<int>& mine = p.members.mine();
    std::vector<FieldView<const T>> from, source;
    std::vector<std::array<FieldView<T>, 3>> to;
    std::vector<BoundaryData<T>> walls;
    alone_before(p.members, [&] {
        for (const auto& one : read_fields<const T>(p.parts, mine, u, u_strides, 1, 0, "u"))
            from.push_back(one.first);
        if (f != nullptr)
            for (const auto& one : read_fields<const T>(p.parts, mine, f, f_strides, 1, 0, "f"))
                source.push_back(one.first);
        to = read_components<T>(p.parts, mine, components, strides);
        walls = read_boundaries<T>(p.problem.grid, p.parts, mine, boundaries);
    });
    if (!p.gradient) p.gradient.emplace(p.problem, p.parts, p.members, p.options);
    if (unbounded_axes(p.problem.grid) > 0 && p.problem.discretization == Discretization::second_order)
        walls = p.solver.member_faces(walls);
    if (f != nullptr)
        p.gradient->evaluate_with_source(std::span(std::as_const(from)), std::span(std::as_const(source)), scale,
                                         std::span(std::as_const(to)), std::span(std::as_const(walls)), p.streams);
    else
        p.gradient->evaluate(std::span(std::as_const(from)), std::span(std::as_const(to)),
                             std::span(std::as_const(walls)), p.streams);
}

template <class Plan, class T>
void gradient_with_source(Plan* plan, const T* const* u, const std::int64_t* u_strides, const T* const* f,
                          const std::int64_t* f_strides, T scale, T* const* components, const std::int64_t* strides,
                          const Boundaries<T>* const* boundaries) {
    alone_before(checked(plan, "plan").members, [&] { require_pointer(f, "f"); });
    gradient(plan, u, u_strides, f, f_strides, scale, components, strides, boundaries);
}

template <class Plan>
void set_streams(Plan* plan, void* const* streams) {
    Plan& p = checked(plan, "plan");
    p.streams.clear();
    for (std::size_t m = 0; streams != nullptr && m < p.members.mine().size(); ++m)
        p.streams.push_back(Stream{streams[m]});
}

template <class Plan>
void refuse(const Plan* plan, int status) {
    checked(plan, "plan").members.refuse(read_failure(status));
}

template <class Plan>
void get_results(const Plan* plan, poisson3d_result* results, std::int64_t count) {
    tell_results(checked(plan, "plan").solver.results(), results, count);
}

}  // namespace

}  // namespace poisson3d::c

using poisson3d::c::guarded;

// Both families. C has no overloads: the name says the precision.
#define POISSON3D_DISTRIBUTED_FUNCTIONS(Real, Plan, BoundaryStruct, name)                                        \
    int name(create)(const poisson3d_problem* problem, const poisson3d_communicator* communicator,               \
                     const int64_t* planes, const poisson3d_distributed_options* options, Plan** plan) {         \
        return guarded([&] { poisson3d::c::create(problem, communicator, planes, options, plan); });             \
    }                                                                                                            \
    void name(destroy)(Plan * plan) {                                                                            \
        delete plan;                                                                                             \
    }                                                                                                            \
    int name(get_planes)(const Plan* plan, int member, int64_t* first, int64_t* planes) {                        \
        return guarded([&] { poisson3d::c::get_planes(plan, member, first, planes); });                          \
    }                                                                                                            \
    int name(get_box)(const Plan* plan, int member, poisson3d_box* box) {                                        \
        return guarded([&] { poisson3d::c::get_box(plan, member, box); });                                       \
    }                                                                                                            \
    int name(refuse)(const Plan* plan, int status) {                                                             \
        return guarded([&] { poisson3d::c::refuse(plan, status); });                                             \
    }                                                                                                            \
    int name(set_streams)(Plan * plan, void* const streams[]) {                                                  \
        return guarded([&] { poisson3d::c::set_streams(plan, streams); });                                       \
    }                                                                                                            \
    int name(get_info)(const Plan* plan, poisson3d_distributed_info* info) {                                     \
        return guarded([&] { poisson3d::c::get_info(plan, info); });                                             \
    }                                                                                                            \
    int name(get_sent)(const Plan* plan, int member, int64_t* messages, double* bytes) {                         \
        return guarded([&] { poisson3d::c::get_sent(plan, member, messages, bytes); });                          \
    }                                                                                                            \
    int name(solve)(Plan * plan, const Real* const f[], const int64_t f_strides[3], Real* const u[],             \
                    const int64_t u_strides[3], const BoundaryStruct* const boundaries[], Real scale) {          \
        return guarded(                                                                                          \
            [&] { poisson3d::c::solve(plan, 1, f, f_strides, 0, u, u_strides, 0, boundaries, scale); });         \
    }                                                                                                            \
    int name(solve_batch)(Plan * plan, int64_t count, const Real* const f[], const int64_t f_strides[3],         \
                          int64_t f_step, Real* const u[], const int64_t u_strides[3], int64_t u_step,           \
                          const BoundaryStruct* const boundaries[], Real scale) {                                \
        return guarded([&] {                                                                                     \
            poisson3d::c::solve(plan, count, f, f_strides, f_step, u, u_strides, u_step, boundaries, scale);     \
        });                                                                                                      \
    }                                                                                                            \
    int name(apply)(Plan * plan, const Real* const f[], const int64_t f_strides[3], Real* const u[],             \
                    const int64_t u_strides[3], Real scale) {                                                    \
        return guarded([&] { poisson3d::c::apply(plan, f, f_strides, u, u_strides, scale); });                   \
    }                                                                                                            \
    int name(gradient)(Plan * plan, const Real* const u[], const int64_t u_strides[3], Real* const components[], \
                       const int64_t strides[3], const BoundaryStruct* const boundaries[]) {                     \
        return guarded([&] {                                                                                     \
            poisson3d::c::gradient<Plan, Real>(plan, u, u_strides, nullptr, nullptr, 1, components, strides,     \
                                               boundaries);                                                      \
        });                                                                                                      \
    }                                                                                                            \
    int name(gradient_with_source)(Plan * plan, const Real* const u[], const int64_t u_strides[3],               \
                                   const Real* const f[], const int64_t f_strides[3], Real scale,                \
                                   Real* const components[], const int64_t strides[3],                           \
                                   const BoundaryStruct* const boundaries[]) {                                   \
        return guarded([&] {                                                                                     \
            poisson3d::c::gradient_with_source(plan, u, u_strides, f, f_strides, scale, components, strides,     \
                                               boundaries);                                                      \
        });                                                                                                      \
    }                                                                                                            \
    int name(get_results)(const Plan* plan, poisson3d_result* results, int64_t count) {                          \
        return guarded([&] { poisson3d::c::get_results(plan, results, count); });                                \
    }

#define POISSON3D_OF_DOUBLE(function) poisson3d_distributed_##function
#define POISSON3D_OF_FLOAT(function) poisson3d_distributed_##function##_float
POISSON3D_DISTRIBUTED_FUNCTIONS(double, poisson3d_distributed, poisson3d_boundary, POISSON3D_OF_DOUBLE)
POISSON3D_DISTRIBUTED_FUNCTIONS(float, poisson3d_distributed_float, poisson3d_boundary_float, POISSON3D_OF_FLOAT)
