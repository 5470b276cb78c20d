// Members on GPUs of this process: copies between their memories in their streams, ordered by events. The receiver
// copies; the sender goes on when all have.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <numeric>

#include "cuda/check.hpp"
#include "member.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "require_members.hpp"
#include "transport.hpp"

namespace poisson3d {

namespace {

/// What a member has to do with others in an exchange.
struct Party {
    explicit Party(int number) : device(number) {
        const DeviceScope scope(device);
        ready = std::make_unique<DeviceEvent>();
        taken = std::make_unique<DeviceEvent>();
    }
    int device;
    std::vector<Transfer> received;
    std::vector<int> senders;                   ///< others that it receives from, or comes after …
    std::vector<int> takers;                    ///< … and those that copy what it sends
    bool sends = false;                         ///< to others, or goes before them
    std::unique_ptr<DeviceEvent> ready, taken;  ///< what it sends is there; what it receives is copied
};

class PeerCopies final : public Transfers {
public:
    PeerCopies(const std::vector<Transfer>& list, const std::vector<int>& devices) {
        for (const int device : devices) parties_.emplace_back(device);
        const auto add = [](std::vector<int>& members, int member) {
            if (std::find(members.begin(), members.end(), member) == members.end()) members.push_back(member);
        };
        for (const Transfer& t : list) {
            Party &from = parties_[static_cast<std::size_t>(t.from)],
                  &to = parties_[static_cast<std::size_t>(t.to)];
            if (t.runs > 0) to.received.push_back(t);
            if (t.from == t.to) continue;
            from.sends = true;
            add(to.senders, t.from);
            if (t.runs > 0) add(from.takers, t.to);
        }
    }

    void run(ThreadTeam& team, std::span<const Stream> streams) override {
        for_each(
            team,
            [&](Party& party, Stream stream) {
                if (party.sends) party.ready->record(stream);
            },
            streams);
        for_each(
            team,
            [&](Party& party, Stream stream) {
                for (const int sender : party.senders)
                    parties_[static_cast<std::size_t>(sender)].ready->make_wait(stream);
                for (const Transfer& t : party.received) copy(t, stream);
                if (!party.received.empty()) party.taken->record(stream);
            },
            streams);
        for_each(
            team,
            [&](Party& party, Stream stream) {
                for (const int taker : party.takers)
                    parties_[static_cast<std::size_t>(taker)].taken->make_wait(stream);
            },
            streams);
    }

private:
    template <class Body>
    void for_each(ThreadTeam& team, const Body& body, std::span<const Stream> streams) {
        team.parallel_for(static_cast<Index>(parties_.size()), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m) {
                Party& party = parties_[static_cast<std::size_t>(m)];
                const DeviceScope scope(party.device);
                body(party, streams[static_cast<std::size_t>(m)]);
            }
        });
    }

    static void copy(const Transfer& t, Stream stream) {
        const auto run = static_cast<std::size_t>(t.run);
        const bool one = t.runs == 1 || (t.source_stride == t.run && t.target_stride == t.run);
        const cudaError_t status =
            one ? cudaMemcpyAsync(t.target, t.source, run * static_cast<std::size_t>(t.runs), cudaMemcpyDefault,
                                  cuda::queue(stream))
                : cudaMemcpy2DAsync(t.target, static_cast<std::size_t>(t.target_stride), t.source,
                                    static_cast<std::size_t>(t.source_stride), run,
                                    static_cast<std::size_t>(t.runs), cudaMemcpyDefault, cuda::queue(stream));
        cuda::check(status, "copy between members");
    }

    std::vector<Party> parties_;
};

class DeviceTransport final : public Transport {
public:
    explicit DeviceTransport(const std::vector<int>& devices)
        : devices_(devices), mine_(devices.size()), different_(devices) {
        std::iota(mine_.begin(), mine_.end(), 0);
        std::sort(different_.begin(), different_.end());
        different_.erase(std::unique(different_.begin(), different_.end()), different_.end());
        for (const int device : different_)
            for (const int peer : different_)
                if (device != peer) direct_ = enable(device, peer) && direct_;
    }

    [[nodiscard]] int size() const noexcept override { return static_cast<int>(mine_.size()); }
    [[nodiscard]] const std::vector<int>& mine() const noexcept override { return mine_; }
    [[nodiscard]] int device(int member) const noexcept override {
        return devices_[static_cast<std::size_t>(member)];
    }
    [[nodiscard]] int host_threads() const override { return available_threads(); }
    [[nodiscard]] std::string description() const override {
        std::string text = std::to_string(size()) + (size() == 1 ? " member on device" : " members on device");
        text += different_.size() > 1 ? "s " : " ";
        for (std::size_t d = 0; d < different_.size(); ++d)
            text += (d > 0 ? ", " : "") + std::to_string(different_[d]);
        text += " (" + device_name(different_.front()) + ")";
        if (different_.size() > 1) text += direct_ ? ", copies between peers" : ", copies through the host";
        return text;
    }

    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override {
        return std::make_unique<PeerCopies>(list, devices_);
    }
    int largest(int value) override { return value; }
    void sum(float*, Index) override {}
    void sum(double*, Index) override {}

private:
    /// Whether a device now reads the memory of another without the host's help.
    static bool enable(int device, int peer) {
        const DeviceScope scope(device);
        int can = 0;
        cuda::check(cudaDeviceCanAccessPeer(&can, device, peer), "link between devices");
        if (can == 0) return false;
        const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled) {
            cudaGetLastError();
            return true;
        }
        cuda::check(status, "link between devices");
        return true;
    }

    std::vector<int> devices_, mine_, different_;
    bool direct_ = true;
};

}  // namespace

Communicator devices(const std::vector<int>& numbers) {
    require_members(static_cast<int>(numbers.size()));
    if (numbers.size() > max_device_members)
        throw Error(ErrorCode::usage, "found " + std::to_string(numbers.size()) + " members on devices, wanted " +
                                          std::to_string(max_device_members) + " at most");
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
