#include "device_ways.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "cuda/check.hpp"
#include "mapped_memory.hpp"
#include "mapped_transfers.hpp"
#include "nccl_transfers.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

namespace {

class DeviceWays final : public ProcessWays {
public:
    DeviceWays(std::shared_ptr<const CopyLanes> lanes, Processes& processes)
        : device_(lanes->front().device), processes_(processes), lanes_(std::move(lanes)) {
        cudaDeviceProp properties{};
        cuda::check(cudaGetDeviceProperties(&properties, device_), "properties of the device");
        std::vector<cudaUUID_t> all(static_cast<std::size_t>(processes.size()));
        processes.gather(&properties.uuid, all.data(), sizeof properties.uuid);
        for (std::size_t one = 0; one < all.size(); ++one)
            for (std::size_t other = 0; other < one; ++other)
                if (std::memcmp(&all[one], &all[other], sizeof(cudaUUID_t)) == 0)
                    shared_ = {static_cast<int>(other), static_cast<int>(one)};
        reaches_all_ = reaches_all(device_, processes);
    }

    [[nodiscard]] std::string missing(Way way) const override {
        if (way != Way::nccl)
            return reaches_all_ ? ""
                                : "found devices that do not reach each other's memory, wanted links within one "
                                  "host, or another way";
        if (!apart())
            return "found ranks " + std::to_string(shared_.first) + " and " + std::to_string(shared_.second) +
                   " on one device, wanted a device for each rank, or another way";
        try {
            nccl::Library::get();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    [[nodiscard]] bool apart() const noexcept override { return shared_.second == 0; }

    void open(Way way) override {
        if (way != Way::nccl || ring_) return;
        nccl::Name name{};
        on_all([&] {
            const nccl::Library& library = nccl::Library::get();
            if (processes_.rank() == 0) library.check(library.make_name(&name), "name of a communicator");
        });
        std::vector<nccl::Name> all(static_cast<std::size_t>(processes_.size()));
        processes_.gather(&name, all.data(), sizeof name);
        ring_ = std::make_shared<nccl::Ring>(all[0], processes_.rank(), processes_.size(), device_);
    }

    [[nodiscard]] std::unique_ptr<Transfers> prepare(Way way, const std::vector<Transfer>& list) override {
        if (way == Way::nccl) return std::make_unique<NcclTransfers>(list, lanes_, ring_);
        return mapped(list, way == Way::stores);
    }

    [[nodiscard]] ReachedPlaces reached(std::byte* mine) override {
        const DeviceScope scope(device_);
        SharedPlace here;
        on_all([&] { here = share_place(mine); });
        std::vector<SharedPlace> all(static_cast<std::size_t>(processes_.size()));
        processes_.gather(&here, all.data(), sizeof here);
        std::vector<std::byte*> of;
        std::vector<std::shared_ptr<void>> kept;
        on_all([&] {
            for (int m = 0; m < processes_.size(); ++m)
                of.push_back(m == processes_.rank() ? mine : memory_.map(all[static_cast<std::size_t>(m)], kept));
        });
        return {std::move(of), std::make_shared<std::vector<std::shared_ptr<void>>>(std::move(kept))};
    }

private:
    /// What one process throws here all throw, so that none waits for it in what comes next.
    template <class Body>
    void on_all(const Body& body) {
        std::exception_ptr thrown;
        try {
            body();
        } catch (...) {
            thrown = std::current_exception();
        }
        std::vector<char> all(static_cast<std::size_t>(processes_.size()));
        const char here = thrown ? 1 : 0;
        processes_.gather(&here, all.data(), 1);
        if (thrown) std::rethrow_exception(thrown);
        if (std::count(all.begin(), all.end(), 1) > 0) throw RefusedElsewhere(ErrorCode::device);
    }

    /// With what this process copies from others, or stores there, mapped, and words of each, which are zero.
    std::unique_ptr<Transfers> mapped(std::vector<Transfer> list, bool stores) {
        const DeviceScope scope(device_);
        const int me = processes_.rank();
        const auto count = static_cast<std::size_t>(processes_.size());
        std::vector<std::shared_ptr<void>> kept;
        std::shared_ptr<DeviceBuffer> words;
        std::vector<SharedPlace> mine;
        on_all([&] {
            words = std::make_shared<DeviceBuffer>(2 * count * sizeof(std::uint32_t));
            fill_on_device(words->data(), 0, words->size());
            synchronize();
            kept.push_back(words);
            mine.push_back(share_place(words->data()));
            for (const Transfer& t : list) {
                const bool shared = (stores ? t.to : t.from) == me && t.from != t.to && t.runs > 0;
                mine.push_back(!shared ? SharedPlace{} : stores ? share_place(t.target) : share_place(t.source));
            }
        });
        std::vector<SharedPlace> all(count * mine.size());
        processes_.gather(mine.data(), all.data(), mine.size() * sizeof(SharedPlace));
        const auto place = [&](int process, std::size_t i) -> std::byte* {
            return memory_.map(all[static_cast<std::size_t>(process) * mine.size() + i], kept);
        };
        std::unique_ptr<Transfers> transfers;
        on_all([&] {
            for (std::size_t i = 0; i < list.size(); ++i) {
                Transfer& t = list[i];
                if (t.from == t.to || t.runs == 0 || (stores ? t.from : t.to) != me) continue;
                if (stores)
                    t.target = place(t.to, i + 1);
                else
                    t.source = place(t.from, i + 1);
            }
            std::vector<MemberWords> of_members;
            for (int m = 0; m < processes_.size(); ++m) {
                auto* const first = m == me ? static_cast<std::uint32_t*>(words->data())
                                            : reinterpret_cast<std::uint32_t*>(place(m, 0));
                of_members.push_back({first, first + count});
            }
            transfers = std::make_unique<MappedTransfers>(
                list, me, of_members, lanes_, std::make_shared<std::vector<std::shared_ptr<void>>>(std::move(kept)),
                stores);
        });
        return transfers;
    }

    int device_;
    Processes& processes_;
    std::pair<int, int> shared_{};  ///< two ranks that have one device
    bool reaches_all_ = false;
    MappedMemory memory_;
    std::shared_ptr<const CopyLanes> lanes_;
    std::shared_ptr<const nccl::Ring> ring_;
};

}  // namespace

std::unique_ptr<ProcessWays> make_process_ways(std::shared_ptr<const CopyLanes> lanes, Processes& processes) {
    return std::make_unique<DeviceWays>(std::move(lanes), processes);
}

}  // namespace poisson3d
