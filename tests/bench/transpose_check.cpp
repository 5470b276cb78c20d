// transpose_shapes --check: kernels against the naive one, bit by bit, out of place and in place.
#include <cstdio>
#include <cstring>
#include <random>

#include "poisson3d/device_memory.hpp"
#include "transpose_shapes.hpp"

namespace poisson3d::test {

namespace {

/// Elements that differ in every byte from those around them.
std::vector<unsigned char> pattern(std::size_t bytes, unsigned long long seed) {
    std::mt19937_64 bits(seed);
    std::vector<unsigned char> all((bytes + 7) / 8 * 8);
    for (std::size_t i = 0; i < all.size(); i += 8) {
        const auto word = bits();
        std::memcpy(&all[i], &word, 8);
    }
    all.resize(bytes);
    return all;
}

/// What `run(in, out)` leaves of a device's memory, of which the field begins `shift` bytes behind 512. The input
/// begins `shift` bytes behind the beginning of its memory and fills it, so that a memory checker sees what reads
/// beyond it.
template <class Run>
std::vector<unsigned char> outcome(const std::vector<unsigned char>& in, const std::vector<unsigned char>& before,
                                   std::size_t shift, const Run& run) {
    const DeviceBuffer from(in.size()), to(before.size());
    copy_to_device(from.data(), in.data(), in.size());
    copy_to_device(to.data(), before.data(), before.size());
    run(static_cast<std::byte*>(from.data()) + shift, static_cast<std::byte*>(to.data()) + 512 + shift);
    synchronize();
    std::vector<unsigned char> after(before.size());
    copy_to_host(after.data(), to.data(), after.size());
    return after;
}

}  // namespace

int check_kernels(const ShapeOptions& options) {
    int wrong = 0, tried = 0;
    const auto compare = [&](const std::vector<unsigned char>& found, const std::vector<unsigned char>& wanted,
                             const std::string& what) {
        ++tried;
        if (found == wanted) return;
        if (++wrong < 20) std::printf("WRONG: %s\n", what.c_str());
    };
    for (const Extents& e : boxes(options))
        for (const int element : options.elements)
            for (const int shift : {0, 1, 5}) {
                const auto bytes = static_cast<std::size_t>(e[0] * e[1] * e[2] * element);
                const auto offset = static_cast<std::size_t>(shift * element);
                const auto in = pattern(bytes + offset, 1);
                const auto before = pattern(bytes + 1024 + offset, 2);
                for (const std::string& order : options.orders) {
                    const Transpose naive(dense(e, order, element), {Backend::cuda, Algorithm::naive});
                    const auto wanted =
                        outcome(in, before, offset, [&](const void* a, void* b) { naive.execute(a, b); });
                    for (const Candidate& c : candidates(options, dense(e, order, element)))
                        compare(outcome(in, before, offset, c.run), wanted,
                                text(e) + " " + order + ", " + std::to_string(element) + " bytes, " + c.name);
                }
            }
    // In place, beside what the naive kernel makes of the same field out of place.
    const auto compare_in_place = [&](const Extents& e, const std::string& order, int element,
                                      std::vector<InPlaceCandidate> all) {
        const TransposeInPlace automatic({e, permutation_of(order), element}, {Backend::cuda});
        all.push_back({"automatic", [&](void* data) { automatic.execute(data); }});
        const auto offset = static_cast<std::size_t>(3 * element);
        const auto before = pattern(static_cast<std::size_t>(e[0] * e[1] * e[2] * element) + 1024 + offset, 3);
        const std::vector<unsigned char> field(before.begin() + 512, before.end());
        const Transpose naive(dense(e, order, element), {Backend::cuda, Algorithm::naive});
        const auto wanted =
            outcome(field, before, offset, [&](const void* in, void* out) { naive.execute(in, out); });
        for (const InPlaceCandidate& c : all)
            compare(outcome(before, before, offset, [&](const void*, void* d) { c.run(d); }), wanted,
                    text(e) + " " + order + " in place, " + std::to_string(element) + " bytes, " + c.name);
    };
    for (const int element : options.elements) {
        if (element < 4) continue;  // not in place
        for (const Index n : options.cubes)
            for (const bool back : {false, true})
                compare_in_place({n, n, n}, back ? "zxy" : "yzx", element, cube_candidates(n, back, element));
        for (const Index n : options.squares) {
            compare_in_place({3, n, n}, "xzy", element, square_candidates({n, n, 1, element, {1, 3}, {0, n * n}}));
            compare_in_place({n, 5, n}, "zyx", element, square_candidates({n, 5 * n, 1, element, {1, 5}, {0, n}}));
        }
    }
    std::printf("%d compared bit by bit, %d wrong\n", tried, wrong);
    return wrong == 0 ? 0 : 1;
}

}  // namespace poisson3d::test
