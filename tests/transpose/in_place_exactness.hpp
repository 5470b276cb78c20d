// Bitwise equality of a transpose in place with its definition: every element has bits of its own, and what lies
// before, behind and between the fields of a batch must stay as it was.
#pragma once

#include <string>

#include "exactness.hpp"
#include "poisson3d/in_place.hpp"

namespace poisson3d::test {

inline Index volume(const Extents& extents) {
    return extents[0] * extents[1] * extents[2];
}

/// Dense fields, `gap` elements between them.
inline InPlaceProblem in_place_problem(const Extents& extents, const Permutation& permutation, int element_bytes,
                                       Index batch = 1, Index gap = 0) {
    return {extents, permutation, element_bytes, batch, batch > 1 ? volume(extents) + gap : 0};
}

/// The same as a transpose out of place: the definition is spelled out for that.
inline TransposeProblem out_of_place(const InPlaceProblem& p) {
    TransposeProblem problem = problem_of(p.extents, p.permutation, p.element_bytes, p.batch);
    problem.in_batch = problem.out_batch = p.batch_stride;
    return problem;
}

inline std::string describe(const InPlaceProblem& p) {
    return letters(p.permutation) + " of " + list(p.extents) + " × " + std::to_string(p.batch) + ", " +
           std::to_string(p.batch_stride) + " apart, elements of " + std::to_string(p.element_bytes) + " bytes";
}

/// run(data) must carry out `p` on memory of `backend`; the field begins `shift` elements from a multiple of 512.
template <class Run>
void expect_exact_in_place(const InPlaceProblem& p, Backend backend, int shift, Run run) {
    const int e = p.element_bytes;
    Image before(volume(p.extents) + (p.batch - 1) * p.batch_stride, e, shift, 1);
    Image after = before;
    Index count = 0;
    for_each_element(out_of_place(p), [&](Index from, Index to) {
        write_element(&before.bytes[before.start + static_cast<std::size_t>(from * e)], count, e);
        write_element(&after.bytes[after.start + static_cast<std::size_t>(to * e)], count, e);
        ++count;
    });
    BackendBuffer memory(backend, before.bytes.size());
    memory.put(before.bytes.data());
    run(memory.data() + before.start);
    Bytes found(after.bytes.size());
    memory.get(found.data());
    expect_equal(found, after.bytes, after.start, "the field");
}

}  // namespace poisson3d::test
