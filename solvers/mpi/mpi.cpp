// Exchanges by point-to-point messages that are prepared once (persistent requests), of vectors: nothing is packed.
#include "poisson3d/mpi.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "poisson3d/error.hpp"
#include "transport.hpp"

namespace poisson3d {

namespace {

void check(int status, const char* what) {
    if (status == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    throw Error(ErrorCode::device, std::string("MPI, ") + what + ": " + std::string(text.data(), length));
}

bool alive() {
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised != 0 && finalised == 0;
}

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
    ~Messages() override {
        if (!alive()) return;
        for (MPI_Request& request : requests_) MPI_Request_free(&request);
    }

    void run(ThreadTeam&, std::span<const Stream>) override {
        const int count = static_cast<int>(requests_.size());
        if (count > 0) check(MPI_Startall(count, requests_.data()), "start of an exchange");
        for (const Transfer& t : own_)
            for (Index r = 0; r < t.runs; ++r)
                std::memcpy(t.target + r * t.target_stride, t.source + r * t.source_stride,
                            static_cast<std::size_t>(t.run));
        if (count > 0) check(MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE), "end of an exchange");
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
        requests_.push_back(MPI_REQUEST_NULL);
        check(make(type, &requests_.back()), "message");
        check(MPI_Type_free(&type), "type of a message");  // requests keep it
    }

    std::vector<Transfer> own_;
    std::vector<MPI_Request> requests_;
};

/// Ranks of this host that may use the same processors as this one, itself included. A call of all ranks.
int sharing_processors(MPI_Comm ranks, int rank) {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host), "ranks of a host");
    int count = 0;
    check(MPI_Comm_size(host, &count), "ranks of a host");
    std::vector<cpu_set_t> all(static_cast<std::size_t>(count));
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, host),
          "processors of ranks");
    check(MPI_Comm_free(&host), "ranks of a host");
    return static_cast<int>(
        std::count_if(all.begin(), all.end(), [&](const cpu_set_t& set) { return CPU_EQUAL(&set, &mine) != 0; }));
}

class MpiTransport final : public Transport {
public:
    explicit MpiTransport(MPI_Comm ranks) {
        check(MPI_Comm_dup(ranks, &ranks_), "copy of the communicator");
        check(MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN), "error handler");
        check(MPI_Comm_size(ranks_, &size_), "size of the communicator");
        mine_.resize(1);
        check(MPI_Comm_rank(ranks_, mine_.data()), "rank");
        threads_ = std::max(1, available_threads() / sharing_processors(ranks_, mine_[0]));
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

}  // namespace

Communicator mpi(MPI_Comm ranks) {
    if (!alive())
        throw Error(ErrorCode::usage, "MPI is not initialised, or finalised already: wanted a call between");
    if (ranks == MPI_COMM_NULL) throw Error(ErrorCode::usage, "found MPI_COMM_NULL, wanted a communicator");
    return Communicator(std::make_shared<MpiTransport>(ranks));
}

}  // namespace poisson3d
