// struct_access.cuh on a device: each lane gets its own structure and nothing else, stores land where they should
// and nowhere else, runs and gathers, whole warps and partial ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda/check.hpp"
#include "exactness.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/struct_access.cuh"

namespace poisson3d::test {
namespace {

template <class Word, int M>
struct alignas(sizeof(Word)) Structure {
    Word words[M];
};

/// Lane by lane through plain stores to `seen`, and together to `out`.
template <class T>
__global__ void load_and_store(const T* in, T* seen, T* out, Index count) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    const Index first = i / 32 * 32;
    const int here = static_cast<int>(max(min(count - first, Index{32}), Index{0}));
    const T value = load_structs(in + first, here);
    if (i < count) seen[i] = value;
    store_structs(out + first, value, here);
}

/// The same through a span, for the structures that `order` names; out of range ones are none.
template <class T>
__global__ void gather_and_scatter(const T* in, T* seen, T* out, const Index* order, Index count) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    const Index named = order[i];
    const StructSpan<const T> from{in, count};
    const StructSpan<T> to{out, count};
    const T value = from[named];
    if (named >= 0 && named < count) seen[named] = value;
    to[named] = value;
}

class StructAccess : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    }
};

constexpr Index threads = 128;
constexpr Index block_count = 3;

/// Runs kernel(in, seen, out) and expects both copies to be `in` where `moved` says so, and untouched elsewhere.
template <class T, class Launch>
void expect_copied(Index count, const std::vector<bool>& moved, Launch launch) {
    constexpr int word = struct_access::word_bytes<T>;
    constexpr Index words = static_cast<Index>(sizeof(T)) / word;
    Image in(count * words, word, 3, 1);
    for (Index w = 0; w < count * words; ++w)
        write_element(&in.bytes[in.start + static_cast<std::size_t>(w * word)], w, word);
    Image out(count * words, word, 3, 2);
    Bytes expected = out.bytes;
    for (Index i = 0; i < count; ++i)
        if (moved[static_cast<std::size_t>(i)])
            std::memcpy(&expected[in.start + static_cast<std::size_t>(i) * sizeof(T)],
                        &in.bytes[in.start + static_cast<std::size_t>(i) * sizeof(T)], sizeof(T));
    BackendBuffer memory[] = {
        {Backend::cuda, in.bytes.size()}, {Backend::cuda, in.bytes.size()}, {Backend::cuda, in.bytes.size()}};
    memory[0].put(in.bytes.data());
    memory[1].put(out.bytes.data());
    memory[2].put(out.bytes.data());
    const auto at = [&](int which) { return reinterpret_cast<T*>(memory[which].data() + in.start); };
    launch(static_cast<const T*>(at(0)), at(1), at(2));
    cuda::check(cudaGetLastError(), "launch");
    Bytes found(in.bytes.size());
    memory[1].get(found.data());
    expect_equal(found, expected, in.start, "what lanes were given");
    memory[2].get(found.data());
    expect_equal(found, expected, in.start, "what lanes stored");
}

template <class Word, int M>
void check_structure() {
    using T = Structure<Word, M>;
    static_assert(struct_access::WordsOf<T>::count == M);
    SCOPED_TRACE(std::to_string(M) + " words of " + std::to_string(sizeof(Word)) + " bytes");
    for (const Index count : {1, 31, 32, 33, 100, 256, 383}) {
        const auto launch = [&](const T* in, T* seen, T* out) {
            load_and_store<<<block_count, threads>>>(in, seen, out, count);
        };
        expect_copied<T>(count, std::vector<bool>(static_cast<std::size_t>(count), true), launch);

        // Every structure once, without order but for some runs; then with gaps.
        std::vector<Index> order(block_count * threads, -1);
        std::iota(order.begin(), order.begin() + count, Index{0});
        for (Index i = count; i < static_cast<Index>(order.size()); ++i) order[static_cast<std::size_t>(i)] = i;
        for (const bool gaps : {false, true}) {
            for (Index i = 40; i < count; ++i)
                std::swap(order[static_cast<std::size_t>(i)],
                          order[40 + hash(static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(i - 39)]);
            if (gaps)
                for (std::size_t i = 0; i < order.size(); i += 3) order[i] = i % 2 == 0 ? -1 : count;
            std::vector<bool> moved(static_cast<std::size_t>(count));
            for (const Index named : order)
                if (named >= 0 && named < count) moved[static_cast<std::size_t>(named)] = true;
            BackendBuffer names(Backend::cuda, order.size() * sizeof(Index));
            names.put(order.data());
            expect_copied<T>(count, moved, [&](const T* in, T* seen, T* out) {
                gather_and_scatter<<<block_count, threads>>>(in, seen, out,
                                                             reinterpret_cast<const Index*>(names.data()), count);
            });
        }
        if (testing::Test::HasFatalFailure()) return;
    }
}

template <class Word, int... M>
void check_structures(std::integer_sequence<int, M...>) {
    (check_structure<Word, M>(), ...);
}

TEST_F(StructAccess, WordsOf4Bytes) {
    check_structures<unsigned>(std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16, 17, 20, 24,
                                                     29, 31, 32, 33, 40, 47, 48, 63, 64>{});
}

TEST_F(StructAccess, WordsOf8Bytes) {
    check_structures<uint2>(std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 8, 13, 16, 24, 31, 32, 33, 64>{});
}

TEST_F(StructAccess, WordsOf16Bytes) {
    check_structures<uint4>(std::integer_sequence<int, 1, 2, 3, 4, 6, 7, 8, 16, 23, 32, 64>{});
}

}  // namespace
}  // namespace poisson3d::test
