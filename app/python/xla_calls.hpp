// Solves as calls from programs that XLA compiled: what poisson3d.jax puts into them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "problem.hpp"

namespace poisson3d::python {

/// A problem that calls may name by the number returned. Its plans are made where and when a call first needs them:
/// for the elements of the fields and the device they are on.
std::int64_t register_xla_problem(const Arguments& arguments);
/// Lets go of its plans; a call that comes all the same plans again.
void forget_xla_plans(std::int64_t problem);
/// How many are held, of all problems.
std::size_t xla_plans();
/// The handler of calls on the host or on a GPU, as jax.ffi.register_ffi_target takes it; None in a build without
/// XLA's headers.
nanobind::object xla_handler(bool gpu);

/// The same of a box that some devices share, slabs in the order of `devices`: their numbers as XLA counts those of
/// this process. `method` as in Solver(…, devices=…).
std::int64_t register_xla_members(const Arguments& arguments, const std::vector<int>& devices,
                                  const std::string& method);
void forget_xla_members(std::int64_t problem);
nanobind::object xla_members_handler(bool gpu);

}  // namespace poisson3d::python
