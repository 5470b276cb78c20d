// Solver<T> as C sees it: each function once for both precisions, and the names that C calls.
#include <string>

#include "plan.hpp"
#include "poisson3d/error.hpp"

struct poisson3d_plan : poisson3d::c::Plan<poisson3d::Solver<double>, poisson3d::c::Tag::plan> {
    using Plan::Plan;
};
struct poisson3d_plan_float : poisson3d::c::Plan<poisson3d::Solver<float>, poisson3d::c::Tag::plan_float> {
    using Plan::Plan;
};

namespace poisson3d::c {

namespace {

template <class Plan, class T>
void solve(Plan* plan, const T* f, const std::int64_t* f_strides, T* u, const std::int64_t* u_strides,
           const Boundaries<T>* boundary, T scale, void* stream) {
    Plan& p = checked(plan, "plan");
    const Extents points = p.grid.points();
    p.planned.solve(read_field(points, f, f_strides), read_field(points, u, u_strides),
                    read_boundary<T>(p.grid, boundary), scale, Stream{stream});
}

template <class Plan, class T>
void solve_batch(Plan* plan, std::int64_t count, const T* f, const std::int64_t* f_strides, std::int64_t f_step,
                 T* u, const std::int64_t* u_strides, std::int64_t u_step, const Boundaries<T>* boundary, T scale,
                 void* stream) {
    Plan& p = checked(plan, "plan");
    if (count > 1 && u_step == 0)
        throw Error(ErrorCode::usage, "found u_step 0 for " + std::to_string(count) +
                                          " fields: all solutions would be written to one place");
    const Extents points = p.grid.points();
    p.planned.solve(FieldBatch<const T>{read_field(points, f, f_strides), count, f_step},
                    FieldBatch<T>{read_field(points, u, u_strides), count, u_step},
                    read_boundary<T>(p.grid, boundary), scale, Stream{stream});
}

template <class Plan, class T>
void apply(Plan* plan, const T* f, const std::int64_t* f_strides, T* u, const std::int64_t* u_strides, T scale,
           void* stream) {
    Plan& p = checked(plan, "plan");
    const Extents points = p.grid.points();
    p.planned.apply(read_field(points, f, f_strides), read_field(points, u, u_strides), scale, Stream{stream});
}

template <class Plan>
void get_results(Plan* plan, void* stream, poisson3d_result* results, std::int64_t count) {
    tell_results(checked(plan, "plan").planned.results(Stream{stream}), results, count);
}

template <class T, class Plan>
void get_faces(Plan* plan, const Boundaries<T>* walls, void* stream, Boundaries<T>* faces) {
    Plan& p = checked(plan, "plan");
    read_sized(faces, "faces");
    const BoundaryData<T> found = p.planned.faces(read_boundary<T>(p.grid, walls), Stream{stream});
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const FaceValues<T>& face = found.faces[axis][side];
            faces->faces[axis][side] = {static_cast<double>(face.constant), face.data, face.stride,
                                        face.field_stride};
        }
}

}  // namespace

}  // namespace poisson3d::c

using poisson3d::c::guarded;

// Both families. C has no overloads: the name says the precision.
#define POISSON3D_SOLVER_FUNCTIONS(Real, Plan, BoundaryStruct, name)                                             \
    int name(create)(const poisson3d_problem* problem, const poisson3d_options* options, Plan** plan) {          \
        return poisson3d::c::make_plan(problem, options, plan, "plan");                                          \
    }                                                                                                            \
    POISSON3D_PLAN_FUNCTIONS(Plan, name, "plan")                                                                 \
    int name(solve)(Plan * plan, const Real* f, const int64_t f_strides[3], Real* u, const int64_t u_strides[3], \
                    const BoundaryStruct* boundary, Real scale, void* stream) {                                  \
        return guarded([&] { poisson3d::c::solve(plan, f, f_strides, u, u_strides, boundary, scale, stream); }); \
    }                                                                                                            \
    int name(solve_batch)(Plan * plan, int64_t count, const Real* f, const int64_t f_strides[3], int64_t f_step, \
                          Real* u, const int64_t u_strides[3], int64_t u_step, const BoundaryStruct* boundary,   \
                          Real scale, void* stream) {                                                            \
        return guarded([&] {                                                                                     \
            poisson3d::c::solve_batch(plan, count, f, f_strides, f_step, u, u_strides, u_step, boundary, scale,  \
                                      stream);                                                                   \
        });                                                                                                      \
    }                                                                                                            \
    int name(apply)(Plan * plan, const Real* f, const int64_t f_strides[3], Real* u, const int64_t u_strides[3], \
                    Real scale, void* stream) {                                                                  \
        return guarded([&] { poisson3d::c::apply(plan, f, f_strides, u, u_strides, scale, stream); });           \
    }                                                                                                            \
    int name(get_results)(Plan * plan, void* stream, poisson3d_result* results, int64_t count) {                 \
        return guarded([&] { poisson3d::c::get_results(plan, stream, results, count); });                        \
    }                                                                                                            \
    int name(get_faces)(Plan * plan, const BoundaryStruct* walls, void* stream, BoundaryStruct* faces) {         \
        return guarded([&] { poisson3d::c::get_faces<Real>(plan, walls, stream, faces); });                      \
    }

#define POISSON3D_OF_DOUBLE(function) poisson3d_##function
#define POISSON3D_OF_FLOAT(function) poisson3d_##function##_float
POISSON3D_SOLVER_FUNCTIONS(double, poisson3d_plan, poisson3d_boundary, POISSON3D_OF_DOUBLE)
POISSON3D_SOLVER_FUNCTIONS(float, poisson3d_plan_float, poisson3d_boundary_float, POISSON3D_OF_FLOAT)

int poisson3d_engine_usable(int engine) {
    return guarded([&] {
        using namespace poisson3d;
        const std::string why = engine_unavailable(c::read_enum(engine, Engine::fused, "engine"));
        if (!why.empty()) throw Error(ErrorCode::unsupported, why);
    });
}
