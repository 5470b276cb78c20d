// The hooks of the CUDA transposes: what they see, what becomes of what they leave, and nothing else touched.
#include <gtest/gtest.h>

#include <vector>

#include "lines.cuh"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "strip.cuh"

namespace poisson3d::cuda {
namespace {

using Word = unsigned long long;
constexpr Word guard = 0xeeeeeeeeeeeeeeeeULL;
constexpr Index guard_words = 64;

/// Exchanges a pair and marks both with where the hook saw them, so that a wrong k, row or partner shows.
struct SwapAndMark {
    static constexpr bool mirrored = true;
    __device__ void operator()(Index batch, Index row, Index k, Word& a, Word& b) const {
        const Word first = a;
        a = b + (static_cast<Word>(k) << 40) + static_cast<Word>(row);
        b = first + (static_cast<Word>(batch) << 50) + 7;
    }
};

/// Reverses every line in shared memory: needs all of it, and the barriers on both sides.
struct ReverseLines {
    template <class W>
    __device__ void operator()(const Lines<W>& lines) const {
        const int half = lines.columns / 2;
        for (int i = threadIdx.x; i < half * lines.count; i += blockDim.x) {
            const int line = i % lines.count;
            const int c = i / lines.count;
            const W first = lines.at(line, c);
            lines.at(line, c) = lines.at(line, lines.columns - 1 - c);
            lines.at(line, lines.columns - 1 - c) = first;
        }
    }
};

struct Shape {
    Index rows, columns, batch, in_gap, out_gap;
};

MatrixBatch matrix_of(const Shape& s) {
    const Index in_pitch = s.columns + s.in_gap;
    const Index out_pitch = s.rows + s.out_gap;
    return {
        s.rows, s.columns, in_pitch, out_pitch, {1, s.batch}, {0, s.rows * in_pitch}, {0, s.columns * out_pitch}};
}

/// Runs `launch` on a field of unique numbers between guards and returns the output with its guards.
template <class Launch>
std::vector<Word> run(const Shape& s, std::vector<Word>& in, const Launch& launch) {
    const MatrixBatch m = matrix_of(s);
    in.resize(static_cast<std::size_t>(s.batch * s.rows * m.in_pitch));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761ULL % (1ULL << 32);
    std::vector<Word> out(static_cast<std::size_t>(s.batch * s.columns * m.out_pitch + 2 * guard_words), guard);
    const DeviceBuffer device_in(in.size() * sizeof(Word));
    const DeviceBuffer device_out(out.size() * sizeof(Word));
    copy_to_device(device_in.data(), in.data(), device_in.size());
    copy_to_device(device_out.data(), out.data(), device_out.size());
    launch(m, static_cast<const Word*>(device_in.data()), static_cast<Word*>(device_out.data()) + guard_words);
    copy_to_host(out.data(), device_out.data(), device_out.size());
    return out;
}

std::vector<Shape> shapes() {
    std::vector<Shape> all;
    for (const Index columns : {1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 100, 127, 256, 513})
        for (const Index rows : {1, 2, 15, 16, 17, 64, 130, 300}) {
            all.push_back({rows, columns, 1, 0, 0});
            if (rows % 2 == 1) all.push_back({rows, columns, 3, 2, 5});
        }
    return all;
}

class Hooks : public testing::Test {
protected:
    void SetUp() override {
        if (const DeviceList list = find_devices(); list.devices.empty()) GTEST_SKIP() << list.reason;
    }
};

TEST_F(Hooks, MirroredSeesEveryPairOnceAndItsResultArrives) {
    for (const Shape& s : shapes()) {
        std::vector<Word> in;
        const std::vector<Word> out = run(s, in, [](const MatrixBatch& m, const Word* from, Word* to) {
            launch_strip_kernel<BestStrip<8>::Shape>(m, SwapAndMark{}, 0, from, to, nullptr);
        });
        const MatrixBatch m = matrix_of(s);
        std::vector<Word> wanted(out.size(), guard);
        for (Index b = 0; b < s.batch; ++b)
            for (Index row = 0; row < s.rows; ++row)
                for (Index k = 0; 2 * k <= s.columns; ++k) {
                    const Index p = k == 0 ? 0 : s.columns - k;
                    const Word* const line = in.data() + b * m.in_batch[1] + row * m.in_pitch;
                    Word* const to = wanted.data() + guard_words + b * m.out_batch[1] + row;
                    if (p < s.columns && p != k) to[p * m.out_pitch] = line[k] + (static_cast<Word>(b) << 50) + 7;
                    if (k < s.columns)
                        to[k * m.out_pitch] = line[p] + (static_cast<Word>(k) << 40) + static_cast<Word>(row);
                }
        ASSERT_EQ(out, wanted) << s.rows << " x " << s.columns << ", batch " << s.batch;
    }
}

TEST_F(Hooks, LineHooksOwnWholeLines) {
    for (const Shape& s : shapes()) {
        std::vector<Word> in;
        const std::vector<Word> out = run(s, in, [](const MatrixBatch& m, const Word* from, Word* to) {
            ASSERT_TRUE(lines_fit<Word>(m));
            launch_lines(m, ReverseLines{}, from, to, nullptr);
        });
        const MatrixBatch m = matrix_of(s);
        std::vector<Word> wanted(out.size(), guard);
        for (Index b = 0; b < s.batch; ++b)
            for (Index row = 0; row < s.rows; ++row)
                for (Index c = 0; c < s.columns; ++c)
                    wanted[guard_words + b * m.out_batch[1] + c * m.out_pitch + row] =
                        in[b * m.in_batch[1] + row * m.in_pitch + s.columns - 1 - c];
        ASSERT_EQ(out, wanted) << s.rows << " x " << s.columns << ", batch " << s.batch;
    }
}

}  // namespace
}  // namespace poisson3d::cuda
