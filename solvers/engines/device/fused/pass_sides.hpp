// Where a pass reads and writes, told to its task.
#pragma once

#include <optional>

#include "box_passes.hpp"
#include "internal_fields.hpp"

namespace poisson3d::fused {

template <class T>
struct PassSides {
    Pass pass;
    std::optional<Unknowns<const T>> from = {};  ///< none: f, as the task has it, of a first pass along z
    std::optional<Unknowns<T>> to = {};          ///< none: u, of a last one

    /// Returns whether rows of columns are even.
    template <class F>
    bool set(const InternalFields<T>& internal, Layout in, Layout out, PassTask<T, F>& task) const {
        const auto [slow, line] = across_lines_of(pass);
        bool even = true;
        if (from) {
            even = internal.has_even_rows(*from, slow, line, pass.axis());
            task.in = from->data;
            task.in_field = from->next;
            task.in_slow = from->strides[slow];
            task.in_line = from->strides[line];
            task.in_sample = from->strides[pass.axis()];
        }
        if (to) {
            if (from && pass.movement == identity_order)
                even = even && internal.has_even_rows(to->read_only(), slow, line, pass.axis());
            task.out = to->data;
            task.out_field = to->next;
            task.out_slow = to->strides[slow];
            task.out_line = to->strides[line];
            task.out_sample = to->strides[pass.axis()];
        }
        task.vectors_in = even;
        task.vectors_out = even;
        if (!from || in_rows(in))
            task.vectors_in = task.in_map.neighbours && aligned(task.in, task.in_slow, task.in_line, task.in_field);
        if (!to || in_rows(out))
            task.vectors_out =
                task.out_map.in_twos() && aligned(task.out, task.out_slow, task.out_line, task.out_field);
        return even;
    }
};

}  // namespace poisson3d::fused
