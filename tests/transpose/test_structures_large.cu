// Structures of more than 2^32 words in all, in place and out of place, made and checked on the device.
#include <gtest/gtest.h>

#include "common/cuda_words.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/structures.hpp"

namespace poisson3d::cuda {
namespace {

/// Word f of structure s: unlike that of any other within 2^32 words, and of most beyond.
__device__ unsigned value_of(Index number) {
    unsigned long long z = (static_cast<unsigned long long>(number) + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<unsigned>(z ^ (z >> 31));
}

__global__ void fill(unsigned* data, Index words) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step)
        data[i] = value_of(i);
}

/// Counts words that are not what the layout wants.
__global__ void count_wrong(const unsigned* data, Index count, int fields, bool arrays, unsigned long long* wrong) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count * fields; i += step) {
        const Index number = arrays ? i % count * fields + i / count : i;
        if (data[i] != value_of(number)) atomicAdd(wrong, 1ULL);
    }
}

unsigned long long wrong_words(const DeviceBuffer& data, const StructureProblem& p, bool arrays) {
    const DeviceBuffer wrong(sizeof(unsigned long long));
    fill_on_device(wrong.data(), 0, wrong.size());
    count_wrong<<<4096, 256>>>(static_cast<const unsigned*>(data.data()), p.count, p.fields, arrays,
                               static_cast<unsigned long long*>(wrong.data()));
    check(cudaGetLastError(), "count");
    unsigned long long result = 1;
    copy_to_host(&result, wrong.data(), sizeof result);
    return result;
}

void check_large(Index count, int fields) {
    if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    StructureProblem p{count, fields, 4, StructureMove::aos_to_soa};
    const Index words = count * fields;
    ASSERT_GT(words, Index{1} << 32);
    const auto bytes = static_cast<std::size_t>(words) * 4;
    if (find_devices().devices[0].free_bytes < 2 * bytes + bytes / 40 + (std::size_t{1} << 28))
        GTEST_SKIP() << "the device has less than " << 2 * bytes << " bytes free";
    const DeviceBuffer data(bytes);
    const DeviceBuffer other(bytes);
    fill<<<4096, 256>>>(static_cast<unsigned*>(data.data()), words);
    check(cudaGetLastError(), "fill");
    fill_on_device(other.data(), 0xee, bytes);
    StructureTranspose(p, {Backend::cuda}).execute(data.data(), other.data());
    EXPECT_EQ(wrong_words(other, p, true), 0U) << "out of place, to arrays";

    const StructureTransposeInPlace there(p, {Backend::cuda});
    EXPECT_LE(there.scratch_bytes(), bytes / 50);
    there.execute(data.data());
    EXPECT_EQ(wrong_words(data, p, true), 0U) << "in place, to arrays, " << there.description();
    p.move = StructureMove::soa_to_aos;
    const StructureTransposeInPlace back(p, {Backend::cuda});
    back.execute(data.data());
    EXPECT_EQ(wrong_words(data, p, false), 0U) << "in place, to structures, " << back.description();
}

TEST(LargeStructures, OfThreeWords) {
    check_large(1'431'655'777, 3);
}

TEST(LargeStructures, OfThirtySevenWords) {
    check_large(116'080'199, 37);
}

}  // namespace
}  // namespace poisson3d::cuda
