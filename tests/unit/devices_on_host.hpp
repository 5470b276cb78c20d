// Members on a device whose memory is the host's: what they exchange is copied between threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d::test {

/// Several members on device 0, whose memory is the host's.
class DevicesOnHost final : public Transport {
public:
    DevicesOnHost(int members, Index chunk_bytes, double store_rate = 0.0)
        : threads_(threads(members)), chunk_bytes_(chunk_bytes), store_rate_(store_rate) {}
    [[nodiscard]] int size() const noexcept override { return threads_.size(); }
    [[nodiscard]] const std::vector<int>& mine() const noexcept override { return threads_.mine(); }
    [[nodiscard]] std::string description() const override { return "members"; }
    [[nodiscard]] int device(int) const noexcept override { return 0; }
    [[nodiscard]] int host_threads() const override { return 1; }
    [[nodiscard]] bool reaches(Way) override { return true; }
    [[nodiscard]] double store_rate() override { return store_rate_; }
    [[nodiscard]] Index chunk_bytes() const noexcept override { return chunk_bytes_; }
    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override {
        return threads_.transport().prepare(list);
    }
    ChosenWay choose(Way wanted, MessageSize) override { return {wanted}; }
    int largest(int value) override { return value; }
    void sum(float*, Index) override {}
    void sum(double*, Index) override {}

private:
    Communicator threads_;
    Index chunk_bytes_;
    double store_rate_;
};

/// Parts are exchanged in several chunks, of a plane and of none among them, or in one.
inline Communicator devices_on_host(int members, bool in_chunks = true) {
    return Communicator(std::make_shared<DevicesOnHost>(members, in_chunks ? 64 : Index{1} << 40));
}

}  // namespace poisson3d::test
