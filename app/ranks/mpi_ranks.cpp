// Ranks of the program with MPI.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "poisson3d/error.hpp"
#include "poisson3d/mpi.hpp"
#include "process/interrupt.hpp"
#include "ranks/launched.hpp"
#include "ranks/parallel_hdf5.hpp"
#include "ranks/ranks.hpp"

namespace poisson3d::app {

namespace {

constexpr int tag = 1;
constexpr std::size_t most = std::size_t{1} << 30;  // counts of MPI are ints

/// Until `done`, looking more and more rarely: other ranks of this host may want the processor.
template <class Done>
void wait_until(const Done& done) {
    constexpr std::chrono::microseconds longest{500};
    std::chrono::microseconds pause{1};
    for (int look = 0; !done(); ++look) {
        if (look < 64) continue;
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, longest);
    }
}

void wait_for(MPI_Request request) {
    wait_until([&] {
        int arrived = 0;
        MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
        return arrived != 0;
    });
}

/// Errors of these calls end all ranks, which is what MPI does by itself.
class MpiRanks final : public Ranks {
public:
    explicit MpiRanks() {
        MPI_Comm_dup(MPI_COMM_WORLD, &all_);
        MPI_Comm_size(all_, &size_);
        MPI_Comm_rank(all_, &rank_);
    }
    ~MpiRanks() override {
        if (!ended_ && size_ > 1) MPI_Abort(MPI_COMM_WORLD, exit_code(ErrorCode::internal));
    }

    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] Communicator members(bool on_devices) override {
        return on_devices ? mpi(all_, device()) : mpi(all_);
    }
    [[nodiscard]] int device() override { return device_of_rank(all_); }

    [[nodiscard]] bool share_files() const noexcept override { return size_ > 1 && has_parallel_hdf5(); }
    void read_planes(const SharedPlanes& planes) override { read_collectively(all_, planes); }
    void write_planes(const SharedPlanes& planes) override { write_collectively(all_, planes); }

    void send(int to, const void* data, std::size_t bytes) override {
        const auto* const first = static_cast<const std::byte*>(data);
        for_pieces(bytes, [&](std::size_t at, int count) {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Isend(first + at, count, MPI_BYTE, to, tag, all_, &request);
            wait_for(request);
        });
    }
    void receive(int from, void* data, std::size_t bytes) override {
        auto* const first = static_cast<std::byte*>(data);
        for_pieces(bytes, [&](std::size_t at, int count) {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Irecv(first + at, count, MPI_BYTE, from, tag, all_, &request);
            wait_for(request);
        });
    }
    void meet() override {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ibarrier(all_, &request);
        wait_for(request);
    }
    void end() override {
        MPI_Comm_free(&all_);
        MPI_Finalize();
        ended_ = true;
    }

private:
    template <class Body>
    static void for_pieces(std::size_t bytes, const Body& body) {
        for (std::size_t at = 0; at < bytes; at += most) body(at, static_cast<int>(std::min(most, bytes - at)));
    }

    MPI_Comm all_ = MPI_COMM_NULL;
    int size_ = 1, rank_ = 0;
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<Ranks> start_ranks(char** /*argv*/) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    auto ranks = std::make_unique<MpiRanks>();
    if (ranks->size() == 1 && launched_ranks() > 1) {
        ranks->end();
        throw Error(ErrorCode::unsupported,
                    "started as " + std::to_string(launched_ranks()) +
                        " ranks, of which the MPI that this program was built with finds 1: wanted the mpirun of "
                        "that MPI");
    }
    if (ranks->size() > 1) end_at_first_signal();
    return ranks;
}

}  // namespace poisson3d::app
