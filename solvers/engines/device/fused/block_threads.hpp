// How many blocks share a multiprocessor of compute capability 9.0, and how many threads they should have.
//
// Of 256 KiB a multiprocessor gives up to 228 to shared memory, the rest to the first-level cache, where twiddles
// and α stay from block to block: with 228 passes of lines of 504 to 1024 take 7 to 13 % longer than with 196 and a
// block less (H100).
#pragma once

#include <cstddef>
#include <initializer_list>

namespace poisson3d::fused {

/// Warps that a multiprocessor has registers for: each of its four parts has 16 384 of them, for whole warps.
constexpr int warps_with(int registers) {
    return 4 * (16384 / (32 * registers));
}
constexpr int blocks_with(int registers, int threads) {
    return warps_with(registers) / (threads / 32);
}

/// Shared memory that a block takes, and what a multiprocessor has for all, KiB.
constexpr std::size_t taken_by_block(std::size_t bytes) {
    return bytes + 1024;
}
inline constexpr int all_shared_memory = 228, shared_beside_cache = 196;

/// Blocks of so many bytes that leave a part to the first-level cache, but at least one.
constexpr int blocks_beside_cache(std::size_t bytes) {
    const int blocks = static_cast<int>((std::size_t{shared_beside_cache} << 10) / taken_by_block(bytes));
    return blocks < 1 ? 1 : blocks;
}

/// Registers of a thread, `registers` or more, up to `most`: as many as leave blocks as they are, since shared
/// memory has no room for more.
constexpr int registers_beside(std::size_t bytes, int threads, int registers, int most) {
    const int in_memory = blocks_beside_cache(bytes), in_registers = blocks_with(registers, threads);
    const int together = in_memory < in_registers ? in_memory : in_registers;
    while (registers + 8 <= most && blocks_with(registers + 8, threads) >= together) registers += 8;
    return registers;
}

/// What a kernel should be given of a multiprocessor's memory, in percent of all_shared_memory; −1: what CUDA
/// chooses, which is room for as many blocks as registers allow, also where fewer than `fewest` would
/// share one.
constexpr int shared_memory_wanted(std::size_t bytes, int registers, int threads, int fewest = 1) {
    const std::size_t all = taken_by_block(bytes) * static_cast<std::size_t>(blocks_with(registers, threads));
    if (all <= std::size_t{shared_beside_cache} << 10 || blocks_beside_cache(bytes) < fewest) return -1;
    const std::size_t fewer = taken_by_block(bytes) * static_cast<std::size_t>(blocks_beside_cache(bytes));
    for (const int size : {64, 100, 132, 164, shared_beside_cache})  // that there can be
        if (fewer <= static_cast<std::size_t>(size) << 10) return 100 * size / all_shared_memory;
    return -1;
}

/// Turns in which `threads` do `number` pieces of work on each of `count` lines, along lines (along_lines()).
constexpr int turns_along(int number, int count, int threads) {
    if (number >= threads) return (number + threads - 1) / threads * count;
    const int across = threads / number;
    return (count + across - 1) / across;
}

/// The threads of blocks, `least` or more, which take the fewest turns beside so many others. Three blocks share a
/// multiprocessor where shared memory and registers have room for them: while one waits, others work.
/// turns(threads): of a block.
template <class Turns>
constexpr int threads_of_fewest_turns(std::size_t bytes, int registers, int least, const Turns& turns) {
    const auto together = [&](int threads) {
        const int in_memory = blocks_beside_cache(bytes), in_registers = blocks_with(registers, threads);
        return in_memory < in_registers ? in_memory : in_registers;
    };
    int best = least, fewest = turns(least), blocks = together(least);
    const int wanted = blocks < 3 ? blocks : 3;
    for (int threads = least + 32; threads <= 512 && together(threads) >= wanted; threads += 32) {
        const int taken = turns(threads);
        if (taken * blocks < fewest * together(threads)) fewest = taken, blocks = together(threads), best = threads;
    }
    return best;
}

}  // namespace poisson3d::fused
