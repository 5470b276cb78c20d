// In place of xla_calls.cpp where there were no headers of XLA to build with.
#include "poisson3d/error.hpp"
#include "xla_calls.hpp"

namespace poisson3d::python {

std::int64_t register_xla_problem(const Arguments&) {
    throw Error(ErrorCode::unsupported,
                "poisson3d.jax: this build knows no calls of XLA: build the package in an "
                "environment that has jax, whose headers it needs");
}

void forget_xla_plans(std::int64_t) {}

nanobind::object xla_handler(bool) {
    return nanobind::none();
}

}  // namespace poisson3d::python
