#include "transport.hpp"

#include <numeric>

#include "agreement.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "require_members.hpp"

namespace poisson3d {

namespace {

/// Between members that share memory: copies, on the team's threads.
class Copies final : public Transfers {
public:
    explicit Copies(const std::vector<Transfer>& list) : list_(list) {}
    void begin(ThreadTeam& team, std::span<const Stream>) override {
        team.parallel_for(static_cast<Index>(list_.size()), 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) copy_here(list_[static_cast<std::size_t>(i)]);
        });
    }

private:
    std::vector<Transfer> list_;
};

class ThreadTransport final : public Transport {
public:
    explicit ThreadTransport(int members) : mine_(static_cast<std::size_t>(members)) {
        std::iota(mine_.begin(), mine_.end(), 0);
    }
    [[nodiscard]] int size() const noexcept override { return static_cast<int>(mine_.size()); }
    [[nodiscard]] const std::vector<int>& mine() const noexcept override { return mine_; }
    [[nodiscard]] std::string description() const override {
        return std::to_string(size()) + (size() == 1 ? " member on a thread" : " members on threads");
    }
    [[nodiscard]] int host_threads() const override { return available_threads(); }
    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override {
        return std::make_unique<Copies>(list);
    }
    int largest(int value) override { return value; }
    void sum(float*, Index) override {}
    void sum(double*, Index) override {}

private:
    std::vector<int> mine_;
};

}  // namespace

RefusedElsewhere::RefusedElsewhere(ErrorCode code)
    : Error(code, "another member of the communicator refused this call and has the message that says why") {}

Communicator::Communicator(std::shared_ptr<Transport> transport) : transport_(std::move(transport)) {}

int Communicator::size() const noexcept {
    return transport_->size();
}
const std::vector<int>& Communicator::mine() const noexcept {
    return transport_->mine();
}
std::string Communicator::description() const {
    return transport_->description();
}
void Communicator::refuse(ErrorCode code) const {
    try {
        Agreement(*transport_).all([code] { throw Error(code, "refused"); });
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the caller has words of its own
    }
}

Communicator threads(int members) {
    require_members(members);
    return Communicator(std::make_shared<ThreadTransport>(members));
}

}  // namespace poisson3d
