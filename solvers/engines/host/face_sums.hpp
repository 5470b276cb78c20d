// The middle pass of a box with closed faces, twice over the same lines along x:
//
//     sum   what is left next to each closed face is a sum over the modes of its axis
//     add   what the values of the faces give to each mode; the solution's modes, and back
//
// Both divide: modes are kept as f has them. Blocks of lines come and go as face_blocks.hpp says.
//
// Sums along x are those of a line; across lines they go over the lines of a block, block after block; over the
// slow index a block keeps its sums from index to index. Partial sums belong to parts of the blocks and of the slow
// index, not to threads: the same input gives the same bits. Of a part of the box the sums are those of the modes
// that are at hand.
#pragma once

#include <algorithm>
#include <vector>

#include "face_blocks.hpp"
#include "field_passes.hpp"
#include "middle_layout.hpp"
#include "mode_terms.hpp"

namespace poisson3d::host {

template <class T>
class FaceSums {
public:
    using Faces = FacesByPart<T>;

    /// `memory`: in which the layout has its blocks and sums.
    FaceSums(const MiddleLayout& layout, FieldPasses<T>& passes, std::byte* memory)
        : layout_(layout),
          passes_(passes),
          memory_(memory),
          terms_(layout, passes),
          blocks_(layout, passes, memory) {}

    /// left := what the closed box leaves on its faces, by part, in modes of the other axes.
    void sum(const PassTask<T>& task, const Faces& left) {
        blocks_.begin(task);
        const Index blocks = team().blocks(blocks_.task());
        const Index tasks = layout_.chunks * layout_.groups;
        team().team().parallel_for(tasks, 1, [&](Index first, Index last, int thread) {
            for (Index t = first; t < last; ++t) {
                const Index chunk = t / layout_.groups;
                const Index group = t % layout_.groups;
                sum_part(chunk, share(blocks, layout_.chunks, chunk), share(blocks, layout_.chunks, chunk + 1),
                         group, share(blocks_.task().slow, layout_.groups, group),
                         share(blocks_.task().slow, layout_.groups, group + 1), left, thread);
            }
        });
        add_up_across(left);
        add_up_slow(left);
    }

    /// What is left of the middle pass, with the values of the faces, by part, in modes of the other axes.
    void add(const PassTask<T>& task, const Faces& values) {
        blocks_.begin(task);
        const Index each = team().blocks(blocks_.task());
        team().for_each(blocks_.task().slow, each, [&](Index unit, int thread) {
            const Index slow = unit / each;
            const Index line = unit % each * lines_;
            FaceBlock<T> block = blocks_.fetch(slow, line, thread);
            terms_.set_terms(block, slow, line);
            for (int part = 0; part < 2; ++part) block.face_along[part] = row_of(values[0][part], slow, line);
            if (layout_.eliminates) terms_.add_ends(block);
            if (block.numbers_across[0] != nullptr) {
                block.across_pitch = values[layout_.across][0].pitch;
                for (int part = 0; part < 2; ++part)
                    block.face_across[part] = values[layout_.across][second(layout_.across, part)].data + slow;
            }
            if (layout_.closed[layout_.slow].faces > 0) {
                const FaceArray<T>& face = values[layout_.slow][terms_.slow_part(slow)];
                block.face_slow = face.data + line;
                block.slow_pitch = face.pitch;
            }
            kernels_.add(block);
            blocks_.leave(block, slow, line, thread);
        });
    }

private:
    [[nodiscard]] LineTeam<T>& team() { return passes_.team(); }
    static Index share(Index count, Index parts, Index part) { return count * part / parts; }
    /// The other part of an axis, if it has one.
    [[nodiscard]] int second(int axis, int part) const { return layout_.closed[axis].faces == 2 ? part : 0; }
    static T* row_of(const FaceArray<T>& face, Index row, Index column) {
        return face.data == nullptr ? nullptr : face.data + row * face.pitch + column;
    }

    void sum_part(Index chunk, Index first_block, Index last_block, Index group, Index first, Index last,
                  const Faces& left, int thread) {
        const Index n = blocks_.task().samples();
        T* const across = sums_across(chunk, first);
        if (across != nullptr) std::fill(across, across + 2 * n * (last - first), T(0));
        const int parts = layout_.closed[layout_.slow].faces;
        // Blocks side by side complete each other's pages, as long as their sums stay in the cache.
        constexpr Index cache = Index{1} << 18;
        const Index sums = n * lines_ * static_cast<Index>(sizeof(T)) * std::max(parts, 1);
        const Index together = std::max<Index>(1, cache / sums);
        for (Index b = first_block; b < last_block; b += together) {
            const Index end = std::min(b + together, last_block);
            for (int part = 0; part < parts; ++part)
                for (Index j = 0; j < n; ++j) {
                    T* const row = sums_slow(group, part) + j * layout_.pitches[layout_.slow];
                    std::fill(row + b * lines_, row + end * lines_, T(0));
                }
            for (Index slow = first; slow < last; ++slow)
                for (Index each = b; each < end; ++each) sum_block(chunk, group, slow, each * lines_, left, thread);
        }
    }

    void sum_block(Index chunk, Index group, Index slow, Index line, const Faces& left, int thread) {
        FaceBlock<T> block = blocks_.arrive(slow, line, thread);
        terms_.set_sums(block, slow, line);
        for (int part = 0; part < layout_.closed[0].faces; ++part) {
            block.face_along[part] = row_of(left[0][part], slow, line);
            std::fill(block.face_along[part], block.face_along[part] + lines_, T(0));
        }
        if (layout_.eliminates) terms_.take_ends(block);
        if (block.numbers_across[0] != nullptr) {
            block.across_pitch = 1;
            for (int part = 0; part < 2; ++part)
                block.face_across[part] = sums_across(chunk, slow) + part * block.modes;
        }
        if (layout_.closed[layout_.slow].faces > 0) {
            block.slow_pitch = layout_.pitches[layout_.slow];
            block.face_slow = sums_slow(group, terms_.slow_part(slow)) + line;
        }
        kernels_.sum(block);
        blocks_.keep(block, slow, line);
    }

    /// Of one index of the slow axis: two parts, a number for each mode along x.
    [[nodiscard]] T* sums_across(Index chunk, Index slow) {
        if (layout_.closed[layout_.across].faces == 0) return nullptr;
        return reinterpret_cast<T*>(memory_ + layout_.sums_across) +
               2 * (chunk * layout_.unknowns(layout_.slow) + slow) * layout_.unknowns(0);
    }
    [[nodiscard]] T* sums_slow(Index group, int part) {
        const Index size = layout_.unknowns(0) * layout_.pitches[layout_.slow];
        return reinterpret_cast<T*>(memory_ + layout_.sums_slow) +
               (group * layout_.closed[layout_.slow].faces + part) * size;
    }

    void add_up_across(const Faces& left) {
        const int axis = layout_.across;
        const Index n = layout_.unknowns(0);
        if (layout_.closed[axis].faces == 0) return;
        team().team().parallel_for(layout_.unknowns(layout_.slow), 8, [&](Index begin, Index end, int) {
            for (Index slow = begin; slow < end; ++slow)
                for (int part = 0; part < layout_.closed[axis].faces; ++part) {
                    const FaceArray<T>& face = left[axis][part];
                    for (Index j = 0; j < n; ++j) {
                        T sum = 0;
                        for (Index chunk = 0; chunk < layout_.chunks; ++chunk)
                            sum += sums_across(chunk, slow)[part * n + j];
                        face.data[j * face.pitch + slow] = sum;
                    }
                }
        });
    }

    void add_up_slow(const Faces& left) {
        const int axis = layout_.slow;
        if (layout_.closed[axis].faces == 0) return;
        team().team().parallel_for(layout_.unknowns(0), 8, [&](Index begin, Index end, int) {
            for (Index j = begin; j < end; ++j)
                for (int part = 0; part < layout_.closed[axis].faces; ++part) {
                    const FaceArray<T>& face = left[axis][part];
                    T* const row = face.data + j * face.pitch;
                    std::fill(row, row + face.pitch, T(0));
                    for (Index group = 0; group < layout_.groups; ++group) {
                        const T* const sums = sums_slow(group, part) + j * face.pitch;
                        for (Index l = 0; l < face.pitch; ++l) row[l] += sums[l];
                    }
                }
        });
    }

    const MiddleLayout& layout_;
    FieldPasses<T>& passes_;
    std::byte* memory_;
    const FaceKernels<T>& kernels_ = face_kernels<T>();
    Index lines_ = kernels_.lines;
    ModeTerms<T> terms_;
    FaceBlocks<T> blocks_;
};

}  // namespace poisson3d::host
