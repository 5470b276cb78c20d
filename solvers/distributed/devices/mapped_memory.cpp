#include "mapped_memory.hpp"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "cuda/check.hpp"
#include "device_words.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d {

SharedPlace share_place(const void* place) {
    static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(SharedPlace::allocation));
    const void* const base = allocation_of(place);
    cudaIpcMemHandle_t handle{};
    cuda::check(cudaIpcGetMemHandle(&handle, const_cast<void*>(base)), "memory that other processes see");
    SharedPlace shared;
    std::memcpy(shared.allocation.data(), &handle, sizeof handle);
    shared.offset =
        static_cast<std::uint64_t>(static_cast<const std::byte*>(place) - static_cast<const std::byte*>(base));
    shared.there = true;
    return shared;
}

std::byte* MappedMemory::map(const SharedPlace& place, std::vector<std::shared_ptr<void>>& kept) {
    std::shared_ptr<void> memory = mapped_[place.allocation].lock();
    if (!memory) {
        cudaIpcMemHandle_t handle{};
        std::memcpy(&handle, place.allocation.data(), sizeof handle);
        void* mapped = nullptr;
        cuda::check(cudaIpcOpenMemHandle(&mapped, handle, cudaIpcMemLazyEnablePeerAccess),
                    "memory of another process");
        memory = {mapped, [](void* pointer) { cuda::release([&] { return cudaIpcCloseMemHandle(pointer); }); }};
        mapped_[place.allocation] = memory;
    }
    kept.push_back(memory);
    return static_cast<std::byte*>(memory.get()) + place.offset;
}

namespace {

using Host = std::array<char, 128>;

/// What no other host has: its name, and when it was started.
Host this_host() {
    Host host{};
    gethostname(host.data(), 64);
    std::string start;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), start);
    start.copy(host.data() + 64, 63);
    return host;
}

/// Every process, or none.
bool on_all(Processes& processes, bool here) {
    std::vector<char> all(static_cast<std::size_t>(processes.size()));
    const char mine = here ? 1 : 0;
    processes.gather(&mine, all.data(), 1);
    return std::count(all.begin(), all.end(), 1) == processes.size();
}

}  // namespace

bool reaches_all(int device, Processes& processes) {
    const auto count = static_cast<std::size_t>(processes.size());
    const auto me = static_cast<std::size_t>(processes.rank());
    const Host host = this_host();
    std::vector<Host> hosts(count);
    processes.gather(&host, hosts.data(), sizeof host);
    const auto elsewhere = [&](const Host& other) { return other != host; };
    if (std::any_of(hosts.begin(), hosts.end(), elsewhere) || !missing_device_words().empty())
        return on_all(processes, false);
    const DeviceScope scope(device);
    constexpr std::size_t bytes = 4096;
    DeviceBuffer memory;
    SharedPlace mine;
    bool works = true;
    try {
        memory = DeviceBuffer(bytes);
        fill_on_device(memory.data(), static_cast<unsigned char>(me + 1), bytes);
        synchronize();
        mine = share_place(memory.data());
    } catch (const Error&) {
        works = false;
    }
    std::vector<SharedPlace> all(count);
    processes.gather(&mine, all.data(), sizeof mine);
    for (std::size_t other = 0; works && other < count; ++other) {
        if (other == me) continue;
        try {
            std::vector<std::shared_ptr<void>> kept;
            MappedMemory mapped;
            std::array<unsigned char, bytes> numbers{};
            const DeviceBuffer copy(bytes);
            if (!all[other].there) throw Error(ErrorCode::unsupported, "found no memory of another process");
            const auto expected = static_cast<unsigned char>(other + 1);
            std::byte* const there = mapped.map(all[other], kept);
            copy_on_device(copy.data(), there, bytes);
            copy_to_host(numbers.data(), copy.data(), bytes);
            works = std::all_of(numbers.begin(), numbers.end(), [&](unsigned char n) { return n == expected; });
            // Some drivers refuse words of other devices; this one is as before.
            auto* const word = reinterpret_cast<std::uint32_t*>(there);
            set_words({&word, 1}, 0x01010101U * expected, {});
            synchronize();
        } catch (const Error&) {
            works = false;
        }
    }
    return on_all(processes, works);
}

}  // namespace poisson3d
