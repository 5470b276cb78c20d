#include "mpi_transport.hpp"

#include <sched.h>

#include <algorithm>

#include "mpi_calls.hpp"
#include "poisson3d/threads.hpp"

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
    void begin(ThreadTeam&, std::span<const Stream>) override {
        requests_.start();
        for (const Transfer& t : own_) copy_here(t);
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

/// By parts, since counts are ints.
template <class T>
void sum_of(MPI_Comm ranks, T* values, Index count, MPI_Datatype type) {
    constexpr Index most = Index{1} << 30;
    for (Index at = 0; at < count; at += most)
        check(MPI_Allreduce(MPI_IN_PLACE, values + at, static_cast<int>(std::min(most, count - at)), type, MPI_SUM,
                            ranks),
              "sum");
}

}  // namespace

RanksOfHost::RanksOfHost(MPI_Comm ranks) {
    int rank = 0;
    check(MPI_Comm_rank(ranks, &rank), "rank");
    check(MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &ranks_), "ranks of a host");
    check(MPI_Comm_size(ranks_, &size_), "ranks of a host");
    check(MPI_Comm_rank(ranks_, &rank_), "ranks of a host");
}
RanksOfHost::~RanksOfHost() {
    MPI_Comm_free(&ranks_);
}

int RanksOfHost::sharing_processors() const {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(size_));
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, ranks_),
          "processors of ranks");
    const auto same = [&](const cpu_set_t& set) { return CPU_EQUAL(&set, &mine) != 0; };
    return static_cast<int>(std::count_if(all.begin(), all.end(), same));
}

MpiTransport::MpiTransport(MPI_Comm ranks) {
    check(MPI_Comm_dup(ranks, &ranks_), "copy of the communicator");
    check(MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN), "error handler");
    check(MPI_Comm_size(ranks_, &size_), "size of the communicator");
    mine_.resize(1);
    check(MPI_Comm_rank(ranks_, mine_.data()), "rank");
    threads_ = std::max(1, available_threads() / RanksOfHost(ranks_).sharing_processors());
}
MpiTransport::~MpiTransport() {
    if (alive()) MPI_Comm_free(&ranks_);
}

std::string MpiTransport::description() const {
    return std::to_string(size_) + (size_ == 1 ? " rank" : " ranks");
}
std::unique_ptr<Transfers> MpiTransport::prepare(const std::vector<Transfer>& list) {
    return std::make_unique<Messages>(list, mine_[0], ranks_);
}
int MpiTransport::largest(int value) {
    check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, ranks_), "reduction");
    return value;
}
void MpiTransport::sum(float* values, Index count) {
    sum_of(ranks_, values, count, MPI_FLOAT);
}
void MpiTransport::sum(double* values, Index count) {
    sum_of(ranks_, values, count, MPI_DOUBLE);
}

}  // namespace poisson3d
