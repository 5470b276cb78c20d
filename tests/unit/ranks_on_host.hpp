// Ranks with a device each whose memory is the host's: every rank is a thread that does what its stream would, one
// thing after the other as it was launched, so that a wait for what stands behind it would never end.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mapped_transfers.hpp"
#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d::test {

/// What ranks tell each other: each a value at a time.
class Ranks {
public:
    explicit Ranks(int size) : here_(size), values_(static_cast<std::size_t>(size)) {}
    [[nodiscard]] int size() const noexcept { return static_cast<int>(values_.size()); }
    /// Those of all ranks; a call of all.
    template <class Value>
    std::vector<Value> gather(int rank, const Value& mine) {
        values_[static_cast<std::size_t>(rank)] = &mine;
        here_.arrive_and_wait();
        std::vector<Value> all;
        for (const void* const value : values_) all.push_back(*static_cast<const Value*>(value));
        here_.arrive_and_wait();
        return all;
    }

private:
    std::barrier<> here_;
    std::vector<const void*> values_;
};

class RankOnHost final : public Transport {
public:
    RankOnHost(std::shared_ptr<Ranks> ranks, int rank, Index chunk_bytes, double store_rate, Index large)
        : ranks_(std::move(ranks)), mine_{rank}, chunk_bytes_(chunk_bytes), store_rate_(store_rate), large_(large) {
        auto lanes = std::make_shared<CopyLanes>();
        lanes->emplace_back(0);
        lanes_ = std::move(lanes);
    }
    [[nodiscard]] int size() const noexcept override { return ranks_->size(); }
    [[nodiscard]] const std::vector<int>& mine() const noexcept override { return mine_; }
    [[nodiscard]] std::string description() const override { return "ranks"; }
    [[nodiscard]] int device(int) const noexcept override { return 0; }
    [[nodiscard]] int host_threads() const override { return 1; }
    [[nodiscard]] bool reaches(Way) override { return true; }
    [[nodiscard]] double store_rate() override { return store_rate_; }
    [[nodiscard]] ReachedPlaces reached(const std::vector<std::byte*>& mine) override {
        return {ranks_->gather(rank(), mine[static_cast<std::size_t>(rank())]), nullptr};
    }
    [[nodiscard]] Index chunk_bytes() const noexcept override { return chunk_bytes_; }
    ChosenWay choose(Way wanted, MessageSize) override { return {wanted == Way::automatic ? Way::copies : wanted}; }
    std::unique_ptr<Transfers> prepare_by(Way way, const std::vector<Transfer>& list) override {
        const bool stores = way == Way::stores;
        const std::vector<std::vector<Transfer>> all = ranks_->gather(rank(), list);
        std::vector<Transfer> known = list;
        for (std::size_t i = 0; i < list.size(); ++i) {
            Transfer& t = known[i];
            if (stores && t.from == rank()) t.target = all[static_cast<std::size_t>(t.to)][i].target;
            if (!stores && t.to == rank()) t.source = all[static_cast<std::size_t>(t.from)][i].source;
        }
        const auto count = static_cast<std::size_t>(size());
        const auto memory = std::make_shared<std::vector<std::uint32_t>>(2 * count);
        const std::vector<std::shared_ptr<std::vector<std::uint32_t>>> of_all = ranks_->gather(rank(), memory);
        std::vector<MemberWords> words;
        for (const auto& each : of_all) words.push_back({each->data(), each->data() + count});
        return std::make_unique<MappedTransfers>(
            known, rank(), words, lanes_,
            std::make_shared<std::vector<std::shared_ptr<std::vector<std::uint32_t>>>>(of_all), stores, large_);
    }
    std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) override {
        return prepare_by(Way::copies, list);
    }
    int largest(int value) override {
        const std::vector<int> all = ranks_->gather(rank(), value);
        return *std::max_element(all.begin(), all.end());
    }
    void sum(float*, Index) override {}
    void sum(double*, Index) override {}

private:
    [[nodiscard]] int rank() const noexcept { return mine_.front(); }

    std::shared_ptr<Ranks> ranks_;
    std::vector<int> mine_;
    Index chunk_bytes_;
    double store_rate_;
    Index large_;  ///< bytes of a transfer that goes beside the stream
    std::shared_ptr<const CopyLanes> lanes_;
};

/// body(rank, its communicator) by all of them at once. What all throw is thrown on.
template <class Body>
void for_each_rank(int size, Index chunk_bytes, double store_rate, Index large, const Body& body) {
    const auto ranks = std::make_shared<Ranks>(size);
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            try {
                body(rank, Communicator(std::make_shared<RankOnHost>(ranks, rank, chunk_bytes, store_rate, large)));
            } catch (...) {
                thrown[static_cast<std::size_t>(rank)] = std::current_exception();
            }
        });
    for (std::thread& thread : threads) thread.join();
    if (thrown.front()) std::rethrow_exception(thrown.front());
}

}  // namespace poisson3d::test
