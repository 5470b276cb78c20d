// Members on GPUs of this process: copies between their memories, ordered by events, in their streams or beside
// them. The receiver copies; the sender goes on when all have.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>

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

/// A device, and streams for copies that go on beside its passes: from others, and within its memory.
struct CopyLane {
    explicit CopyLane(int number) : device(number) {
        const DeviceScope scope(device);
        from_others = std::make_unique<DeviceStream>();
        within = std::make_unique<DeviceStream>();
    }
    int device;
    std::unique_ptr<DeviceStream> from_others, within;
};
using CopyLanes = std::vector<CopyLane>;

/// What a member has to do with others in an exchange.
struct Party {
    explicit Party(int device) {
        const DeviceScope scope(device);
        for (auto* event : {&ready, &taken, &moved}) *event = std::make_unique<DeviceEvent>();
    }
    std::vector<Transfer> own, received;
    bool sends = false;                  ///< to others, or goes before them
    std::vector<int> senders;            ///< others that it receives from, or comes after …
    std::vector<int> takers;             ///< … and those that copy what it sends
    std::unique_ptr<DeviceEvent> ready;  ///< what it sends is there, and room for what it receives
    std::unique_ptr<DeviceEvent> taken;  ///< what it receives is copied, …
    std::unique_ptr<DeviceEvent> moved;  ///< … and what it keeps
};

class PeerCopies final : public Transfers {
public:
    PeerCopies(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes)
        : lanes_(std::move(lanes)) {
        for (const CopyLane& lane : *lanes_) parties_.emplace_back(lane.device);
        const auto add = [](std::vector<int>& members, int member) {
            if (std::find(members.begin(), members.end(), member) == members.end()) members.push_back(member);
        };
        for (const Transfer& t : list) {
            Party &from = parties_[static_cast<std::size_t>(t.from)],
                  &to = parties_[static_cast<std::size_t>(t.to)];
            if (t.runs > 0) (t.from == t.to ? to.own : to.received).push_back(t);
            if (t.from == t.to) continue;
            from.sends = true;
            add(to.senders, t.from);
            if (t.runs > 0) add(from.takers, t.to);
            beside_ = beside_ || t.run * t.runs >= large;
        }
    }

    void run(ThreadTeam& team, std::span<const Stream> streams) override {
        begin(team, streams);
        end(team, streams);
    }

    void begin(ThreadTeam& team, std::span<const Stream> streams) override {
        for_each(team, [&](Party& party, std::size_t m) {
            if (party.sends || beside_) party.ready->record(streams[m]);
        });
        for_each(team, [&](Party& party, std::size_t m) {
            const Stream from_others = beside_ ? (*lanes_)[m].from_others->get() : streams[m];
            const Stream within = beside_ ? (*lanes_)[m].within->get() : streams[m];
            if (beside_) party.ready->make_wait(from_others), party.ready->make_wait(within);
            for (const Transfer& t : party.own) copy(t, within);
            for (const int sender : party.senders) of(sender).ready->make_wait(from_others);
            for (const Transfer& t : party.received) copy(t, from_others);
            if (beside_) party.moved->record(within);
            if (beside_ || !party.received.empty()) party.taken->record(from_others);
        });
    }
    void end(ThreadTeam& team, std::span<const Stream> streams) override {
        for_each(team, [&](Party& party, std::size_t m) {
            if (beside_) party.taken->make_wait(streams[m]), party.moved->make_wait(streams[m]);
            for (const int taker : party.takers) of(taker).taken->make_wait(streams[m]);
        });
    }

private:
    /// Bytes of a copy that takes longer than the events of two more streams.
    static constexpr Index large = Index{4} << 20;

    template <class Body>
    void for_each(ThreadTeam& team, const Body& body) {
        team.parallel_for(static_cast<Index>(parties_.size()), 1, [&](Index begin, Index end, int) {
            for (auto m = static_cast<std::size_t>(begin); m < static_cast<std::size_t>(end); ++m) {
                const DeviceScope scope((*lanes_)[m].device);
                body(parties_[m], m);
            }
        });
    }

    Party& of(int member) { return parties_[static_cast<std::size_t>(member)]; }

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

    std::shared_ptr<const CopyLanes> lanes_;
    std::vector<Party> parties_;
    bool beside_ = false;  ///< in streams of their own
};

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
        return std::make_unique<PeerCopies>(list, lanes_);
    }
    int largest(int value) override { return value; }
    void sum(float*, Index) override {}
    void sum(double*, Index) override {}

private:
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
