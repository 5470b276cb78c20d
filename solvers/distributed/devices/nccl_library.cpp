#include "nccl_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <type_traits>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::nccl {

namespace {

constexpr const char* file = "libnccl.so.2";

Library open() {
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    void* const handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const why = dlerror();
        throw Error(ErrorCode::unsupported, std::string("members cannot exchange by NCCL: found no ") + file +
                                                " (" + (why == nullptr ? "no reason given" : why) +
                                                "), wanted it installed, or another way");
    }
    Library library;
    const auto find = [&](auto& function, const char* symbol) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
        if (function == nullptr)
            throw Error(ErrorCode::unsupported, std::string("members cannot exchange by NCCL: ") + file +
                                                    " has no " + symbol + ", wanted version 2.7 or later");
    };
    find(library.init_all, "ncclCommInitAll");
    find(library.make_name, "ncclGetUniqueId");
    find(library.init_rank, "ncclCommInitRank");
    find(library.destroy, "ncclCommDestroy");
    find(library.abort, "ncclCommAbort");
    find(library.begin_group, "ncclGroupStart");
    find(library.end_group, "ncclGroupEnd");
    find(library.send, "ncclSend");
    find(library.receive, "ncclRecv");
    find(library.error, "ncclGetErrorString");
    return library;
}

}  // namespace

const Library& Library::get() {
    static const Library library = open();  // once, unless it throws
    return library;
}

void Library::check(int result, const char* what) const {
    if (result != 0) throw Error(ErrorCode::device, std::string(what) + " by NCCL: " + error(result));
}

Ring::Ring(const std::vector<int>& devices) : library_(Library::get()), communicators_(devices.size()) {
    std::vector<int> sorted(devices);
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        throw Error(ErrorCode::unsupported, "members cannot exchange by NCCL: found several on device " +
                                                std::to_string(*twice) +
                                                ", wanted one member on each device, or another way");
    for (const int device : devices) {
        const DeviceScope scope(device);
        streams_.push_back(std::make_unique<UrgentStream>());
    }
    library_.check(library_.init_all(communicators_.data(), static_cast<int>(devices.size()), devices.data()),
                   "communicator of members");
}

Ring::Ring(const Name& name, int rank, int count, int device)
    : library_(Library::get()), first_(rank), communicators_(1) {
    const DeviceScope scope(device);
    streams_.push_back(std::make_unique<UrgentStream>());
    library_.check(library_.init_rank(communicators_.data(), count, name, rank), "communicator of ranks");
}

Ring::~Ring() {
    if (!home_.here()) return;
    // Where something failed other processes may not come to this, and would be waited for.
    const auto end = std::uncaught_exceptions() > 0 ? library_.abort : library_.destroy;
    for (void* const communicator : communicators_)
        if (communicator != nullptr) end(communicator);
}

}  // namespace poisson3d::nccl
