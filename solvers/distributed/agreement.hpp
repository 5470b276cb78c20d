// What members agree on before they go on.
#pragma once

#include <exception>
#include <new>

#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d {

/// What one member throws, all throw.
class Agreement {
public:
    explicit Agreement(Transport& transport) : transport_(transport) {}

    /// Calls body() on all members; true if it is for one of them. What it throws here is thrown on, and the others
    /// throw RefusedElsewhere.
    template <class Body>
    bool any(const Body& body) const {
        std::exception_ptr thrown;
        int code = 0;
        bool here = false;
        try {
            here = body();
        } catch (const Error& error) {
            thrown = std::current_exception();
            code = static_cast<int>(error.code());
        } catch (const std::bad_alloc&) {
            thrown = std::current_exception();
            code = static_cast<int>(ErrorCode::out_of_memory);
        } catch (...) {
            thrown = std::current_exception();
            code = static_cast<int>(ErrorCode::internal);
        }
        const int all = transport_.largest(2 * code + (here ? 1 : 0));
        if (thrown) std::rethrow_exception(thrown);
        if (all > 1) throw RefusedElsewhere(static_cast<ErrorCode>(all / 2));
        return all == 1;
    }
    template <class Body>
    void all(const Body& body) const {
        any([&] {
            body();
            return false;
        });
    }

private:
    Transport& transport_;
};

}  // namespace poisson3d
