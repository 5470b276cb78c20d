// NCCL, opened when it is asked for: no build needs it, and no program that does not ask.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poisson3d/home_process.hpp"

namespace poisson3d::nccl {

/// The functions of libnccl.so.2 that exchanges use, as its manual declares them. A communicator and a stream are
/// pointers, a result is 0 for success, bytes are of type 0.
struct Library {
    int (*init_all)(void** communicators, int count, const int* devices) = nullptr;
    int (*destroy)(void* communicator) = nullptr;
    int (*begin_group)() = nullptr;
    int (*end_group)() = nullptr;
    int (*send)(const void* data, std::size_t count, int type, int peer, void* communicator,
                void* stream) = nullptr;
    int (*receive)(void* data, std::size_t count, int type, int peer, void* communicator, void* stream) = nullptr;
    const char* (*error)(int result) = nullptr;

    /// Throws Error{unsupported} where there is none. Multicast over NVLink is left off unless the environment says
    /// otherwise.
    static const Library& get();
    /// Throws Error{device} with NCCL's words after `what`.
    void check(int result, const char* what) const;
};

/// A communicator for each member, all of this process. Throws Error{unsupported} where a device has several.
class Ring {
public:
    explicit Ring(const std::vector<int>& devices);
    ~Ring();
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;
    [[nodiscard]] const Library& library() const noexcept { return library_; }
    [[nodiscard]] void* of(int member) const { return communicators_[static_cast<std::size_t>(member)]; }

private:
    const Library& library_;
    std::vector<void*> communicators_;
    HomeProcess home_{};
};

}  // namespace poisson3d::nccl
