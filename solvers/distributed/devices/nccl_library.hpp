// NCCL, opened when it is asked for: no build needs it, and no program that does not ask.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "poisson3d/home_process.hpp"
#include "urgent_stream.hpp"

namespace poisson3d::nccl {

/// What processes that make a communicator together know it by.
struct Name {
    std::array<char, 128> bytes;
};

/// The functions of libnccl.so.2 that exchanges use, as its manual declares them. A communicator and a stream are
/// pointers, a result is 0 for success, bytes are of type 0.
struct Library {
    int (*init_all)(void** communicators, int count, const int* devices) = nullptr;
    int (*make_name)(Name* name) = nullptr;
    int (*init_rank)(void** communicator, int count, Name name, int rank) = nullptr;
    int (*destroy)(void* communicator) = nullptr;
    int (*abort)(void* communicator) = nullptr;
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

/// A communicator for each member of this process, and a stream that its messages are started in.
class Ring {
public:
    /// All members are of this process. Throws Error{unsupported} where a device has several.
    explicit Ring(const std::vector<int>& devices);
    /// Member `rank` of `count`, each of a process of its own: a call of all of them, with the same name.
    Ring(const Name& name, int rank, int count, int device);
    ~Ring();
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;
    [[nodiscard]] const Library& library() const noexcept { return library_; }
    /// Members of this process, in order.
    [[nodiscard]] std::size_t size() const noexcept { return communicators_.size(); }
    /// Where a member stands among them; not below size() if it is not of this process.
    [[nodiscard]] std::size_t place(int member) const noexcept { return static_cast<std::size_t>(member - first_); }
    [[nodiscard]] void* of(std::size_t place) const { return communicators_[place]; }
    [[nodiscard]] Stream stream(std::size_t place) const { return streams_[place]->get(); }

private:
    const Library& library_;
    int first_ = 0;
    std::vector<void*> communicators_;
    std::vector<std::unique_ptr<UrgentStream>> streams_;
    HomeProcess home_{};
};

}  // namespace poisson3d::nccl
