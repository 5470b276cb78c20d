// Gradient<T> as C sees it.
#include <array>
#include <string>

#include "arguments.hpp"
#include "error_guard.hpp"
#include "poisson3d/gradient.hpp"

namespace poisson3d::c {

template <class T>
struct GradientPlan {
    using Real = T;
    static constexpr Tag kind = sizeof(T) == sizeof(float) ? Tag::gradient_float : Tag::gradient;

    Tag found = kind;  // first: require_tag
    Grid grid;
    Gradient<T> gradient;
    Description description;

    GradientPlan(const Problem& problem, const Options& options) : grid(problem.grid), gradient(problem, options) {
        description.engine = gradient.engine();
        description.threads = gradient.threads();
        description.workspace = gradient.workspace();
        description.text =
            std::string("gradient, ") + name(problem.discretization) + ", " + name(gradient.engine());
    }
    static std::size_t workspace_bytes(const Problem& problem, const Options& options) {
        return Gradient<T>::workspace_bytes(problem, options);
    }
};

}  // namespace poisson3d::c

struct poisson3d_gradient : poisson3d::c::GradientPlan<double> {
    using GradientPlan::GradientPlan;
};
struct poisson3d_gradient_float : poisson3d::c::GradientPlan<float> {
    using GradientPlan::GradientPlan;
};

namespace poisson3d::c {

namespace {

template <class Plan, class T = typename Plan::Real>
void evaluate(Plan* plan, const T* u, const std::int64_t* u_strides, T* const* components,
              const std::int64_t* strides, const Boundaries<T>* boundary, void* stream) {
    Plan& p = checked(plan, "gradient");
    require_pointer(components, "components");
    const Extents points = p.grid.points();
    std::array<FieldView<T>, 3> out;
    for (int a = 0; a < 3; ++a)
        if (components[a] != nullptr) out[a] = read_field(points, components[a], strides);
    p.gradient.evaluate(read_field(points, u, u_strides), out, read_boundary<T>(p.grid, boundary), Stream{stream});
}

}  // namespace

}  // namespace poisson3d::c

using poisson3d::c::guarded;

// Both families.
#define POISSON3D_GRADIENT_FUNCTIONS(Real, Plan, BoundaryStruct, name)                                             \
    int name(create)(const poisson3d_problem* problem, const poisson3d_options* options, Plan** gradient) {        \
        return guarded([&] { poisson3d::c::make_plan(problem, options, gradient, "gradient"); });                  \
    }                                                                                                              \
    void name(destroy)(Plan * gradient) {                                                                          \
        delete gradient;                                                                                           \
    }                                                                                                              \
    int name(workspace_bytes)(const poisson3d_problem* problem, const poisson3d_options* options, size_t* bytes) { \
        return guarded([&] { poisson3d::c::tell_workspace_bytes<Plan>(problem, options, bytes); });                \
    }                                                                                                              \
    int name(get_info)(const Plan* gradient, poisson3d_info* info) {                                               \
        return guarded([&] { write_info(poisson3d::c::checked(gradient, "gradient").description, info); });        \
    }                                                                                                              \
    int name(evaluate)(Plan * gradient, const Real* u, const int64_t u_strides[3], Real* const components[3],      \
                       const int64_t strides[3], const BoundaryStruct* boundary, void* stream) {                   \
        return guarded(                                                                                            \
            [&] { poisson3d::c::evaluate(gradient, u, u_strides, components, strides, boundary, stream); });       \
    }

#define POISSON3D_OF_DOUBLE(function) poisson3d_gradient_##function
#define POISSON3D_OF_FLOAT(function) poisson3d_gradient_##function##_float
POISSON3D_GRADIENT_FUNCTIONS(double, poisson3d_gradient, poisson3d_boundary, POISSON3D_OF_DOUBLE)
POISSON3D_GRADIENT_FUNCTIONS(float, poisson3d_gradient_float, poisson3d_boundary_float, POISSON3D_OF_FLOAT)
