// Messages between ranks on devices, with a device that does things when chance has it (random_device.hpp): what
// was sent arrives where it should, round after round, whatever else streams do before and after.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <random>

#include "device_messages.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/mpi.hpp"
#include "random_device.hpp"
#include "rank_tests.hpp"

namespace poisson3d {
namespace {

/// This rank, and how many there are.
int me = 0, all = 1;

using Number = std::uint32_t;

/// What a source has at a place in a round.
Number number(int rank, int round, std::size_t at) {
    return static_cast<Number>((static_cast<std::size_t>(rank * 100 + round) << 16) + at);
}
constexpr Number nothing = 0xffffffffU;

/// A block of rows from one rank to another, in numbers.
struct Block {
    int from, to;
    std::size_t source, target, run, runs, source_stride, target_stride;
};

/// Every rank sends some to every rank, itself included, to places of their own.
std::vector<Block> random_blocks(std::uint64_t seed, std::size_t& sources, std::size_t& targets) {
    std::mt19937_64 chance(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(chance() % n); };
    std::vector<Block> blocks;
    std::vector<std::size_t> from_end(static_cast<std::size_t>(all)), to_end(static_cast<std::size_t>(all));
    for (int to = 0; to < all; ++to)
        for (int from = 0; from < all; ++from)
            for (std::size_t count = below(4); count > 0; --count) {
                Block b{from,
                        to,
                        from_end[static_cast<std::size_t>(from)],
                        to_end[static_cast<std::size_t>(to)],
                        1 + below(7),
                        below(5),
                        0,
                        0};
                b.source_stride = b.run + below(3), b.target_stride = b.run + below(3);
                from_end[static_cast<std::size_t>(from)] += b.runs * b.source_stride;
                to_end[static_cast<std::size_t>(to)] += b.runs * b.target_stride;
                blocks.push_back(b);
            }
    sources = from_end[static_cast<std::size_t>(me)], targets = to_end[static_cast<std::size_t>(me)];
    return blocks;
}

/// An exchange, and its numbers here.
class Exchanged {
public:
    Exchanged(std::uint64_t seed, int tag, const std::shared_ptr<const DeviceLanes>& lanes, bool from_device) {
        std::size_t sources = 0, targets = 0;
        blocks_ = random_blocks(seed, sources, targets);
        source_.resize(sources), target_.resize(targets);
        std::vector<Transfer> list;
        for (const Block& b : blocks_) {
            const auto bytes = [](std::size_t numbers) { return static_cast<Index>(numbers * sizeof(Number)); };
            list.push_back({b.from, b.to,
                            b.from == me ? reinterpret_cast<const std::byte*>(source_.data() + b.source) : nullptr,
                            b.to == me ? reinterpret_cast<std::byte*>(target_.data() + b.target) : nullptr,
                            bytes(b.run), static_cast<Index>(b.runs), bytes(b.source_stride),
                            bytes(b.target_stride)});
        }
        messages_ = std::make_unique<DeviceMessages>(list, me, MPI_COMM_WORLD, tag, lanes, from_device);
    }

    void fill(Stream stream, int round) {
        test::launch(stream, [this, round] {
            for (std::size_t i = 0; i < source_.size(); ++i) source_[i] = number(me, round, i);
        });
        test::launch(stream, [this] { std::fill(target_.begin(), target_.end(), nothing); });
    }
    void begin(ThreadTeam& team, const Stream& stream) { messages_->begin(team, {&stream, 1}); }
    void end(ThreadTeam& team, const Stream& stream) { messages_->end(team, {&stream, 1}); }
    /// Afterwards both are something else.
    void compare(Stream stream, int round) {
        test::launch(stream, [this, round] {
            std::vector<Number> expected(target_.size(), nothing);
            for (const Block& b : blocks_)
                for (std::size_t r = 0; b.to == me && r < b.runs; ++r)
                    for (std::size_t i = 0; i < b.run; ++i)
                        expected[b.target + r * b.target_stride + i] =
                            number(b.from, round, b.source + r * b.source_stride + i);
            if (expected != target_) ++wrong_;
            ++rounds_;
        });
        test::launch(stream, [this] { std::fill(source_.begin(), source_.end(), nothing); });
    }
    [[nodiscard]] int wrong() const { return wrong_; }
    [[nodiscard]] int rounds() const { return rounds_; }

private:
    std::vector<Block> blocks_;
    std::vector<Number> source_, target_;
    std::unique_ptr<DeviceMessages> messages_;
    int wrong_ = 0, rounds_ = 0;
};

/// Three exchanges on their way at a time, as the chunks of a field.
TEST(DeviceMessages, ArriveWhateverTheOrder) {
    ThreadTeam team(1);
    constexpr int rounds = 5;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        test::reseed_device(seed * 1000 + static_cast<std::uint64_t>(me));
        const int device = static_cast<int>(seed % 2);  // of the rank; the current one is 0
        const auto lanes = std::make_shared<const DeviceLanes>(device);
        const auto passes = [&] {
            const DeviceScope scope(device);
            return std::make_unique<DeviceStream>();
        }();
        const Stream stream = seed % 3 == 0 ? Stream{} : passes->get();
        std::array<Exchanged, 3> chunks{Exchanged(3 * seed, 1, lanes, seed % 2 == 0),
                                        Exchanged(3 * seed + 1, 2, lanes, seed % 2 == 0),
                                        Exchanged(3 * seed + 2, 3, lanes, seed % 2 == 0)};
        for (int round = 0; round < rounds; ++round) {
            for (Exchanged& chunk : chunks) {
                chunk.fill(stream, round);
                chunk.begin(team, stream);
            }
            // Begun first, each may also end last.
            if (round % 2 == 0)
                for (Exchanged& chunk : chunks) chunk.end(team, stream);
            else
                for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) chunk->end(team, stream);
            for (Exchanged& chunk : chunks) chunk.compare(stream, round);
        }
        synchronize(stream);
        for (const Exchanged& chunk : chunks) {
            EXPECT_EQ(chunk.wrong(), 0) << "seed " << seed;
            EXPECT_EQ(chunk.rounds(), rounds);
        }
    }
}

TEST(DeviceMessages, AreToldByTheCommunicator) {
    EXPECT_EQ(device_of_rank(MPI_COMM_WORLD), 0);
    const Communicator ranks = mpi(MPI_COMM_WORLD, 0);
    EXPECT_EQ(ranks.mine(), std::vector<int>{me});
    EXPECT_NE(ranks.description().find(" (" + device_name(0) + ")"), std::string::npos) << ranks.description();
    const int last = all - 1;
    try {
        mpi(MPI_COMM_WORLD, me == last ? 1 : 0);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        const std::string words = me == last ? "there is no device 1, wanted 0 to 0" : "another member";
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

/// One that is not there is refused by all, and not among those that are measured.
TEST(DeviceMessages, GoTheWayThatIsThere) {
    const Communicator ranks = mpi(MPI_COMM_WORLD, 0);
    Transport& transport = ranks.transport();
    for (const Index bytes : {Index{1}, Index{300000}}) {
        const ChosenWay way = transport.choose(Way::automatic, bytes);
        EXPECT_EQ(way.way, all > 1 ? Way::staged : Way::automatic);
        EXPECT_EQ(way.rate > 0.0, all > 1);
        EXPECT_EQ(transport.choose(Way::staged, bytes).rate, way.rate);  // measured once
    }
    for (const Way way : {Way::copies, Way::stores, Way::passes, Way::nccl, Way::mpi}) try {
            transport.choose(way, 1);
            FAIL() << "accepted " << name(way);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::unsupported);
            const std::string words = std::string("cannot exchange by ") + name(way) + ": found ";
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
}

}  // namespace
}  // namespace poisson3d

/// Every rank runs all tests.
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    testing::InitGoogleTest(&argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &poisson3d::me);
    MPI_Comm_size(MPI_COMM_WORLD, &poisson3d::all);
    return poisson3d::test::run_on_all_ranks();
}
