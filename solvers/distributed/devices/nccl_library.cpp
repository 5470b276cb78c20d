#include "nccl_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <type_traits>

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
    find(library.destroy, "ncclCommDestroy");
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
    library_.check(library_.init_all(communicators_.data(), static_cast<int>(devices.size()), devices.data()),
                   "communicator of members");
}

Ring::~Ring() {
    if (!home_.here()) return;
    for (void* const communicator : communicators_)
        if (communicator != nullptr) library_.destroy(communicator);
}

}  // namespace poisson3d::nccl
