// Rectangles in place of more than 2^31 and 2^32 elements, and in a captured graph on a stream of its own; made and
// checked on the device.
#include <gtest/gtest.h>

#include <array>

#include "common/cuda_words.hpp"
#include "device_values.cuh"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "rectangle/executors.hpp"

namespace poisson3d::cuda {
namespace {

/// Counts elements of the transpose that are not the element of rows × columns that they should be.
template <class Word>
__global__ void count_wrong(const Word* data, Index rows, Index columns, unsigned long long* wrong) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index at = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; at < rows * columns; at += step)
        if (data[at] != value_of<Word>(at % rows * columns + at / rows)) atomicAdd(wrong, 1ULL);
}

template <class Word>
class OnDevice {
public:
    OnDevice(Index rows, Index columns)
        : rows_(rows),
          columns_(columns),
          field_(static_cast<std::size_t>(rows * columns) * sizeof(Word)),
          wrong_(sizeof(unsigned long long)) {}

    [[nodiscard]] Word* data() const { return static_cast<Word*>(field_.data()); }
    void fill(Stream stream = {}) {
        fill_values<<<4096, 256, 0, queue(stream)>>>(data(), rows_ * columns_);
        check(cudaGetLastError(), "fill");
        fill_on_device(wrong_.data(), 0, wrong_.size(), stream);
    }
    unsigned long long wrong(Stream stream = {}) {
        count_wrong<<<4096, 256, 0, queue(stream)>>>(data(), rows_, columns_,
                                                     static_cast<unsigned long long*>(wrong_.data()));
        check(cudaGetLastError(), "check");
        unsigned long long result = 1;
        copy_to_host(&result, wrong_.data(), sizeof result, stream);
        return result;
    }

private:
    Index rows_, columns_;
    DeviceBuffer field_, wrong_;
};

template <class Word>
DenseMatrices matrix_of(Index rows, Index columns) {
    return {.rows = rows, .columns = columns, .element_bytes = static_cast<int>(sizeof(Word))};
}

template <class Word>
void check_large(Index rows, Index columns, bool by_tiles = false) {
    if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    const auto bytes = static_cast<std::size_t>(rows * columns) * sizeof(Word);
    if (free_device_memory() < bytes + bytes / 20 + (std::size_t{1} << 28))
        GTEST_SKIP() << "the device has less than " << bytes << " bytes free";
    OnDevice<Word> field(rows, columns);
    const auto matrix = matrix_of<Word>(rows, columns);
    const auto plan = by_tiles ? make_cuda_rectangle_tiles(matrix, 256) : make_cuda_rectangle(matrix);
    EXPECT_LE(plan->scratch_bytes(), std::max(std::size_t{64} << 20, bytes / 50));
    field.fill();
    plan->run(field.data(), {});
    EXPECT_EQ(field.wrong(), 0U) << rows << " x " << columns << ", " << plan->description();
}

TEST(LargeRectangle, MoreThan2To32Elements) {
    check_large<std::uint32_t>(70001, 65537);
    check_large<std::uint32_t>(65537, 70001);
}

TEST(LargeRectangle, MoreThan2To32ElementsInLongRows) {
    check_large<std::uint32_t>(7, 700'000'001);
    check_large<std::uint32_t>(700'000'001, 7);
    check_large<std::uint32_t>(4099, 1'100'009);
}

TEST(LargeRectangle, MoreThan2To31Doubles) {
    check_large<unsigned long long>(50'000, 43'000);
}

TEST(LargeRectangle, ThreeTimesTenMillion) {
    check_large<std::uint32_t>(3, 10'000'000);
    check_large<std::uint32_t>(10'000'000, 3);
    check_large<unsigned long long>(3, 10'000'000);
    check_large<unsigned long long>(10'000'000, 3);
    check_large<unsigned long long>(10'000'019, 3);
}

TEST(LargeRectangle, ByTiles) {
    for (const auto& [rows, columns] :
         {std::array<Index, 2>{5003, 7001}, {7001, 5003}, {16384, 2048}, {1000, 20000}}) {
        check_large<std::uint32_t>(rows, columns, true);
        check_large<unsigned long long>(rows, columns, true);
    }
    check_large<std::uint32_t>(7, 20'000'003, true);
}

TEST(LargeRectangle, MayBeCapturedInAGraph) {
    if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    const Index shapes[][2] = {{1000, 1777}, {1200, 900}, {3, 2'000'003}, {2'000'003, 3}};
    for (const auto& [rows, columns] : shapes) {
        OnDevice<std::uint32_t> field(rows, columns);
        const auto plan = make_cuda_rectangle(matrix_of<std::uint32_t>(rows, columns));
        const DeviceStream stream;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t instance = nullptr;
        check(cudaStreamBeginCapture(queue(stream.get()), cudaStreamCaptureModeGlobal), "capture");
        plan->run(field.data(), stream.get());
        check(cudaStreamEndCapture(queue(stream.get()), &graph), "capture");
        check(cudaGraphInstantiate(&instance, graph, 0), "graph");
        for (int repeat = 0; repeat < 2; ++repeat) {
            field.fill(stream.get());
            check(cudaGraphLaunch(instance, queue(stream.get())), "graph");
            EXPECT_EQ(field.wrong(stream.get()), 0U) << rows << " x " << columns;
        }
        check(cudaGraphExecDestroy(instance), "graph");
        check(cudaGraphDestroy(graph), "graph");
    }
}

}  // namespace
}  // namespace poisson3d::cuda
