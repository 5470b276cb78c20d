// VariableSolver<T> as C sees it: each function once for both precisions, and the names that C calls.
#include "poisson3d/variable_solver.hpp"

#include <array>
#include <optional>

#include "plan.hpp"

struct poisson3d_variable : poisson3d::c::Plan<poisson3d::VariableSolver<double>, poisson3d::c::Tag::variable> {
    using Plan::Plan;
};
struct poisson3d_variable_float
    : poisson3d::c::Plan<poisson3d::VariableSolver<float>, poisson3d::c::Tag::variable_float> {
    using Plan::Plan;
};

namespace poisson3d::c {

namespace {

/// λ at the points, or none.
template <class T>
FieldView<const T> read_helmholtz(const Extents& points, const T* data, const std::int64_t* strides) {
    return data != nullptr ? read_field(points, data, strides) : FieldView<const T>{};
}

/// What may change with the coefficient.
template <class Plan>
void describe(Plan& p) {
    p.description.workspace = p.planned.workspace();
    p.description.text = p.planned.description();
}

template <class Plan, class T>
void set_coefficient(Plan* plan, const T* coefficient, const std::int64_t* strides, const T* helmholtz,
                     const std::int64_t* helmholtz_strides) {
    Plan& p = checked(plan, "variable");
    require_pointer(coefficient, "coefficient");
    const Extents points = p.grid.points();
    p.planned.set_coefficient(read_field(points, coefficient, strides),
                              read_helmholtz(points, helmholtz, helmholtz_strides));
    describe(p);
}

template <class Plan, class T>
void set_faces(Plan* plan, const T* const* faces, const T* helmholtz, const std::int64_t* helmholtz_strides) {
    Plan& p = checked(plan, "variable");
    require_pointer(faces, "faces");
    std::array<FieldView<const T>, 3> views;
    for (std::size_t a = 0; a < 3; ++a) {
        require_pointer(faces[a], (std::string("faces[") + std::to_string(a) + "]").c_str());
        Extents extents = p.grid.points();
        ++extents[a];
        views[a] = {faces[a], extents};
    }
    p.planned.set_coefficient(views, read_helmholtz(p.grid.points(), helmholtz, helmholtz_strides));
    describe(p);
}

VariableControl read_control(const poisson3d_variable_control* control) {
    if (control == nullptr) return {};
    const poisson3d_variable_control found = read_sized(control, "control");
    VariableControl wanted;
    wanted.tolerance = found.tolerance;
    if (found.max_iterations != 0) wanted.max_iterations = found.max_iterations;
    require_enum(found.start_from_u, 1, "control.start_from_u");
    wanted.start_from_u = found.start_from_u == 1;
    return wanted;
}

template <class Plan, class T>
void solve(Plan* plan, const T* f, const std::int64_t* f_strides, T* u, const std::int64_t* u_strides,
           const Boundaries<T>* boundary, T scale, const poisson3d_variable_control* control,
           poisson3d_variable_result* result) {
    Plan& p = checked(plan, "variable");
    const Extents points = p.grid.points();
    const VariableControl wanted = read_control(control);
    if (result != nullptr) static_cast<void>(read_sized(result, "result"));
    const VariableResult found = p.planned.solve(read_field(points, f, f_strides), read_field(points, u, u_strides),
                                                 read_boundary<T>(p.grid, boundary), scale, wanted);
    if (result != nullptr)
        *result = {result->size,
                   found.converged ? 1 : 0,
                   found.iterations,
                   found.residual,
                   found.mean_removed,
                   found.singular ? 1 : 0,
                   0};
}

template <class Plan, class T>
void apply(Plan* plan, const T* u, const std::int64_t* u_strides, T* f, const std::int64_t* f_strides) {
    Plan& p = checked(plan, "variable");
    const Extents points = p.grid.points();
    p.planned.apply(read_field(points, u, u_strides), read_field(points, f, f_strides));
}

}  // namespace

}  // namespace poisson3d::c

using poisson3d::c::guarded;

// Both families. C has no overloads: the name says the precision.
#define POISSON3D_VARIABLE_FUNCTIONS(Real, Plan, BoundaryStruct, name)                                             \
    int name(create)(const poisson3d_problem* problem, const poisson3d_options* options, double scaling,           \
                     Plan** variable) {                                                                            \
        return poisson3d::c::make_plan(problem, options, variable, "variable",                                     \
                                       scaling < 0.0 ? std::nullopt : std::optional<double>(scaling));             \
    }                                                                                                              \
    POISSON3D_PLAN_FUNCTIONS(Plan, name, "variable")                                                               \
    int name(set_coefficient)(Plan * variable, const Real* coefficient, const int64_t strides[3],                  \
                              const Real* helmholtz, const int64_t helmholtz_strides[3]) {                         \
        return guarded(                                                                                            \
            [&] { poisson3d::c::set_coefficient(variable, coefficient, strides, helmholtz, helmholtz_strides); }); \
    }                                                                                                              \
    int name(set_faces)(Plan * variable, const Real* const faces[3], const Real* helmholtz,                        \
                        const int64_t helmholtz_strides[3]) {                                                      \
        return guarded([&] { poisson3d::c::set_faces(variable, faces, helmholtz, helmholtz_strides); });           \
    }                                                                                                              \
    int name(solve)(Plan * variable, const Real* f, const int64_t f_strides[3], Real* u,                           \
                    const int64_t u_strides[3], const BoundaryStruct* boundary, Real scale,                        \
                    const poisson3d_variable_control* control, poisson3d_variable_result* result) {                \
        return guarded(                                                                                            \
            [&] { poisson3d::c::solve(variable, f, f_strides, u, u_strides, boundary, scale, control, result); }); \
    }                                                                                                              \
    int name(apply)(Plan * variable, const Real* u, const int64_t u_strides[3], Real* f,                           \
                    const int64_t f_strides[3]) {                                                                  \
        return guarded([&] { poisson3d::c::apply(variable, u, u_strides, f, f_strides); });                        \
    }

#define POISSON3D_OF_VARIABLE(function) poisson3d_variable_##function
#define POISSON3D_OF_VARIABLE_FLOAT(function) poisson3d_variable_##function##_float
POISSON3D_VARIABLE_FUNCTIONS(double, poisson3d_variable, poisson3d_boundary, POISSON3D_OF_VARIABLE)
POISSON3D_VARIABLE_FUNCTIONS(float, poisson3d_variable_float, poisson3d_boundary_float, POISSON3D_OF_VARIABLE_FLOAT)
