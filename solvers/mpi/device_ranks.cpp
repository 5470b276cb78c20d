#include "device_ranks.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include "agreement.hpp"
#include "device_memory_trial.hpp"
#include "mpi_calls.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

DeviceRanks::DeviceRanks(MPI_Comm all, int device) : MpiTransport(all), device_(device) {
    const Agreement agreement(*this);
    agreement.all([&] {
        require_device();
        lanes_ = std::make_shared<const DeviceLanes>(device);
    });
    agreement.all([&] { from_device_ = reads_device_memory(ranks(), device); });
}

/// Ways between devices, when one is asked for first.
void DeviceRanks::look_between() {
    if (std::exchange(looked_between_, true)) return;
    const Agreement agreement(*this);
    const bool missing = agreement.any([&] {
        try {
            here_ = devices({device_});
        } catch (const Error& error) {
            if (error.code() != ErrorCode::unsupported) throw;
        }
        return !here_;
    });
    if (!missing) agreement.all([&] { between_ = here_->transport().ways_between(*this); });
}

void DeviceRanks::require_device() const {
    if (const std::string why = missing_device(); !why.empty())
        throw Error(ErrorCode::device, "rank " + std::to_string(rank()) + " cannot be on a device: " + why);
    if (const int count = count_devices(); device_ < 0 || device_ >= count)
        throw Error(ErrorCode::usage, "rank " + std::to_string(rank()) + ": there is no device " +
                                          std::to_string(device_) + ", wanted 0 to " + std::to_string(count - 1));
}

std::string DeviceRanks::description() const {
    return MpiTransport::description() + (size() == 1 ? " on a device (" : " on devices (") + device_name(device_) +
           ")";
}

void DeviceRanks::gather(const void* mine, void* all, std::size_t bytes) {
    check(MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes), MPI_BYTE, ranks()),
          "gathering of ranks");
}

bool DeviceRanks::has(Way way) {
    if (way == Way::staged) return true;
    if (way == Way::mpi) return from_device_;
    look_between();
    return between_ && largest(between_->missing(way).empty() ? 0 : 1) == 0;
}

void DeviceRanks::require(Way way) {
    if (way != Way::staged && way != Way::mpi) look_between();
    Agreement(*this).all([&] {
        const std::string start = std::string("ranks on devices cannot exchange by ") + name(way) + ": ";
        if (way == Way::mpi && !from_device_)
            throw Error(ErrorCode::unsupported,
                        start +
                            "found an MPI that does not read device memory, or does not say that it can, wanted "
                            "one that does, or another way");
        if (way == Way::staged || way == Way::mpi) return;
        if (!between_)
            throw Error(ErrorCode::unsupported, start + "found a build without it, wanted the way staged");
        if (const std::string why = between_->missing(way); !why.empty())
            throw Error(ErrorCode::unsupported, start + why);
    });
}

void DeviceRanks::open(Way way) {
    if (way == Way::staged || way == Way::mpi || opened_[way]) return;
    Agreement(*this).all([&] { between_->open(way); });
    opened_[way] = true;
}

bool DeviceRanks::opens(Way way) {
    if (!has(way)) return false;
    if (const auto known = opened_.find(way); known != opened_.end()) return known->second;
    try {
        open(way);
    } catch (const Error&) {  // of this rank or of another; it need not be asked again
        opened_[way] = false;
        return false;
    }
    return true;
}

bool DeviceRanks::reaches(Way way) {
    const bool may = way == Way::automatic || way == Way::copies || way == Way::stores || way == Way::passes;
    return may && size() > 1 && has(Way::passes);
}

double DeviceRanks::store_rate() {
    constexpr Index large = Index{64} << 20;
    if (!reaches(Way::passes) || !between_->apart()) return 0.0;
    return tried(Way::stores, large).value_or(0.0);
}

ReachedPlaces DeviceRanks::reached(const std::vector<std::byte*>& mine) {
    return between_->reached(mine[static_cast<std::size_t>(rank())]);
}

ChosenWay DeviceRanks::choose(Way wanted, MessageSize largest) {
    if (wanted != Way::automatic) {
        require(wanted);
        open(wanted);
        if (wanted == Way::passes) return {wanted, store_rate()};
        return {wanted, size() > 1 ? rate_of(wanted, largest) : 0.0};
    }
    if (size() == 1) return {};
    if (largest.scattered() && opens(Way::stores)) {  // short runs, which engines copy one by one
        const double copies = tried(Way::copies, largest).value_or(0.0),
                     stores = tried(Way::stores, largest).value_or(0.0);
        if (stores > copies) return {Way::stores, stores};
    }
    for (const Way way : {Way::copies, Way::nccl})  // for which the host need not wait, the faster one first
        if (const std::optional<double> rate = tried(way, largest)) return {way, *rate};
    ChosenWay best;
    for (const Way way : {Way::mpi, Way::staged}) {
        const std::optional<double> rate = tried(way, largest);
        if (rate && (*rate > best.rate || best.way == Way::automatic)) best = {way, *rate};
    }
    return best;
}

/// Its rate, if numbers go by it on all ranks.
std::optional<double> DeviceRanks::tried(Way way, MessageSize size) {
    if (!opens(way)) return {};
    try {
        return rate_of(way, size);
    } catch (const Error& error) {  // on all ranks
        if (way == Way::staged || error.code() == ErrorCode::out_of_memory) throw;
        opened_[way] = false;
        return {};
    }
}

std::unique_ptr<Transfers> DeviceRanks::prepare_by(Way way, const std::vector<Transfer>& list) {
    if (way == Way::automatic || way == Way::staged) return prepare(list);
    if (way != Way::mpi) return between_->prepare(way, list);
    return std::make_unique<DeviceMessages>(list, rank(), ranks(), next_tag_ = next_tag_ % 32000 + 1, lanes_, true);
}

std::unique_ptr<Transfers> DeviceRanks::prepare(const std::vector<Transfer>& list) {
    return std::make_unique<DeviceMessages>(list, rank(), ranks(), next_tag_ = next_tag_ % 32000 + 1, lanes_,
                                            false);
}

double DeviceRanks::rate_of(Way way, MessageSize size) {
    const std::pair key{way, size.measured()};
    if (const auto known = rates_.find(key); known != rates_.end()) return known->second;
    return rates_[key] = measure(way, key.second);
}

double DeviceRanks::measure(Way way, MessageSize message) {
    const double seconds = least_seconds(way, message, 0);
    return seconds > 0.0 ? static_cast<double>(message.bytes) / seconds : 0.0;
}

/// Tried with fills of memory, which take about as long as a copy over a fast link: together they take less than
/// one after the other. Else streams share a queue of the hardware, as CUDA_DEVICE_MAX_CONNECTIONS = 1 has it.
bool DeviceRanks::copies_go_beside() {
    constexpr Index large = Index{64} << 20;
    constexpr int fills = 8;
    if (beside_) return *beside_;
    if (!reaches(Way::copies) || !opens(Way::copies)) return *(beside_ = true);
    const double copied = least_seconds(Way::copies, large, 0);
    const double filled = least_seconds(Way::automatic, large, fills);
    const double together = least_seconds(Way::copies, large, fills);
    const bool room = copied > 0.0 && filled > 0.0 && together > 0.0;
    return *(beside_ = !room || together < copied + filled - 0.3 * std::min(copied, filled));
}

/// Of an exchange in which each rank sends as much to the next one, and of fills of as many bytes while it goes on,
/// by the slowest; none is exchanged by Way::automatic. 0: there is no room.
double DeviceRanks::least_seconds(Way way, MessageSize message, int fills) {
    const DeviceScope scope(device_);
    const Agreement agreement(*this);
    const Index source = message.scattered() ? 2 * message.bytes : message.bytes;
    DeviceBuffer there;
    const bool room = !agreement.any([&] {
        try {
            there = DeviceBuffer(static_cast<std::size_t>(source + (fills > 0 ? 2 : 1) * message.bytes));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::out_of_memory) throw;
            return true;
        }
        fill_on_device(there.data(), 0, there.size());
        synchronize();
        return false;
    });
    if (!room) return 0.0;
    auto* const first = static_cast<std::byte*>(there.data());
    std::vector<Transfer> list;
    for (int from = 0; from < size() && way != Way::automatic; ++from) {
        const int to = (from + 1) % size();
        list.push_back(
            message.transfer(from, to, from == rank() ? first : nullptr, to == rank() ? first + source : nullptr));
    }
    const Stream stream;  // as solves are in if none is given
    ThreadTeam team(1);
    std::unique_ptr<Transfers> exchange;
    if (!list.empty()) agreement.all([&] { exchange = prepare_by(way, list); });
    double least = 0.0;
    for (int time = 0; time < 4; ++time) {  // the first starts all there is to start
        double seconds = 0.0;
        agreement.all([&] {  // all are here when the last one is
            const auto start = std::chrono::steady_clock::now();
            if (exchange) exchange->begin(team, {&stream, 1});
            for (int fill = 0; fill < fills; ++fill)
                fill_on_device(first + source + message.bytes, 0, static_cast<std::size_t>(message.bytes), stream);
            if (exchange) exchange->end(team, {&stream, 1});
            synchronize(stream);
            seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        });
        check(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, ranks()), "reduction");
        if (time == 1 || (time > 1 && seconds < least)) least = seconds;
    }
    return least;
}

}  // namespace poisson3d
