// Batches of FFTs on the device against the defining sum in long double: powers, smooth lengths, primes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "batch_fft.hpp"
#include "engine_under_test.hpp"
#include "poisson3d/device_memory.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::cufft {
namespace {

template <class T>
class BatchFfts : public testing::Test {
protected:
    /// `batch` FFTs with gaps between them, which must stay as they are.
    static void check(Index length, Index batch, std::size_t max_work = std::size_t{1} << 30) {
        const Index distance = length + 3;
        std::vector<T> before(2 * distance * batch);
        for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<T>(test::uniform(i));
        const DeviceBuffer data(before.size() * sizeof(T));
        copy_to_device(data.data(), before.data(), data.size());
        BatchFft<T> fft(length, distance, batch, max_work);
        const DeviceBuffer work(fft.work_bytes());
        fft.set_work(work.data());
        fft.execute(data.data(), {});
        std::vector<T> after(before.size());
        copy_to_host(after.data(), data.data(), data.size());

        std::vector<long double> c(length);
        std::vector<long double> s(length);
        for (Index j = 0; j < length; ++j) {
            const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(j) / length;
            c[j] = std::cos(angle);
            s[j] = std::sin(angle);
        }
        long double error = 0;
        long double norm = 0;
        for (Index b = 0; b < batch; ++b) {
            const T* const in = before.data() + 2 * b * distance;
            const T* const out = after.data() + 2 * b * distance;
            for (Index k = 0; k < length; ++k) {
                long double re = 0;
                long double im = 0;
                for (Index j = 0; j < length; ++j) {
                    const Index a = j * k % length;
                    re += c[a] * in[2 * j] + s[a] * in[2 * j + 1];
                    im += c[a] * in[2 * j + 1] - s[a] * in[2 * j];
                }
                error += (out[2 * k] - re) * (out[2 * k] - re) + (out[2 * k + 1] - im) * (out[2 * k + 1] - im);
                norm += re * re + im * im;
            }
            for (Index i = 2 * length; i < 2 * distance; ++i) ASSERT_EQ(out[i], in[i]) << "a gap was written";
        }
        const auto relative = static_cast<double>(std::sqrt(error / norm));
        EXPECT_LE(relative, tolerance::transform<T>(length))
            << length << ": " << relative / tolerance::eps<T> << " eps";
    }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BatchFfts, Precisions);

TYPED_TEST(BatchFfts, AreTheSums) {
    for (const Index length : {1, 2, 3, 7, 16, 24, 29, 97, 100, 121, 257, 509, 511, 512, 1000})
        this->check(length, 5);
}

TYPED_TEST(BatchFfts, AreCutWhereTheirWorkAreaIsLimited) {
    this->check(509, 67, std::size_t{1} << 16);
    this->check(500, 67, std::size_t{1} << 16);
}

}  // namespace
}  // namespace poisson3d::cufft
