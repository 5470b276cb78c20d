#include "device_ways.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>

#include "cuda/check.hpp"
#include "nccl_transfers.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

namespace {

class DeviceWays final : public ProcessWays {
public:
    DeviceWays(int device, Processes& processes) : device_(device), processes_(processes) {
        cudaDeviceProp properties{};
        cuda::check(cudaGetDeviceProperties(&properties, device), "properties of the device");
        std::vector<cudaUUID_t> all(static_cast<std::size_t>(processes.size()));
        processes.gather(&properties.uuid, all.data(), sizeof properties.uuid);
        for (std::size_t one = 0; one < all.size(); ++one)
            for (std::size_t other = 0; other < one; ++other)
                if (std::memcmp(&all[one], &all[other], sizeof(cudaUUID_t)) == 0)
                    shared_ = {static_cast<int>(other), static_cast<int>(one)};
    }

    [[nodiscard]] std::string missing(Way way) const override {
        if (way != Way::nccl) return "found devices of other processes, wanted the way nccl, mpi or staged";
        if (shared_.second > 0)
            return "found ranks " + std::to_string(shared_.first) + " and " + std::to_string(shared_.second) +
                   " on one device, wanted a device for each rank, or another way";
        try {
            nccl::Library::get();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    void open(Way /*way*/) override {
        if (ring_) return;
        nccl::Name name{};
        const nccl::Library& library = nccl::Library::get();
        if (processes_.rank() == 0) library.check(library.make_name(&name), "name of a communicator");
        std::vector<nccl::Name> all(static_cast<std::size_t>(processes_.size()));
        processes_.gather(&name, all.data(), sizeof name);
        auto lanes = std::make_shared<CopyLanes>();
        lanes->emplace_back(device_);
        lanes_ = std::move(lanes);
        ring_ = std::make_shared<nccl::Ring>(all[0], processes_.rank(), processes_.size(), device_);
    }

    [[nodiscard]] std::unique_ptr<Transfers> prepare(Way /*way*/, const std::vector<Transfer>& list) override {
        return std::make_unique<NcclTransfers>(list, lanes_, ring_);
    }

private:
    int device_;
    Processes& processes_;
    std::pair<int, int> shared_{};  ///< two ranks that have one device
    std::shared_ptr<const CopyLanes> lanes_;
    std::shared_ptr<const nccl::Ring> ring_;
};

}  // namespace

std::unique_ptr<ProcessWays> make_process_ways(int device, Processes& processes) {
    return std::make_unique<DeviceWays>(device, processes);
}

}  // namespace poisson3d
