// Communicators as C sees them.
#pragma once

#include <functional>

#include "arguments.hpp"
#include "poisson3d/distributed.hpp"

struct poisson3d_communicator {
    static constexpr poisson3d::c::Tag kind = poisson3d::c::Tag::communicator;
    poisson3d::c::Tag found = kind;  // first: require_tag
    poisson3d::Communicator members;
    explicit poisson3d_communicator(poisson3d::Communicator all) : members(std::move(all)) {}
};

/// What make() returns, for C; null until it is there. For libraries that adapt an interface of their own.
extern "C" POISSON3D_C_API int poisson3d_communicator_make(const std::function<poisson3d::Communicator()>& make,
                                                           poisson3d_communicator** communicator);
