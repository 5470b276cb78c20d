// Members on GPUs of this process: the ways between their memories, and which one is the fastest.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include "cuda/check.hpp"
#include "device_ways.hpp"
#include "direct_transfers.hpp"
#include "member.hpp"
#include "nccl_transfers.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "require_members.hpp"
#include "staged_transfers.hpp"
#include "transport.hpp"

namespace poisson3d {

namespace {

class DeviceTransport final : public Transport {
public:
    explicit DeviceTransport(const std::vector<int>& devices)
        : devices_(devices), mine_(devices.size()), different_(devices) {
        std::iota(mine_.begin(), mine_.end(), 0);
        std::sort(different_.begin(), different_.end());
        different_.erase(std::unique(different_.begin(), different_.end()), different_.end());
        auto lanes = std::make_shared<CopyLanes>();
        for (const int device : devices) lanes->emplace_back(device);
        lanes_ = std::move(lanes);
        for (const int device : different_)
            for (const int peer : different_)
                if (device != peer) direct_ = enable(device, peer) && direct_;
    }

    [[nodiscard]] int size() const noexcept override { return static_cast<int>(mine_.size()); }
    [[nodiscard]] const std::vector<int>& mine() const noexcept override { return mine_; }
    [[nodiscard]] int device(int member) const noexcept override {
        return devices_[static_cast<std::size_t>(member)];
    }
    [[nodiscard]] bool reaches(Way) override { return direct_; }
    [[nodiscard]] int host_threads() const override { return available_threads(); }
    [[nodiscard]] std::string description() const override {
        std::string text = std::to_string(size()) + (size() == 1 ? " member on device" : " members on device");
        text += different_.size() > 1 ? "s " : " ";
        for (std::size_t d = 0; d < different_.size(); ++d)
            text += (d > 0 ? ", " : "") + std::to_string(different_[d]);
        text += " (" + device_name(different_.front()) + ")";
        if (different_.size() > 1) text += direct_ ? ", linked" : ", not linked";
        return text;
    }

    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override {
        return std::make_unique<DirectTransfers>(list, lanes_, false);
    }

    double store_rate() override {
        constexpr Index large = Index{64} << 20;
        return direct_ && different_.size() > 1 ? rate_of(Way::stores, large) : 0.0;
    }

    ChosenWay choose(Way wanted, MessageSize largest) override {
        if ((wanted == Way::stores || wanted == Way::passes) && !direct_)
            throw Error(ErrorCode::unsupported, std::string("members cannot exchange by ") + name(wanted) +
                                                    ": found devices without access to each other's memory, "
                                                    "wanted links between them, or another way");
        if (wanted == Way::mpi)
            throw Error(ErrorCode::unsupported,
                        "members of one process cannot exchange by mpi: wanted copies, "
                        "stores, nccl, staged or passes");
        if (wanted == Way::passes) return {wanted, store_rate()};
        if (wanted == Way::nccl && !ring_) ring_ = std::make_shared<nccl::Ring>(devices_);
        if (different_.size() == 1) return {wanted == Way::automatic ? Way::copies : wanted};
        if (wanted != Way::automatic) return {wanted, rate_of(wanted, largest)};
        // Engines leave all processors to passes: what takes some must be faster by more than they cost.
        constexpr double faster = 1.1;
        const Way other = direct_ ? Way::stores : Way::staged;
        const double copies = rate_of(Way::copies, largest), others = rate_of(other, largest);
        return others > faster * copies ? ChosenWay{other, others} : ChosenWay{Way::copies, copies};
    }

    std::unique_ptr<Transfers> prepare_by(Way way, const std::vector<Transfer>& list) override {
        if (way == Way::nccl) return std::make_unique<NcclTransfers>(list, lanes_, ring_);
        if (way == Way::staged) return std::make_unique<StagedTransfers>(list, lanes_);
        return std::make_unique<DirectTransfers>(list, lanes_, way == Way::stores);
    }
    std::unique_ptr<ProcessWays> ways_between(Processes& processes) override {
        return make_process_ways(lanes_, processes);
    }
    int largest(int value) override { return value; }
    void sum(float*, Index) override {}
    void sum(double*, Index) override {}

private:
    /// Bytes a second that leave a device by a way when each sends as much to the next one; 0: there is no room.
    double rate_of(Way way, MessageSize size) {
        const std::pair key{way, size.measured()};
        if (const auto known = rates_.find(key); known != rates_.end()) return known->second;
        return rates_[key] = measure(way, key.second);
    }

    double measure(Way way, MessageSize message) {
        const Index source = message.scattered() ? 2 * message.bytes : message.bytes;
        std::vector<DeviceBuffer> there;
        std::vector<std::unique_ptr<DeviceStream>> own;
        std::vector<Stream> streams;
        std::vector<int> first;  // member of each device
        try {
            for (const int device : different_) {
                const DeviceScope scope(device);
                there.emplace_back(static_cast<std::size_t>(source + message.bytes));
                fill_on_device(there.back().data(), 0, there.back().size());
                synchronize();
                first.push_back(
                    static_cast<int>(std::find(devices_.begin(), devices_.end(), device) - devices_.begin()));
            }
            for (const int device : devices_) {
                const DeviceScope scope(device);
                own.push_back(std::make_unique<DeviceStream>());
                streams.push_back(own.back()->get());
            }
            std::vector<Transfer> list;
            for (std::size_t d = 0; d < different_.size(); ++d) {
                const std::size_t next = (d + 1) % different_.size();
                list.push_back(message.transfer(first[d], first[next],
                                                static_cast<const std::byte*>(there[d].data()),
                                                static_cast<std::byte*>(there[next].data()) + source));
            }
            const std::unique_ptr<Transfers> exchange = prepare_by(way, list);
            return static_cast<double>(message.bytes) / least_seconds(*exchange, streams);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::out_of_memory) throw;
            return 0.0;
        }
    }

    /// Of three exchanges, after one that starts all there is to start.
    double least_seconds(Transfers& exchange, const std::vector<Stream>& streams) const {
        ThreadTeam team(1);
        double least = 0.0;
        for (int time = 0; time < 4; ++time) {
            const auto start = std::chrono::steady_clock::now();
            exchange.run(team, streams);
            for (std::size_t m = 0; m < streams.size(); ++m) {
                const DeviceScope scope(devices_[m]);
                synchronize(streams[m]);
            }
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (time == 1 || (time > 1 && seconds < least)) least = seconds;
        }
        return least;
    }

    /// Whether a device now reads the memory of another without the host's help.
    static bool enable(int device, int peer) {
        static std::mutex mutex;
        static std::set<std::pair<int, int>> enabled;  // here; it is an error to do it again
        const std::lock_guard lock(mutex);
        if (enabled.count({device, peer}) > 0) return true;
        const DeviceScope scope(device);
        int can = 0;
        cuda::check(cudaDeviceCanAccessPeer(&can, device, peer), "link between devices");
        if (can == 0) return false;
        const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled)
            cudaGetLastError();  // by somebody else
        else
            cuda::check(status, "link between devices");
        enabled.insert({device, peer});
        return true;
    }

    std::vector<int> devices_, mine_, different_;
    std::shared_ptr<const CopyLanes> lanes_;
    std::shared_ptr<const nccl::Ring> ring_;
    std::map<std::pair<Way, MessageSize>, double> rates_;  ///< by size, as they were measured
    bool direct_ = true;
};

}  // namespace

Communicator devices(const std::vector<int>& numbers) {
    require_members(static_cast<int>(numbers.size()));
    if (const std::string why = missing_device(); !why.empty())
        throw Error(ErrorCode::device, "members cannot be on devices: " + why + "; use members on threads");
    const int count = count_devices();
    for (const int number : numbers)
        if (number < 0 || number >= count)
            throw Error(ErrorCode::usage, "there is no device " + std::to_string(number) + ", wanted 0 to " +
                                              std::to_string(count - 1));
    return Communicator(std::make_shared<DeviceTransport>(numbers));
}

}  // namespace poisson3d
