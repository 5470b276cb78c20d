// Communicators as C sees them.
#pragma once

#include <functional>
#include <new>

#include "arguments.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"

struct poisson3d_communicator {
    static constexpr poisson3d::c::Tag kind = poisson3d::c::Tag::communicator;
    poisson3d::c::Tag found = kind;  // first: require_tag
    poisson3d::Communicator members;
    explicit poisson3d_communicator(poisson3d::Communicator all) : members(std::move(all)) {}
};

namespace poisson3d::c {

/// body(), which no other member takes part in, before a call of all of them: what it throws they get to know.
template <class Body>
auto alone_before(const Communicator& members, const Body& body) {
    try {
        return body();
    } catch (const Error& error) {
        members.refuse(error.code());
        throw;
    } catch (const std::bad_alloc&) {
        members.refuse(ErrorCode::out_of_memory);
        throw;
    }
}

/// The code of a status; Error{usage} for 0, which is none.
inline ErrorCode read_failure(int status) {
    if (status == 0) throw Error(ErrorCode::usage, "status: found 0, wanted that of a failure");
    return static_cast<ErrorCode>(status);
}

}  // namespace poisson3d::c

/// The status of body(), and what make() returns, for C; null until it is there. For libraries that adapt an
/// interface of their own.
extern "C" POISSON3D_C_API int poisson3d_guarded(const std::function<void()>& body);
extern "C" POISSON3D_C_API int poisson3d_communicator_make(const std::function<poisson3d::Communicator()>& make,
                                                           poisson3d_communicator** communicator);
