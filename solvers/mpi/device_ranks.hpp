// Members on the devices of their ranks, and the ways between these: by copies, by stores of kernels or of passes,
// by NCCL, by MPI from device memory, or by MPI from page-locked memory. Rates are measured once for messages of a
// size.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device_messages.hpp"
#include "mpi_transport.hpp"
#include "process_ways.hpp"

namespace poisson3d {

class DeviceRanks final : public MpiTransport, private Processes {
public:
    /// A call of all ranks. What one refuses all refuse.
    DeviceRanks(MPI_Comm all, int device);

    [[nodiscard]] int size() const noexcept override { return MpiTransport::size(); }
    [[nodiscard]] int device(int /*member*/) const noexcept override { return device_; }
    [[nodiscard]] std::string description() const override;
    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override;
    [[nodiscard]] bool reaches(Way way) override;
    [[nodiscard]] double store_rate() override;
    [[nodiscard]] bool copies_go_beside() override;
    [[nodiscard]] ReachedPlaces reached(const std::vector<std::byte*>& mine) override;
    ChosenWay choose(Way wanted, MessageSize largest) override;
    std::unique_ptr<Transfers> prepare_by(Way way, const std::vector<Transfer>& list) override;
    std::unique_ptr<Transfers> prepare_small(Way way, const std::vector<Transfer>& list) override {
        return prepare_by(way, list);
    }

private:
    [[nodiscard]] int rank() const noexcept override { return mine().front(); }
    void gather(const void* mine, void* all, std::size_t bytes) override;

    void require_device() const;
    void look_between();
    /// Throws Error{unsupported} on all ranks if the way is not there on one.
    void require(Way way);
    [[nodiscard]] bool has(Way way);
    void open(Way way);
    [[nodiscard]] bool opens(Way way);
    std::optional<double> tried(Way way, MessageSize size);
    double rate_of(Way way, MessageSize size);
    double measure(Way way, MessageSize message);
    double least_seconds(Way way, MessageSize message, int fills);

    int device_;
    std::shared_ptr<const DeviceLanes> lanes_;
    bool from_device_ = false;              ///< does MPI read device memory?
    std::optional<Communicator> here_;      ///< the device alone, where a build has ways between devices
    std::unique_ptr<ProcessWays> between_;  ///< null: it has none, or nobody has looked
    bool looked_between_ = false;
    std::map<Way, bool> opened_;                           ///< those of between_, and whether they work
    std::map<std::pair<Way, MessageSize>, double> rates_;  ///< by size, as they were measured
    std::optional<bool> beside_;                           ///< do copies go on beside passes? If it was measured
    int next_tag_ = 0;                                     ///< of the last exchange; MPI has 32767 at least
};

}  // namespace poisson3d
