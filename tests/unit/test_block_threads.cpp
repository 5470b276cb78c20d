// Threads of blocks (block_threads.hpp) of lines that kernels know: their registers and shared memory are those
// that a multiprocessor has, and together they do each piece of work on each line once.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "known_lengths.hpp"
#include "known_symmetric_pass.hpp"

namespace poisson3d::fused {
namespace {

/// Of a kernel; `inverse` as it is compiled.
struct Work {
    int count;
    std::uint32_t inverse;
};
template <int count>
constexpr Work work_of() {
    return {count, KnownItems<count, 1>::inverse};
}
struct Kernel {
    BlockShape shape;
    int least;  ///< threads
    std::vector<int> registers;
    std::vector<Work> work;
};

template <Ends ends, int rows, class T>
Kernel kernel() {
    using Line = KnownLine<ends, rows, T>;
    constexpr BlockShape shape = known_shape<ends, rows, T>;
    constexpr bool chosen = rows > 256 && rows <= 1024;  // threads_of_fewest_turns()
    Kernel known{shape, chosen ? least_threads<T>(Line::radices, rows, shape.count) : 64, {}, {}};
    known.registers = {known_registers<ends, rows, Role::first, T>(),
                       known_registers<ends, rows, Role::middle, T>(),
                       known_registers<ends, rows, Role::last, T>()};
    known.work = {work_of<Line::pairs(Side::samples)>(), work_of<Line::pairs(Side::modes)>()};
    if constexpr (Line::steps > 0) known.work.push_back(work_of<rows / Line::first>());
    if constexpr (Line::steps > 1) known.work.push_back(work_of<rows / Line::second>());
    return known;
}
template <int half, class T>
Kernel symmetric_kernel() {
    using Line = KnownSymmetricLine<half, known_symmetric_radix(half), T>;
    constexpr SymmetricShape shape = known_symmetric_shape<half, T>();
    Kernel known{shape.block, 96, {shape.registers}, {}};
    known.work = {work_of<Line::classes>(), work_of<Line::pairs>()};
    if constexpr (Line::steps > 0) known.work.push_back(work_of<Line::rows / Line::first>());
    if constexpr (Line::steps > 1) known.work.push_back(work_of<Line::rows / Line::second>());
    return known;
}

template <class Body, int... lengths, int... halves>
void for_each_kernel(const Body& body, std::integer_sequence<int, lengths...>,
                     std::integer_sequence<int, halves...>) {
    const auto with = [&]<Ends ends, int rows>() {
        if constexpr (has_known_kernels(ends, rows, Role::middle, Movement::rotated)) {
            SCOPED_TRACE(rows);
            body(kernel<ends, rows, double>());
            body(kernel<ends, rows, float>());
        }
    };
    const auto with_half = [&]<int half>() {
        SCOPED_TRACE(half);
        body(symmetric_kernel<half, double>());
        body(symmetric_kernel<half, float>());
    };
    (with.template operator()<Ends::alike, lengths>(), ...);
    (with.template operator()<Ends::periodic, lengths>(), ...);
    (with.template operator()<Ends::mixed, lengths>(), ...);
    (with_half.template operator()<halves>(), ...);
}
template <class Body>
void for_each_kernel(const Body& body) {
    for_each_kernel(body, KnownLengths{}, KnownHalfPeriods{});
}

constexpr std::size_t kib = 1024;

TEST(BlockThreads, AreWholeWarpsThatAMultiprocessorHasRegistersFor) {
    for_each_kernel([](const Kernel& kernel) {
        const int threads = kernel.shape.threads;
        EXPECT_EQ(threads % 32, 0);
        EXPECT_GE(threads, kernel.least);
        EXPECT_LE(threads, 512);
        EXPECT_LE(kernel.shape.bytes, 227 * kib);
        for (const int registers : kernel.registers) {
            const int blocks = blocks_with(registers, threads);
            EXPECT_EQ(registers % 8, 0);
            EXPECT_GE(blocks, 1);
            EXPECT_LE(blocks * threads * registers, 65536);
            // Warps of one of the four parts.
            const int of_part = 65536 / 4 / (32 * registers);
            EXPECT_LE(blocks * threads, 4 * 32 * of_part);
            EXPECT_GT((blocks + 1) * threads, 4 * 32 * of_part);
        }
    });
}

/// Sizes that shared memory of compute capability 9.0 can have, KiB.
constexpr std::size_t sizes[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

/// The size that CUDA takes for so many percent: the least that is not below.
std::size_t size_taken(int percent) {
    for (const std::size_t size : sizes)
        if (100 * size >= static_cast<std::size_t>(percent) * 228) return size;
    return 228;
}

/// Blocks of any size: as many as leave a cache and registers allow have room, and no more memory than they need is
/// taken.
TEST(BlockThreads, HaveTheSharedMemoryThatTheyTakeTogether) {
    int smaller = 0;
    for (const int registers : {80, 96, 112, 128, 168})
        for (int threads = 96; threads <= 512; threads += 32)
            for (std::size_t bytes = kib; bytes <= 227 * kib; bytes += 208) {
                const auto with_registers = static_cast<std::size_t>(blocks_with(registers, threads));
                const std::size_t beside_cache = 196 * kib / (bytes + 1 * kib);  // 1 KiB of each is the system's
                const int percent = shared_memory_wanted(bytes, registers, threads);
                if (with_registers <= beside_cache || beside_cache == 0) {
                    ASSERT_EQ(percent, -1) << bytes << " " << threads;
                    continue;
                }
                const std::size_t size = size_taken(percent), all = beside_cache * (bytes + 1 * kib);
                ASSERT_GE(size * kib, all) << bytes << " " << threads;
                ASSERT_LE(size, 196U) << bytes << " " << threads;
                ASSERT_TRUE(std::ranges::all_of(
                    sizes, [&](std::size_t less) { return less < 64 || less >= size || less * kib < all; }))
                    << bytes << " " << threads;
                ++smaller;
            }
    EXPECT_GT(smaller, 1000);
}

TEST(BlockThreads, LetThreeBlocksShareAMultiprocessorWhereThereIsRoom) {
    for_each_kernel([](const Kernel& kernel) {
        if (kernel.least < 96) return;
        const int registers = *std::min_element(kernel.registers.begin(), kernel.registers.end());
        const auto together = [&](int threads) {
            return std::min(static_cast<int>(196 * kib / (kernel.shape.bytes + kib)),
                            blocks_with(registers, threads));
        };
        EXPECT_GE(together(kernel.shape.threads), std::min(3, together(kernel.least)));
    });
}

/// A thread of a device.
struct Thread {
    int count;
    std::uint32_t inverse;
    int of_block, number;
    [[nodiscard]] int threads() const { return of_block; }
    [[nodiscard]] int index() const { return number; }
};

/// share(thread, body(item, line)) of all threads: how many of them do each piece of work, which should be one. The
/// most turns of a thread.
template <class Share>
int expect_all_once(const Work& work, const BlockShape& shape, const Share& share) {
    std::vector<int> done(static_cast<std::size_t>(work.count) * shape.count, 0);
    int most = 0;
    for (int number = 0; number < shape.threads; ++number) {
        int turns = 0;
        share(Thread{work.count, work.inverse, shape.threads, number}, [&](int item, int line) {
            ASSERT_TRUE(item >= 0 && item < work.count && line >= 0 && line < shape.count) << item << " " << line;
            ++done[static_cast<std::size_t>(line) * work.count + item];
            ++turns;
        });
        most = std::max(most, turns);
    }
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), static_cast<std::ptrdiff_t>(done.size()))
        << work.count << " pieces of work, " << shape.count << " lines, " << shape.threads << " threads";
    return most;
}

TEST(BlockThreads, DoEachPieceOfWorkOnceInAsManyTurnsAsCounted) {
    const auto prepare = [](int item) { return item; };
    for_each_kernel([&](const Kernel& kernel) {
        const BlockShape& shape = kernel.shape;
        const int shift = std::bit_width(static_cast<unsigned>(shape.count)) - 1;
        ASSERT_EQ(1 << shift, shape.count);
        for (const Work& work : kernel.work) {
            const int along = expect_all_once(work, shape, [&](const Thread& thread, const auto& body) {
                lines::along_lines(thread, shape.count, body);
            });
            EXPECT_EQ(along, turns_along(work.count, shape.count, shape.threads));
            const int prepared = expect_all_once(work, shape, [&](const Thread& thread, const auto& body) {
                lines::prepared_along_lines(thread, shape.count, prepare, lines::NoWait{}, body);
            });
            EXPECT_EQ(prepared, along);
            const int across = expect_all_once(work, shape, [&](const Thread& thread, const auto& body) {
                lines::across_lines(thread, shift, body);
            });
            EXPECT_EQ(across, (work.count * shape.count + shape.threads - 1) / shape.threads);
        }
    });
}

/// Where a digit of `turns` is not that of along_lines(), another number of threads would be chosen: none takes
/// fewer turns beside as many others.
TEST(BlockThreads, TakeTheFewestTurns) {
    const auto turns = [](int threads) { return turns_along(180, 4, threads) + turns_along(150, 4, threads); };
    constexpr std::size_t bytes = 58 * kib;
    const int chosen = threads_of_fewest_turns(bytes, 96, 96, turns);
    ASSERT_EQ(blocks_beside_cache(bytes), 3);
    for (int threads = 96; threads <= 512; threads += 32) {
        if (blocks_with(96, threads) < 3) continue;
        EXPECT_GE(turns(threads), turns(chosen)) << threads;
    }
    EXPECT_EQ(blocks_with(96, chosen), 3);
}

}  // namespace
}  // namespace poisson3d::fused
