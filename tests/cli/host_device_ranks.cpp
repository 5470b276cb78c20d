// Ranks of MPI whose devices are host memory (host_devices.cpp), on which their members solve on threads: the
// program by ranks with GPUs, on a machine without one.
#define start_ranks start_ranks_of_mpi
#include "../../app/ranks/mpi_ranks.cpp"
#undef start_ranks

namespace poisson3d::app {

namespace {

class RanksWithHostDevices final : public Ranks {
public:
    explicit RanksWithHostDevices(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
    [[nodiscard]] int size() const noexcept override { return ranks_->size(); }
    [[nodiscard]] int rank() const noexcept override { return ranks_->rank(); }
    [[nodiscard]] Communicator members(bool /*on_devices*/) override { return ranks_->members(false); }
    [[nodiscard]] int device() override { return ranks_->device(); }
    void send(int to, const void* data, std::size_t bytes) override { ranks_->send(to, data, bytes); }
    void receive(int from, void* data, std::size_t bytes) override { ranks_->receive(from, data, bytes); }
    void meet() override { ranks_->meet(); }
    void end() override { ranks_->end(); }

private:
    std::unique_ptr<Ranks> ranks_;
};

}  // namespace

std::unique_ptr<Ranks> start_ranks(char** argv) {
    return std::make_unique<RanksWithHostDevices>(start_ranks_of_mpi(argv));
}

}  // namespace poisson3d::app
