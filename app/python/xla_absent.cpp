// In place of xla_calls.cpp where there were no headers of XLA to build with.
#include "poisson3d/error.hpp"
#include "xla_calls.hpp"

namespace poisson3d::python {

namespace {

[[noreturn]] void refuse() {
    throw Error(ErrorCode::unsupported,
                "poisson3d.jax: this build knows no calls of XLA: build the package in an "
                "environment that has jax, whose headers it needs");
}

}  // namespace

std::int64_t register_xla_problem(const Arguments&) {
    refuse();
}
std::int64_t register_xla_members(const Arguments&, const std::vector<int>&, const std::string&) {
    refuse();
}

void forget_xla_plans(std::int64_t) {}
void forget_xla_members(std::int64_t) {}

std::size_t xla_plans() {
    return 0;
}

nanobind::object xla_handler(bool) {
    return nanobind::none();
}

nanobind::object xla_members_handler(bool) {
    return nanobind::none();
}

}  // namespace poisson3d::python
