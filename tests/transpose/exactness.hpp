// Bitwise equality of a transpose with its definition, nothing else touched: every element has bits of its own, and
// what lies before, behind and between the rows of both fields must stay as it was.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/checks.hpp"
#include "device_buffer.hpp"
#include "out_of_place/movement.hpp"
#include "random_values.hpp"
#include "reference.hpp"

namespace poisson3d::test {

using Bytes = std::vector<unsigned char>;

/// The bits of element number `index`: unique from 4 bytes up, a hash below.
inline void write_element(unsigned char* to, Index index, int bytes) {
    const auto i = static_cast<std::uint64_t>(index);
    if (bytes < 4) {
        const std::uint64_t bits = hash(i);
        std::memcpy(to, &bits, static_cast<std::size_t>(bytes));
    } else if (bytes == 4) {
        const auto bits = static_cast<std::uint32_t>(i * 2654435761U + 12345U);  // odd factor: a bijection
        std::memcpy(to, &bits, 4);
    } else {
        const std::uint64_t low = i * 0x9e3779b97f4a7c15ULL + 1;
        const std::uint64_t high = ~i;
        std::memcpy(to, &low, 8);
        if (bytes == 16) std::memcpy(to + 8, &high, 8);
    }
}

/// A field in its surroundings: guard zones on both sides, `shift` elements from the best alignment.
struct Image {
    static constexpr std::size_t guard = 512;
    Bytes bytes;
    std::size_t start;

    Image(Index elements, int element_bytes, int shift, std::uint64_t seed)
        : start(guard + static_cast<std::size_t>(shift * element_bytes)) {
        bytes.resize(start + static_cast<std::size_t>(elements * element_bytes) + guard);
        // The fields differ in their surroundings too, so that a copied gap is seen.
        for (std::size_t b = 0; b < bytes.size(); b += 8) {
            const std::uint64_t word = hash(b, seed);
            std::memcpy(&bytes[b], &word, std::min<std::size_t>(8, bytes.size() - b));
        }
    }
};

inline void expect_equal(const Bytes& found, const Bytes& expected, std::size_t start, const char* what) {
    if (found == expected) return;
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
    FAIL() << what << " is wrong first at byte " << at - static_cast<std::ptrdiff_t>(start) << " of the field ("
           << found.size() - start - Image::guard << " bytes)";
}

/// Where the fields of a case begin, in elements from a multiple of 512 bytes.
struct Shifts {
    int in = 0, out = 0;
};

/// run(in, out) must carry out `problem` on memory of `backend`; it is called once per element of `shifts`.
template <class Run>
void expect_exact(const TransposeProblem& problem, Backend backend, const std::vector<Shifts>& shifts, Run run) {
    const int e = problem.element_bytes;
    const Extents result = permute(problem.extents, problem.permutation);
    const Index in_span = span(problem.extents, problem.in, problem.batch, problem.in_batch);
    const Index out_span = span(result, problem.out, problem.batch, problem.out_batch);
    for (const Shifts& shift : shifts) {
        Image in(in_span, e, shift.in, 1);
        Image out(out_span, e, shift.out, 2);
        BackendBuffer out_memory(backend, out.bytes.size());
        out_memory.put(out.bytes.data());
        Index count = 0;
        for_each_element(problem, [&](Index from, Index to) {
            write_element(&in.bytes[in.start + static_cast<std::size_t>(from * e)], count, e);
            write_element(&out.bytes[out.start + static_cast<std::size_t>(to * e)], count, e);
            ++count;
        });
        BackendBuffer in_memory(backend, in.bytes.size());
        in_memory.put(in.bytes.data());

        run(in_memory.data() + in.start, out_memory.data() + out.start);

        Bytes found(out.bytes.size());
        out_memory.get(found.data());
        expect_equal(found, out.bytes, out.start, "the output");
        found.resize(in.bytes.size());
        in_memory.get(found.data());
        expect_equal(found, in.bytes, in.start, "the input, which must not change,");
    }
}

inline std::string describe(const TransposeProblem& p) {
    return letters(p.permutation) + " of " + list(p.extents) + " × " + std::to_string(p.batch) + ", elements of " +
           std::to_string(p.element_bytes) + " bytes, strides in " + list(p.in) + " + " +
           std::to_string(p.in_batch) + ", out " + list(p.out) + " + " + std::to_string(p.out_batch);
}

}  // namespace poisson3d::test
