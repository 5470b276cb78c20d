// A block of lines along x on its way through the middle pass of a box with closed faces: between the field and
// memory of its own, where the sums and terms of faces are (face_sums.hpp).
//
//     arrive     forward, to the block; or eliminated there
//     keep       its modes back to the field, for the second time
//     fetch      for the second time: where modes are kept, or lines as they are, to be eliminated once more
//     leave      backward, or eliminated, to the field
//
// Of lines of which a part is at hand, eliminated, both times what the field has stays modes of a right-hand side:
// it is substituted to the block alone, and leaves the block as it is.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>

#include "face_kernels.hpp"
#include "field_passes.hpp"
#include "middle_layout.hpp"

namespace poisson3d::host {

template <class T>
class FaceBlocks {
public:
    /// `memory`: in which the layout has its blocks.
    FaceBlocks(const MiddleLayout& layout, FieldPasses<T>& passes, std::byte* memory)
        : layout_(layout), passes_(passes), memory_(memory) {}

    /// The middle pass.
    void begin(const PassTask<T>& task) {
        task_ = task;
        // Rows that share a few places of the cache are fetched whole, before the transform asks for pieces of
        // them.
        collide_ = task_.in_line == 1 && task_.in_sample * static_cast<Index>(sizeof(T)) % (Index{1} << 16) == 0;
    }
    [[nodiscard]] const PassTask<T>& task() const noexcept { return task_; }

    FaceBlock<T> arrive(Index slow, Index line, int thread) {
        PassTask<T> task = task_of(slow, line, layout_.eliminates ? Direction::both : Direction::forward);
        FaceBlock<T> block = empty(slow, line, thread);
        if (collide_ && whole(task)) {
            copy(task, block.rows);
            task.in = block.rows;
            task.in_line = 1, task.in_sample = lines_;
        }
        task.out = block.rows;
        task.out_line = 1, task.out_sample = lines_;
        const PartOfLines part(task, slow * task_.lines + line, slow);
        if (of_parts()) task.eliminated = &part.lines;
        passes_.team().run(task, 0, 0, thread);
        if (straight(task_of(slow, line, Direction::forward))) keep_in_field(slow, line, block);
        return block;
    }

    /// After the sums, which have written whole blocks back as they read them.
    void keep(const FaceBlock<T>& block, Index slow, Index line) const {
        const PassTask<T> field = task_of(slow, line, Direction::forward);
        for (Index j = 0; !layout_.eliminates && block.kept == nullptr && j < block.modes; ++j)
            for (Index l = 0; l < field.lines; ++l)
                field.out[j * field.out_sample + l * field.out_line] = block.rows[j * lines_ + l];
    }

    FaceBlock<T> fetch(Index slow, Index line, int thread) {
        const PassTask<T> task = task_of(slow, line, Direction::both);
        FaceBlock<T> block = empty(slow, line, thread);
        if (straight(task))
            keep_in_field(slow, line, block);
        else
            copy(task, block.rows);
        return block;
    }

    void leave(const FaceBlock<T>& block, Index slow, Index line, int thread) {
        PassTask<T> task = task_of(slow, line, layout_.eliminates ? Direction::both : Direction::backward);
        T* const out = task.out;
        const Index out_sample = task.out_sample;
        if (of_parts()) {
            for (Index j = 0; j < block.modes; ++j)
                for (Index l = 0; l < task.lines; ++l)
                    out[j * out_sample + l * task.out_line] = block.rows[j * lines_ + l];
            return;
        }
        const bool copies = collide_ && whole(task);
        task.in = block.rows;
        task.in_line = 1, task.in_sample = lines_;
        if (copies) {
            task.out = block.rows;
            task.out_line = 1, task.out_sample = lines_;
        }
        passes_.team().run(task, 0, 0, thread);
        for (Index j = 0; copies && j < block.modes; ++j)
            std::copy_n(block.rows + j * lines_, lines_, out + j * out_sample);
    }

private:
    /// Of lines of which a part is at hand, those of a block, the first of which is number `first` of all.
    struct PartOfLines {
        EliminatedLines<T> lines;
        LineParts<T> parts;

        PartOfLines(const PassTask<T>& task, Index first, Index slow) {
            if (task.eliminated == nullptr || task.eliminated->parts == nullptr) return;
            lines = *task.eliminated, parts = *lines.parts;
            lines.parts = &parts;
            if (lines.reach != nullptr) lines.reach += slow;
            parts.left += first, parts.right += first;
        }
        PartOfLines(const PartOfLines&) = delete;
        PartOfLines& operator=(const PartOfLines&) = delete;
    };
    [[nodiscard]] bool of_parts() const {
        return task_.eliminated != nullptr && task_.eliminated->parts != nullptr;
    }

    /// The lines of a block alone.
    PassTask<T> task_of(Index slow, Index line, Direction direction) const {
        PassTask<T> task = task_;
        task.direction = direction;
        task.modes.slow += slow;
        task.modes.lanes += line;
        task.in += slow * task.in_slow + line * task.in_line;
        task.out += slow * task.out_slow + line * task.out_line;
        task.slow = 1;
        task.lines = std::min(lines_, task.lines - line);
        return task;
    }

    /// With the eigenvalues of its modes.
    FaceBlock<T> empty(Index slow, Index line, int thread) {
        std::byte* const memory = memory_ + layout_.blocks + layout_.block_bytes * static_cast<std::size_t>(thread);
        FaceBlock<T> block;
        block.lines = reinterpret_cast<T*>(memory);
        block.rows = block.lines + lines_;
        block.modes = task_.samples();
        block.divides = !layout_.eliminates;
        const ModeSpace<T>& modes = task_.modes;
        const Index here = std::min(lines_, task_.lines - line);
        for (Index l = 0; l < lines_; ++l)
            block.lines[l] = l < here ? modes.slow[slow] + modes.shift + modes.lanes[line + l]
                                      : -std::numeric_limits<T>::infinity();
        block.along = layout_.eliminates ? nullptr : passes_.axis(0).eigenvalues();
        block.factor = modes.factor;
        block.inverse = 1 / modes.factor;
        if (here < lines_)  // what was there must not count
            std::fill(block.rows, block.rows + block.modes * lines_, T(0));
        return block;
    }

    /// Rows of the field have rows of the block.
    [[nodiscard]] bool whole(const PassTask<T>& task) const { return task.in_line == 1 && task.lines == lines_; }
    /// Modes are kept there without a copy between.
    [[nodiscard]] bool straight(const PassTask<T>& task) const { return !layout_.eliminates && whole(task); }

    void keep_in_field(Index slow, Index line, FaceBlock<T>& block) const {
        block.kept = task_of(slow, line, Direction::forward).out;
        block.kept_pitch = task_.out_sample;
    }

    void copy(const PassTask<T>& task, T* rows) const {
        for (Index j = 0; j < task_.samples(); ++j) {
            const T* const from = task.in + j * task.in_sample;
            T* const row = rows + j * lines_;
            if (whole(task))
                std::memcpy(row, from, static_cast<std::size_t>(lines_) * sizeof(T));
            else
                for (Index l = 0; l < task.lines; ++l) row[l] = from[l * task.in_line];
        }
    }

    const MiddleLayout& layout_;
    FieldPasses<T>& passes_;
    std::byte* memory_;
    Index lines_ = face_kernels<T>().lines;
    PassTask<T> task_;
    bool collide_ = false;
};

}  // namespace poisson3d::host
