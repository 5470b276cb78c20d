// Members on threads of their ranks. Exchanges go by point-to-point messages that are prepared once (persistent
// requests), of vectors: nothing is packed. Between devices they are others (device_ranks.hpp).
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "transport.hpp"

namespace poisson3d {

/// The ranks of the host of this one, in their order. A call of all ranks.
class RanksOfHost {
public:
    explicit RanksOfHost(MPI_Comm ranks);
    ~RanksOfHost();
    RanksOfHost(const RanksOfHost&) = delete;
    RanksOfHost& operator=(const RanksOfHost&) = delete;
    [[nodiscard]] int rank() const noexcept { return rank_; }

    /// Those that may use the same processors as this one, itself included.
    [[nodiscard]] int sharing_processors() const;

private:
    MPI_Comm ranks_ = MPI_COMM_NULL;
    int size_ = 0, rank_ = 0;
};

class MpiTransport : public Transport {
public:
    explicit MpiTransport(MPI_Comm ranks);
    ~MpiTransport() override;

    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] const std::vector<int>& mine() const noexcept override { return mine_; }
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] int host_threads() const override { return threads_; }
    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override;
    int largest(int value) override;
    void sum(float* values, Index count) override;
    void sum(double* values, Index count) override;

protected:
    [[nodiscard]] MPI_Comm ranks() const noexcept { return ranks_; }

private:
    MPI_Comm ranks_ = MPI_COMM_NULL;
    int size_ = 0;
    std::vector<int> mine_;
    int threads_ = 1;
};

}  // namespace poisson3d
