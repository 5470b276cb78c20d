#include "device_messages.hpp"

#include <algorithm>

#include "row_copies.hpp"

namespace poisson3d {

namespace {

constexpr std::size_t most = std::size_t{1} << 30;  // counts of MPI are ints

std::size_t bytes_of(const Transfer& t) {
    return static_cast<std::size_t>(t.run) * static_cast<std::size_t>(t.runs);
}

}  // namespace

DeviceLanes::DeviceLanes(int number) : device(number) {
    const DeviceScope scope(device);
    out = std::make_unique<DeviceStream>();
    in = std::make_unique<DeviceStream>();
}

MessageMemory::MessageMemory(std::size_t bytes, bool on_device) {
    if (on_device)
        device_ = DeviceBuffer(bytes);
    else
        pinned_ = PinnedBuffer(bytes);
}

/// make(first byte, count, other rank, request) for messages of at most `most` bytes.
template <class Make>
void DeviceMessages::prepare(Direction& direction, std::vector<Transfer> transfers, bool sends, bool on_device,
                             const Make& make) {
    const auto other = [sends](const Transfer& t) { return sends ? t.to : t.from; };
    std::stable_sort(transfers.begin(), transfers.end(),
                     [&](const Transfer& a, const Transfer& b) { return other(a) < other(b); });
    std::size_t end = 0;
    for (const Transfer& t : transfers) {
        direction.parts.push_back({t, end});
        end += bytes_of(t);
    }
    direction.memory = MessageMemory(end, on_device);
    for (std::size_t p = 0; p < direction.parts.size();) {
        const int rank = other(direction.parts[p].transfer);
        std::size_t at = direction.parts[p].offset;
        while (p < direction.parts.size() && other(direction.parts[p].transfer) == rank) ++p;
        const std::size_t last = p < direction.parts.size() ? direction.parts[p].offset : end;
        for (; at < last; at += most) {
            const int count = static_cast<int>(std::min(most, last - at));
            direction.requests.add(
                [&](MPI_Request* request) { return make(direction.memory.data() + at, count, rank, request); });
        }
    }
}

DeviceMessages::DeviceMessages(const std::vector<Transfer>& list, int rank, MPI_Comm ranks, int tag,
                               std::shared_ptr<const DeviceLanes> lanes, bool from_device_memory)
    : lanes_(std::move(lanes)) {
    const DeviceScope scope(lanes_->device);  // of which events are, too
    for (auto* const event : {&ready_, &packed_, &moved_, &unpacked_}) *event = std::make_unique<DeviceEvent>();
    std::vector<Transfer> sent, received;
    for (const Transfer& t : list) {
        if (bytes_of(t) == 0) continue;  // only orders, which messages do anyway
        if (t.from == rank && t.to == rank)
            own_.push_back(t);
        else if (t.from == rank)
            sent.push_back(t);
        else if (t.to == rank)
            received.push_back(t);
    }
    prepare(sent_, std::move(sent), true, from_device_memory,
            [&](std::byte* first, int count, int to, MPI_Request* request) {
                return MPI_Send_init(first, count, MPI_BYTE, to, tag, ranks, request);
            });
    prepare(received_, std::move(received), false, from_device_memory,
            [&](std::byte* first, int count, int from, MPI_Request* request) {
                return MPI_Recv_init(first, count, MPI_BYTE, from, tag, ranks, request);
            });
}

DeviceMessages::~DeviceMessages() {
    for (const auto* const event : {&packed_, &moved_, &unpacked_}) {
        try {
            (*event)->wait();
        } catch (const Error&) {  // NOLINT(bugprone-empty-catch): who waits for results hears of it
        }
    }
}

void DeviceMessages::begin(ThreadTeam&, std::span<const Stream> streams) {
    if (nothing()) return;
    const DeviceScope scope(lanes_->device);
    const Stream out = lanes_->out->get();
    unpacked_->wait();  // of the time before
    received_.requests.start();
    ready_->record(streams.front());
    ready_->make_wait(out);
    for (const auto& [t, offset] : sent_.parts) copy_rows(into(t, sent_.memory.data() + offset), out);
    packed_->record(out);
    for (const Transfer& t : own_) copy_rows(t, out);
    moved_->record(out);
}

void DeviceMessages::end(ThreadTeam&, std::span<const Stream> streams) {
    if (nothing()) return;
    const DeviceScope scope(lanes_->device);
    const Stream in = lanes_->in->get();
    packed_->wait();
    sent_.requests.start();
    received_.requests.wait();
    for (const auto& [t, offset] : received_.parts) copy_rows(out_of(received_.memory.data() + offset, t), in);
    unpacked_->record(in);
    unpacked_->make_wait(streams.front());
    moved_->make_wait(streams.front());
    sent_.requests.wait();
}

}  // namespace poisson3d
