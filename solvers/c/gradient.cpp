// Gradient<T> as C sees it.
#include "poisson3d/gradient.hpp"

#include <array>

#include "plan.hpp"

struct poisson3d_gradient : poisson3d::c::Plan<poisson3d::Gradient<double>, poisson3d::c::Tag::gradient> {
    using Plan::Plan;
};
struct poisson3d_gradient_float
    : poisson3d::c::Plan<poisson3d::Gradient<float>, poisson3d::c::Tag::gradient_float> {
    using Plan::Plan;
};

namespace poisson3d::c {

namespace {

template <class T>
std::array<FieldView<T>, 3> read_components(const Grid& grid, T* const* components, const std::int64_t* strides) {
    require_pointer(components, "components");
    std::array<FieldView<T>, 3> out;
    for (int a = 0; a < 3; ++a)
        if (components[a] != nullptr) out[a] = read_field(grid.points(), components[a], strides);
    return out;
}

template <class Plan, class T>
void evaluate(Plan* plan, const T* u, const std::int64_t* u_strides, T* const* components,
              const std::int64_t* strides, const Boundaries<T>* boundary, void* stream) {
    Plan& p = checked(plan, "gradient");
    p.planned.evaluate(read_field(p.grid.points(), u, u_strides), read_components(p.grid, components, strides),
                       read_boundary<T>(p.grid, boundary), Stream{stream});
}

template <class Plan, class T>
void evaluate_with_source(Plan* plan, const T* u, const std::int64_t* u_strides, const T* f,
                          const std::int64_t* f_strides, T scale, T* const* components, const std::int64_t* strides,
                          const Boundaries<T>* boundary, void* stream) {
    Plan& p = checked(plan, "gradient");
    const Extents points = p.grid.points();
    p.planned.evaluate_with_source(read_field(points, u, u_strides), read_field(points, f, f_strides), scale,
                                   read_components(p.grid, components, strides), read_boundary<T>(p.grid, boundary),
                                   Stream{stream});
}

}  // namespace

}  // namespace poisson3d::c

using poisson3d::c::guarded;

// Both families.
#define POISSON3D_GRADIENT_FUNCTIONS(Real, Plan, BoundaryStruct, name)                                           \
    int name(create)(const poisson3d_problem* problem, const poisson3d_options* options, Plan** gradient) {      \
        return poisson3d::c::make_plan(problem, options, gradient, "gradient");                                  \
    }                                                                                                            \
    POISSON3D_PLAN_FUNCTIONS(Plan, name, "gradient")                                                             \
    int name(evaluate)(Plan * gradient, const Real* u, const int64_t u_strides[3], Real* const components[3],    \
                       const int64_t strides[3], const BoundaryStruct* boundary, void* stream) {                 \
        return guarded(                                                                                          \
            [&] { poisson3d::c::evaluate(gradient, u, u_strides, components, strides, boundary, stream); });     \
    }                                                                                                            \
    int name(evaluate_with_source)(Plan * gradient, const Real* u, const int64_t u_strides[3], const Real* f,    \
                                   const int64_t f_strides[3], Real scale, Real* const components[3],            \
                                   const int64_t strides[3], const BoundaryStruct* boundary, void* stream) {     \
        return guarded([&] {                                                                                     \
            poisson3d::c::evaluate_with_source(gradient, u, u_strides, f, f_strides, scale, components, strides, \
                                               boundary, stream);                                                \
        });                                                                                                      \
    }

#define POISSON3D_OF_DOUBLE(function) poisson3d_gradient_##function
#define POISSON3D_OF_FLOAT(function) poisson3d_gradient_##function##_float
POISSON3D_GRADIENT_FUNCTIONS(double, poisson3d_gradient, poisson3d_boundary, POISSON3D_OF_DOUBLE)
POISSON3D_GRADIENT_FUNCTIONS(float, poisson3d_gradient_float, poisson3d_boundary_float, POISSON3D_OF_FLOAT)
