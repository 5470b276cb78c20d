// Exchanges by point-to-point messages that are prepared once (persistent requests), of vectors: nothing is packed.
// Between devices numbers are packed (device_messages.hpp).
#include "poisson3d/mpi.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "agreement.hpp"
#include "device_memory_trial.hpp"
#include "device_messages.hpp"
#include "mpi_calls.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "transport.hpp"

namespace poisson3d {

namespace {

/// Requests of this rank, and what it sends to itself.
class Messages final : public Transfers {
public:
    Messages(const std::vector<Transfer>& list, int rank, MPI_Comm ranks) {
        // Counts and strides of MPI are ints; its messages between two ranks arrive in the order they are sent.
        for (const Transfer& t : split(list, Index{1} << 30)) {
            if (t.from == rank && t.to == rank) {
                own_.push_back(t);
                continue;
            }
            if (t.to == rank)
                add(t, t.target_stride, [&](MPI_Datatype type, MPI_Request* request) {
                    return MPI_Recv_init(t.target, 1, type, t.from, tag, ranks, request);
                });
            if (t.from == rank)
                add(t, t.source_stride, [&](MPI_Datatype type, MPI_Request* request) {
                    return MPI_Send_init(t.source, 1, type, t.to, tag, ranks, request);
                });
        }
    }
    void run(ThreadTeam&, std::span<const Stream>) override {
        requests_.start();
        for (const Transfer& t : own_)
            for (Index r = 0; r < t.runs; ++r)
                std::memcpy(t.target + r * t.target_stride, t.source + r * t.source_stride,
                            static_cast<std::size_t>(t.run));
        requests_.wait();
    }

private:
    static constexpr int tag = 1;

    template <class Make>
    void add(const Transfer& t, Index stride, const Make& make) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        check(MPI_Type_create_hvector(static_cast<int>(t.runs), static_cast<int>(t.run),
                                      static_cast<MPI_Aint>(stride), MPI_BYTE, &type),
              "type of a message");
        check(MPI_Type_commit(&type), "type of a message");
        requests_.add([&](MPI_Request* request) { return make(type, request); });
        check(MPI_Type_free(&type), "type of a message");  // requests keep it
    }

    std::vector<Transfer> own_;
    PersistentRequests requests_;
};

/// The ranks of the host of this one, in their order. A call of all ranks.
class RanksOfHost {
public:
    explicit RanksOfHost(MPI_Comm ranks) {
        int rank = 0;
        check(MPI_Comm_rank(ranks, &rank), "rank");
        check(MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &ranks_), "ranks of a host");
        check(MPI_Comm_size(ranks_, &size_), "ranks of a host");
        check(MPI_Comm_rank(ranks_, &rank_), "ranks of a host");
    }
    ~RanksOfHost() { MPI_Comm_free(&ranks_); }
    RanksOfHost(const RanksOfHost&) = delete;
    RanksOfHost& operator=(const RanksOfHost&) = delete;
    [[nodiscard]] int rank() const noexcept { return rank_; }

    /// Those that may use the same processors as this one, itself included.
    [[nodiscard]] int sharing_processors() const {
        cpu_set_t mine;
        CPU_ZERO(&mine);
        sched_getaffinity(0, sizeof mine, &mine);
        std::vector<cpu_set_t> all(static_cast<std::size_t>(size_));
        check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, ranks_),
              "processors of ranks");
        const auto same = [&](const cpu_set_t& set) { return CPU_EQUAL(&set, &mine) != 0; };
        return static_cast<int>(std::count_if(all.begin(), all.end(), same));
    }

private:
    MPI_Comm ranks_ = MPI_COMM_NULL;
    int size_ = 0, rank_ = 0;
};

/// Members on threads of their ranks.
class MpiTransport : public Transport {
public:
    explicit MpiTransport(MPI_Comm ranks) {
        check(MPI_Comm_dup(ranks, &ranks_), "copy of the communicator");
        check(MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN), "error handler");
        check(MPI_Comm_size(ranks_, &size_), "size of the communicator");
        mine_.resize(1);
        check(MPI_Comm_rank(ranks_, mine_.data()), "rank");
        threads_ = std::max(1, available_threads() / RanksOfHost(ranks_).sharing_processors());
    }
    ~MpiTransport() override {
        if (alive()) MPI_Comm_free(&ranks_);
    }

    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] const std::vector<int>& mine() const noexcept override { return mine_; }
    [[nodiscard]] std::string description() const override {
        return std::to_string(size_) + (size_ == 1 ? " rank" : " ranks");
    }
    [[nodiscard]] int host_threads() const override { return threads_; }
    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override {
        return std::make_unique<Messages>(list, mine_[0], ranks_);
    }
    int largest(int value) override {
        check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, ranks_), "reduction");
        return value;
    }
    void sum(float* values, Index count) override { sum(values, count, MPI_FLOAT); }
    void sum(double* values, Index count) override { sum(values, count, MPI_DOUBLE); }

protected:
    [[nodiscard]] MPI_Comm ranks() const noexcept { return ranks_; }

private:
    /// By parts, since counts are ints.
    template <class T>
    void sum(T* values, Index count, MPI_Datatype type) {
        constexpr Index most = Index{1} << 30;
        for (Index at = 0; at < count; at += most)
            check(MPI_Allreduce(MPI_IN_PLACE, values + at, static_cast<int>(std::min(most, count - at)), type,
                                MPI_SUM, ranks_),
                  "sum");
    }

    MPI_Comm ranks_ = MPI_COMM_NULL;
    int size_ = 0;
    std::vector<int> mine_;
    int threads_ = 1;
};

/// Members on the devices of their ranks.
class DeviceRanks final : public MpiTransport {
public:
    DeviceRanks(MPI_Comm all, int device) : MpiTransport(all), device_(device) {
        const Agreement agreement(*this);
        agreement.all([&] {
            require_possible();
            lanes_ = std::make_shared<const DeviceLanes>(device);
        });
        agreement.all([&] { from_device_ = reads_device_memory(ranks(), device); });
    }

    [[nodiscard]] int device(int /*member*/) const noexcept override { return device_; }
    [[nodiscard]] std::string description() const override {
        return MpiTransport::description() + (size() == 1 ? " on a device (" : " on devices (") +
               device_name(device_) + "), " +
               (from_device_ ? "messages from device memory" : "messages through page-locked memory");
    }
    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override {
        return std::make_unique<DeviceMessages>(list, mine()[0], ranks(), lanes_, from_device_);
    }

private:
    void require_possible() const {
        if (const std::string why = missing_device(); !why.empty())
            throw Error(ErrorCode::device, "rank " + std::to_string(mine()[0]) + " cannot be on a device: " + why);
        if (const int count = count_devices(); device_ < 0 || device_ >= count)
            throw Error(ErrorCode::usage, "rank " + std::to_string(mine()[0]) + ": there is no device " +
                                              std::to_string(device_) + ", wanted 0 to " +
                                              std::to_string(count - 1));
    }

    int device_;
    std::shared_ptr<const DeviceLanes> lanes_;
    bool from_device_ = false;
};

void require_ranks(MPI_Comm ranks) {
    if (!alive())
        throw Error(ErrorCode::usage, "MPI is not initialised, or finalised already: wanted a call between");
    if (ranks == MPI_COMM_NULL) throw Error(ErrorCode::usage, "found MPI_COMM_NULL, wanted a communicator");
}

}  // namespace

Communicator mpi(MPI_Comm ranks) {
    require_ranks(ranks);
    return Communicator(std::make_shared<MpiTransport>(ranks));
}

Communicator mpi(MPI_Comm ranks, int device) {
    require_ranks(ranks);
    return Communicator(std::make_shared<DeviceRanks>(ranks, device));
}

int device_of_rank(MPI_Comm ranks) {
    require_ranks(ranks);
    const int rank = RanksOfHost(ranks).rank(), count = count_devices();
    return count > 0 ? rank % count : -1;
}

}  // namespace poisson3d
