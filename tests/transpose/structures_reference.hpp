// Structures and arrays by their definition: word f of structure s lies at s·fields + f, or at f·count + s.
#pragma once

#include <string>

#include "exactness.hpp"
#include "poisson3d/structures.hpp"

namespace poisson3d::test {

inline std::string describe(const StructureProblem& p) {
    return std::to_string(p.count) + " structures of " + std::to_string(p.fields) + " words of " +
           std::to_string(p.word_bytes) + " bytes" +
           (p.move == StructureMove::aos_to_soa ? " to arrays" : " to structures");
}

/// The words in the layout before and after the move, between guards; `shift` words from the best alignment.
struct StructureImages {
    Image before, after;

    StructureImages(const StructureProblem& p, int shift)
        : before(p.count * p.fields, p.word_bytes, shift, 1), after(before) {
        for (Index s = 0; s < p.count; ++s)
            for (int f = 0; f < p.fields; ++f) {
                const Index of_structures = s * p.fields + f;
                const Index of_arrays = f * p.count + s;
                const bool aos_to_soa = p.move == StructureMove::aos_to_soa;
                put(before, aos_to_soa ? of_structures : of_arrays, of_structures, p.word_bytes);
                put(after, aos_to_soa ? of_arrays : of_structures, of_structures, p.word_bytes);
            }
    }

private:
    static void put(Image& image, Index place, Index number, int bytes) {
        write_element(&image.bytes[image.start + static_cast<std::size_t>(place * bytes)], number, bytes);
    }
};

/// run(data) must carry out `problem` in place on memory of `backend`.
template <class Run>
void expect_exact_in_place(const StructureProblem& problem, Backend backend, int shift, Run run) {
    const StructureImages images(problem, shift);
    BackendBuffer memory(backend, images.before.bytes.size());
    memory.put(images.before.bytes.data());
    run(memory.data() + images.before.start);
    Bytes found(images.before.bytes.size());
    memory.get(found.data());
    expect_equal(found, images.after.bytes, images.after.start, "what was moved in place");
}

/// run(in, out) must carry out `problem`.
template <class Run>
void expect_exact(const StructureProblem& problem, Backend backend, int shift, Run run) {
    const StructureImages images(problem, shift);
    // Around the output lies what lies around the input: the guards of both must stay.
    Bytes blank = images.after.bytes;
    const auto begin = blank.begin() + static_cast<std::ptrdiff_t>(images.after.start);
    std::fill(begin, begin + problem.count * problem.fields * problem.word_bytes, static_cast<unsigned char>(0xa5));
    BackendBuffer in(backend, images.before.bytes.size());
    BackendBuffer out(backend, images.after.bytes.size());
    in.put(images.before.bytes.data());
    out.put(blank.data());
    run(in.data() + images.before.start, out.data() + images.after.start);
    Bytes found(images.after.bytes.size());
    out.get(found.data());
    expect_equal(found, images.after.bytes, images.after.start, "the output");
    in.get(found.data());
    expect_equal(found, images.before.bytes, images.before.start, "the input, which must not change,");
}

}  // namespace poisson3d::test
