// Exchanges between devices in every order that their streams and events allow (device_queues.hpp).
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "device_queues.hpp"
#include "device_words.hpp"
#include "direct_transfers.hpp"
#include "mapped_transfers.hpp"
#include "nccl_transfers.hpp"
#include "row_stores.hpp"
#include "staged_transfers.hpp"

namespace poisson3d {

namespace {

void copy(std::byte* to, Index to_stride, const std::byte* from, Index from_stride, Index run, Index runs) {
    for (Index r = 0; r < runs; ++r)
        std::memcpy(to + r * to_stride, from + r * from_stride, static_cast<std::size_t>(run));
}

/// Sends and receives of groups, which meet in the order in which they were asked for between two members.
class Groups {
public:
    struct Half {
        const void* from = nullptr;
        void* to = nullptr;
        std::size_t bytes = 0;
        Half* other = nullptr;
        bool here = false, done = false;
    };
    /// `between`: who sends, who receives.
    void ask(std::pair<int, int> between, bool sends, void* stream, Half half) {
        const auto mine = std::make_shared<Half>(half);
        auto& others = waiting_[{between, !sends}];
        if (others.empty()) {
            waiting_[{between, sends}].push_back(mine);
        } else {
            mine->other = others.front().get(), others.front()->other = mine.get();
            others.pop_front();
        }
        asked_.emplace_back(stream, mine);
        all_.push_back(mine);
    }
    /// 1: a send and its receive differ.
    int start() {
        for (const auto& [stream, half] : asked_) Queues::get().add({stream}, [half] { half->here = true; });
        int wrong = 0;
        for (const auto& [stream, half] : asked_) {
            if (half->other != nullptr && half->other->bytes != half->bytes) wrong = 1;
            Queues::get().wait_until(
                {stream}, [half] { return half->done || (half->other != nullptr && half->other->here); },
                [half] {
                    Half& other = *half->other;
                    if (!half->done)
                        std::memcpy(half->to != nullptr ? half->to : other.to,
                                    half->to != nullptr ? other.from : half->from, half->bytes);
                    half->done = other.done = true;
                });
        }
        asked_.clear();
        return wrong;
    }

private:
    std::map<std::pair<std::pair<int, int>, bool>, std::deque<std::shared_ptr<Half>>> waiting_;
    std::vector<std::pair<void*, std::shared_ptr<Half>>> asked_;
    std::vector<std::shared_ptr<Half>> all_;
};
Groups groups;
int rank_of(void* communicator) {
    return *static_cast<int*>(communicator);
}

}  // namespace

void start_copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                        std::size_t rows, Stream stream) {
    const auto index = [](std::size_t count) { return static_cast<Index>(count); };
    Queues::get().copy(stream, [=] {
        copy(static_cast<std::byte*>(to), index(to_pitch), static_cast<const std::byte*>(from), index(from_pitch),
             index(bytes), index(rows));
    });
}
void store_rows(const Transfer& t, Stream stream) {
    Queues::get().add(stream, [t] { copy(t.target, t.target_stride, t.source, t.source_stride, t.run, t.runs); });
}

void set_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream stream) {
    for (std::uint32_t* const word : words) Queues::get().add(stream, [=] { *word = value; });
}
void wait_for_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream stream) {
    for (const std::uint32_t* const word : words)
        Queues::get().wait_until(
            stream, [=] { return *word >= value; }, [] {});
}
void synchronize(Stream) {}

PinnedBuffer::PinnedBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    data_ = new std::byte[bytes];
}
void PinnedBuffer::release(void* data) noexcept {
    delete[] static_cast<std::byte*>(data);
}
DeviceBuffer::DeviceBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    data_ = new std::byte[bytes];
}
void DeviceBuffer::release(void* data) noexcept {
    delete[] static_cast<std::byte*>(data);
}
DeviceScope::DeviceScope(int device) : before_(Queues::get().take_device(device)) {}
DeviceScope::~DeviceScope() {
    Queues::get().take_device(before_);
}
DeviceStream::DeviceStream() : handle_(Queues::get().make()) {}
DeviceStream::~DeviceStream() = default;
UrgentStream::UrgentStream() : handle_(Queues::get().make()) {}
UrgentStream::~UrgentStream() = default;
DeviceEvent::DeviceEvent(bool) : handle_(Queues::get().make()) {}
DeviceEvent::~DeviceEvent() = default;
void DeviceEvent::record(Stream stream) {
    Queues::get().record(stream, handle_);
}
void DeviceEvent::wait() const {}
void DeviceEvent::make_wait(Stream stream) const {
    Queues::get().wait(stream, handle_);
}

namespace nccl {

const Library& Library::get() {
    static const Library library = [] {
        Library made;
        made.begin_group = [] { return 0; };
        made.send = [](const void* data, std::size_t count, int, int peer, void* communicator, void* stream) {
            groups.ask({rank_of(communicator), peer}, true, stream, {data, nullptr, count});
            return 0;
        };
        made.receive = [](void* data, std::size_t count, int, int peer, void* communicator, void* stream) {
            groups.ask({peer, rank_of(communicator)}, false, stream, {nullptr, data, count});
            return 0;
        };
        made.end_group = [] { return groups.start(); };
        made.error = [](int) { return "sends and receives differ"; };
        return made;
    }();
    return library;
}
void Library::check(int result, const char* what) const {
    if (result != 0) throw Error(ErrorCode::device, std::string(what) + error(result));
}
Ring::Ring(const std::vector<int>& devices) : library_(Library::get()) {
    for (std::size_t m = 0; m < devices.size(); ++m) {
        communicators_.push_back(new int(static_cast<int>(m)));
        streams_.push_back(std::make_unique<UrgentStream>());
    }
}
Ring::Ring(const Name&, int rank, int, int) : library_(Library::get()), first_(rank) {
    communicators_.push_back(new int(rank));
    streams_.push_back(std::make_unique<UrgentStream>());
}
Ring::~Ring() {
    for (void* each : communicators_) delete static_cast<int*>(each);
}

}  // namespace nccl

namespace {

constexpr int members = 3, rows = 4, numbers = 6;

/// Fields of [rows][numbers] of each member: columns 2 q and 2 q + 1 go to member q, which has them in its row of
/// the sender. Rows of a block have gaps at both ends. A number is a byte.
struct Fields {
    Fields() {
        for (int m = 0; m < members; ++m) {
            from.emplace_back(static_cast<std::size_t>(rows * numbers));
            to.emplace_back(static_cast<std::size_t>(members * rows * 3));
        }
    }
    [[nodiscard]] std::vector<Transfer> list() {
        std::vector<Transfer> all;
        for (int p = 0; p < members; ++p)
            for (int q = 0; q < members; ++q)
                all.push_back({p, q, from[static_cast<std::size_t>(p)].data() + 2 * q,
                               to[static_cast<std::size_t>(q)].data() + p * rows * 3, 2, rows, numbers, 3});
        all.push_back({2, 0, nullptr, nullptr, 0, 0, 0, 0});  // an order more
        return all;
    }
    /// A pass of a member that writes what it sends: of its own in round `round`.
    void write(int member, int round) {
        auto& mine = from[static_cast<std::size_t>(member)];
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = value(member, static_cast<Index>(i), round);
    }
    /// A pass that reads what it has received, and spoils it.
    [[nodiscard]] bool read(int member, int round) { return read_others(member, round, -1); }
    /// But from that one.
    [[nodiscard]] bool read_others(int member, int round, int but) {
        bool right = true;
        auto& mine = to[static_cast<std::size_t>(member)];
        for (int p = 0; p < members; ++p)
            for (Index r = 0; r < rows; ++r)
                for (Index i = 0; i < 2 && p != but; ++i) {
                    std::byte& here = mine[static_cast<std::size_t>((p * rows + r) * 3 + i)];
                    right = right && here == value(p, r * numbers + 2 * member + i, round);
                    here = std::byte{255};
                }
        return right;
    }
    static std::byte value(int member, Index number, int round) {
        return static_cast<std::byte>((member * 64 + number * 2 + round * 7) % 251);
    }
    std::vector<std::vector<std::byte>> from, to;
};

/// A stream of each, on a device of its own.
std::vector<Stream> of_members() {
    std::vector<Stream> streams;
    for (int m = 0; m < members; ++m) {
        const DeviceScope scope(m);
        streams.push_back({Queues::get().make()});
    }
    return streams;
}

/// Rounds of writing, exchange, reading; in `beside`, other work stands between the exchange's two steps.
void expect_right(const std::function<std::unique_ptr<Transfers>(const std::vector<Transfer>&)>& prepare,
                  const std::string& what) {
    ThreadTeam team(1);
    const std::vector<Stream> streams = of_members();
    for (unsigned seed = 0; seed < 60; ++seed) {
        Fields fields;
        const std::unique_ptr<Transfers> exchange = prepare(fields.list());
        int wrong = 0;
        for (int round = 0; round < 3; ++round) {
            for (int m = 0; m < members; ++m)
                Queues::get().add(streams[static_cast<std::size_t>(m)],
                                  [&fields, m, round] { fields.write(m, round); });
            if (round == 1) {
                exchange->run(team, streams);
            } else {
                exchange->begin(team, streams);
                exchange->end(team, streams);
            }
            for (int m = 0; m < members; ++m)
                Queues::get().add(streams[static_cast<std::size_t>(m)],
                                  [&fields, &wrong, m, round] { wrong += fields.read(m, round) ? 0 : 1; });
        }
        ASSERT_TRUE(Queues::get().execute(seed)) << what;
        ASSERT_EQ(wrong, 0) << what << ", seed " << seed;
    }
}

std::shared_ptr<const CopyLanes> lanes() {
    auto made = std::make_shared<CopyLanes>();
    for (int m = 0; m < members; ++m) made->emplace_back(m);
    return made;
}

/// Those of members that are each of a process of their own, one after the other.
class OfProcesses final : public Transfers {
public:
    using Prepare = std::function<std::unique_ptr<Transfers>(int member, std::shared_ptr<const CopyLanes> lane)>;
    using Lanes = std::vector<std::shared_ptr<const CopyLanes>>;
    OfProcesses(const Lanes& lanes, const Prepare& prepare) {
        for (int m = 0; m < members; ++m) each_.push_back(prepare(m, lanes[static_cast<std::size_t>(m)]));
    }
    static Lanes lanes() {
        Lanes all;
        for (int m = 0; m < members; ++m) {
            auto lane = std::make_shared<CopyLanes>();
            lane->emplace_back(m);
            all.push_back(lane);
        }
        return all;
    }
    void run(ThreadTeam& team, std::span<const Stream> streams) override {
        for (std::size_t m = 0; m < each_.size(); ++m) each_[m]->run(team, streams.subspan(m, 1));
    }
    void begin(ThreadTeam& team, std::span<const Stream> streams) override {
        for (std::size_t m = each_.size(); m-- > 0;) each_[m]->begin(team, streams.subspan(m, 1));
    }
    void end(ThreadTeam& team, std::span<const Stream> streams) override {
        for (std::size_t m = 0; m < each_.size(); ++m) each_[m]->end(team, streams.subspan(m, 1));
    }

private:
    std::vector<std::unique_ptr<Transfers>> each_;
};

/// Which know no places of others.
std::unique_ptr<Transfers> nccl_of_processes(const std::vector<Transfer>& list) {
    return std::make_unique<OfProcesses>(OfProcesses::lanes(), [&](int m, std::shared_ptr<const CopyLanes> lane) {
        std::vector<Transfer> known(list);
        for (Transfer& t : known) {
            if (t.from != m) t.source = nullptr;
            if (t.to != m) t.target = nullptr;
        }
        return std::make_unique<NcclTransfers>(known, std::move(lane),
                                               std::make_shared<const nccl::Ring>(nccl::Name{}, m, members, m));
    });
}

/// Which know the sources that they copy, or the targets that they store into.
std::unique_ptr<Transfers> mapped_by_processes(const std::vector<Transfer>& list, bool stores, Index large,
                                               const OfProcesses::Lanes& lanes = OfProcesses::lanes()) {
    const auto memory = std::make_shared<std::vector<std::uint32_t>>(2 * members * members);
    std::vector<MemberWords> words;
    for (std::size_t m = 0; m < members; ++m)
        words.push_back({memory->data() + 2 * m * members, memory->data() + (2 * m + 1) * members});
    return std::make_unique<OfProcesses>(lanes, [&](int m, std::shared_ptr<const CopyLanes> lane) {
        std::vector<Transfer> known(list);
        for (Transfer& t : known) {
            if (t.from != m && (stores || t.to != m)) t.source = nullptr;
            if (t.to != m && (!stores || t.from != m)) t.target = nullptr;
        }
        return std::make_unique<MappedTransfers>(known, m, words, std::move(lane), memory, stores, large);
    });
}

/// Small ones in the members' streams, large ones beside them.
TEST(DeviceTransfers, AreOrdered) {
    const auto all = lanes();
    const auto ring = std::make_shared<const nccl::Ring>(std::vector<int>{0, 1, 2});
    for (const bool beside : {false, true})
        for (const bool stores : {false, true})
            expect_right(
                [&](const std::vector<Transfer>& list) {
                    return std::make_unique<DirectTransfers>(list, all, stores, beside ? 1 : 1000);
                },
                stores ? "stores" : "copies");
    expect_right([&](const std::vector<Transfer>& list) { return std::make_unique<StagedTransfers>(list, all); },
                 "staged");
    expect_right(
        [&](const std::vector<Transfer>& list) { return std::make_unique<NcclTransfers>(list, all, ring); },
        "nccl");
    expect_right(nccl_of_processes, "nccl of processes");
    for (const bool shared : {false, true})
        for (const bool stores : {false, true})
            for (const Index large : {1, 1000}) {
                Queues::get().share(shared);
                expect_right(
                    [&](const std::vector<Transfer>& list) { return mapped_by_processes(list, stores, large); },
                    std::string(stores ? "mapped, stores" : "mapped") + (large == 1 ? ", beside the streams" : "") +
                        (shared ? ", one queue" : ""));
            }
    Queues::get().share(false);
}

/// What each member has of a field that passes store into: of each sender a number.
using Stored = std::array<std::array<int, members>, members>;

/// Passes that store what all need where they need it, as members do in a solve: there, then back, and some copies
/// beside. `prepare` makes an exchange of a list; the second of two passes reads what all first ones have stored,
/// and spoils it.
void expect_ordered(const std::function<std::unique_ptr<Transfers>(const std::vector<Transfer>&)>& prepare,
                    bool copies, const std::string& what) {
    ThreadTeam team(1);
    const std::vector<Stream> streams = of_members();
    std::vector<Transfer> orders;
    for (int p = 0; p < members; ++p)
        for (int q = 0; q < members; ++q)
            if (p != q) orders.push_back({p, q, nullptr, nullptr, 0, 0, 0, 0});
    for (unsigned seed = 0; seed < 60; ++seed) {
        Fields fields;
        std::vector<Transfer> there = orders;
        if (copies) {
            const std::vector<Transfer> more = fields.list();
            // Not all of them: some members order others alone.
            for (const Transfer& t : more)
                if (t.from != 1) there.push_back(t);
        }
        const std::unique_ptr<Transfers> forth = prepare(there), back = prepare(orders);
        Stored across{}, inner{};
        int wrong = 0;
        const auto pass = [&](int m, std::function<void()> body) {
            Queues::get().add(streams[static_cast<std::size_t>(m)], std::move(body));
        };
        const auto store = [](Stored& stored, int m, int number) {
            for (auto& field : stored) field[static_cast<std::size_t>(m)] = number;
        };
        const auto read = [&wrong](Stored& stored, int m, int number) {
            for (int& here : stored[static_cast<std::size_t>(m)]) wrong += here == number ? 0 : 1, here = -1;
        };
        for (int round = 1; round <= 3; ++round) {
            for (int m = 0; m < members; ++m)
                pass(m, [&, m, round] { store(across, m, round), fields.write(m, round); });
            forth->begin(team, streams);
            forth->end(team, streams);
            for (int m = 0; m < members; ++m)
                pass(m, [&, m, round] { read(across, m, round), store(inner, m, 10 * round); });
            back->begin(team, streams);
            back->end(team, streams);
            for (int m = 0; m < members; ++m) pass(m, [&, m, round] { read(inner, m, 10 * round); });
        }
        ASSERT_TRUE(Queues::get().execute(seed)) << what;
        ASSERT_EQ(wrong, 0) << what << ", seed " << seed;
    }
}

TEST(DeviceTransfers, OrderWhatPassesStore) {
    const auto all = lanes();
    for (const bool copies : {false, true})
        for (const Index large : {1, 1000}) {
            const std::string how = std::string(copies ? ", some copied" : "") + (large == 1 ? ", beside" : "");
            expect_ordered(
                [&](const std::vector<Transfer>& list) {
                    return std::make_unique<DirectTransfers>(list, all, false, large);
                },
                copies, "of one process" + how);
            expect_ordered(
                [&](const std::vector<Transfer>& list) { return mapped_by_processes(list, false, large); }, copies,
                "of processes" + how);
        }
}

/// Passes that are launched after an exchange begins do not wait for its copies, nor for those of exchanges before
/// it, even where all streams of a device share a queue of the hardware.
TEST(DeviceTransfers, GoBesideThePassesOfProcesses) {
    ThreadTeam team(1);
    Queues& queues = Queues::get();
    constexpr int chunks = 3;
    for (const bool stores : {false, true})
        for (unsigned seed = 0; seed < 60; ++seed) {
            const std::vector<Stream> streams = of_members();
            queues.share(true);
            queues.hold_copies(true);
            const OfProcesses::Lanes lanes = OfProcesses::lanes();
            std::vector<Fields> fields(chunks);
            std::vector<std::unique_ptr<Transfers>> exchanges;
            for (Fields& chunk : fields) {
                std::vector<Transfer> list = chunk.list();
                std::erase_if(list, [](const Transfer& t) { return t.from == t.to; });
                exchanges.push_back(mapped_by_processes(list, stores, 1, lanes));
            }
            int passes = 0, wrong = 0;
            for (int c = 0; c < chunks; ++c) {
                for (int m = 0; m < members; ++m)
                    queues.add(streams[static_cast<std::size_t>(m)], [&, c, m] {
                        fields[static_cast<std::size_t>(c)].write(m, c);
                        ++passes;
                    });
                exchanges[static_cast<std::size_t>(c)]->begin(team, streams);
            }
            for (int c = 0; c < chunks; ++c) exchanges[static_cast<std::size_t>(c)]->end(team, streams);
            for (int m = 0; m < members; ++m)
                queues.add(streams[static_cast<std::size_t>(m)], [&, m] {
                    for (int c = 0; c < chunks; ++c)
                        wrong += fields[static_cast<std::size_t>(c)].read_others(m, c, m) ? 0 : 1;
                    ++passes;
                });
            if (!stores) {
                ASSERT_FALSE(queues.execute(seed));
                ASSERT_EQ(passes, chunks * members);
            }
            queues.hold_copies(false);
            ASSERT_TRUE(queues.execute(seed));
            ASSERT_EQ(passes, (chunks + 1) * members);
            ASSERT_EQ(wrong, 0);
            queues.share(false);
        }
}

}  // namespace
}  // namespace poisson3d
