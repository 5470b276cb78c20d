// Calls of MPI that fail with its words.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "poisson3d/error.hpp"

namespace poisson3d {

inline void check(int status, const char* what) {
    if (status == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    throw Error(ErrorCode::device,
                std::string("MPI, ") + what + ": " + std::string(text.data(), static_cast<std::size_t>(length)));
}

inline bool alive() {
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised != 0 && finalised == 0;
}

/// Requests that are prepared once and started often.
class PersistentRequests {
public:
    PersistentRequests() = default;
    ~PersistentRequests() {
        if (!alive()) return;
        for (MPI_Request& request : requests_) MPI_Request_free(&request);
    }
    PersistentRequests(const PersistentRequests&) = delete;
    PersistentRequests& operator=(const PersistentRequests&) = delete;

    /// make(request) prepares one.
    template <class Make>
    void add(const Make& make) {
        requests_.push_back(MPI_REQUEST_NULL);
        check(make(&requests_.back()), "message");
    }
    void start() {
        if (!requests_.empty()) check(MPI_Startall(count(), requests_.data()), "start of an exchange");
    }
    void wait() {
        if (!requests_.empty())
            check(MPI_Waitall(count(), requests_.data(), MPI_STATUSES_IGNORE), "end of an exchange");
    }

private:
    [[nodiscard]] int count() const { return static_cast<int>(requests_.size()); }
    std::vector<MPI_Request> requests_;
};

}  // namespace poisson3d
