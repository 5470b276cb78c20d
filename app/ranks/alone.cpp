// Ranks of the program without MPI: one. Where several were started, the program with MPI takes over.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "poisson3d/error.hpp"
#include "ranks/launched.hpp"
#include "ranks/ranks.hpp"

namespace poisson3d::app {

namespace {

class Alone final : public Ranks {
public:
    [[nodiscard]] int size() const noexcept override { return 1; }
    [[nodiscard]] int rank() const noexcept override { return 0; }
    [[nodiscard]] Communicator members(bool) override { return threads(1); }
    [[nodiscard]] int device() override { return -1; }
    void send(int, const void*, std::size_t) override {}
    void receive(int, void*, std::size_t) override {}
    void meet() override {}
    void end() override {}
};

/// The program with MPI, which stands beside this one.
std::string beside_this() {
    std::error_code failed;
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::string() : (here.parent_path() / "poisson3d-mpi").string();
}

}  // namespace

std::unique_ptr<Ranks> start_ranks(char** argv) {
    const int started = launched_ranks();
    if (started <= 1) return std::make_unique<Alone>();
    const std::string with_mpi = beside_this();
    execv(with_mpi.c_str(), argv);
    throw Error(ErrorCode::unsupported,
                "started as " + std::to_string(started) +
                    " ranks, which need the program with MPI beside this one: found none, " + with_mpi +
                    "; build it where MPI is found, or use --members");
}

}  // namespace poisson3d::app
